import {createHash} from 'node:crypto'
import {questionOn} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith, onFailure} from '../../failure.js'
import {formatDuration} from '../../selection/quantity.js'
import type {Selector} from '../../selection/selector/selector.js'
import {counted, shortly} from '../../text/text.js'
import {utcSecond} from '../../text/time.js'
import {jsonLine} from '../../view/format/json.js'
import {watchLine} from '../../view/room/changes.js'
import {
  describeEvent,
  differences,
  gapOf,
  peopleSince,
  type RoomEvent,
  secondAfter,
  sighting,
  type WatchEvent,
  type WatchRun,
} from './differences.js'
import type {CallBudget, LimitedSession} from './flags.js'
import {outageLine, type PollResult, poll} from './poll.js'
import {checkFirst, failing, impossibility, isUntilMet, whyNot} from './until.js'
import {type Pause, Visibility, Watchfulness} from './visibility.js'
import {
  listedRooms,
  namedRooms,
  type Reading,
  type Rooms,
  shifted,
  type WatchedRoom,
  type WatchReader,
} from './watchReaders.js'

export interface RoomWatch {
  /** The named rooms; empty: those of the list that `where` chooses. */
  readonly ids: readonly string[]
  readonly where?: Selector | undefined
  readonly until?: Selector | undefined
  readonly intervalMs: number
  readonly initial: boolean
  readonly budget: CallBudget
}

/**
 * Writes the events of rooms to stdout, one per line, until `until` holds for all of them, the named ones are gone,
 * stdout is closed, or the session ends. Throws Failure (waited) if its time runs out before `until` holds, or it can no longer hold, (temporary)
 * if that happens while the service does not answer, (network) if it never did, (missing) for a named room that can
 * never make it hold, and any permanent failure.
 */
export async function watchRooms({session, ranOut}: LimitedSession, watch: RoomWatch): Promise<void> {
  const {runtime} = session
  const {base} = await session.api.access('room')
  const run = {service: digestOf(base), run: runtime.now().toISOString()}
  const watcher = new RoomWatcher(session, watch, run)
  try {
    const isEnd = ({facts}: Failure) => facts.exit === 'interrupted' && runtime.signal.aborted
    await watcher.run().catch(onFailure(isEnd, () => undefined))
    if (watcher.isOver) {
      const impossible = runtime.stdout.closed ? undefined : impossibility(watch, watcher.rooms ?? new Map())
      if (impossible) throw impossible
      return
    }
    const failure = await endWatch(session, watch, watcher)
    if (!ranOut()) session.endWith('interrupted')
    else if (failure) throw failure
  } finally {
    await watcher.noteLook(true)
  }
}

/** Identifies the service without its address. */
function digestOf({origin, pathname}: URL): string {
  return createHash('sha256').update(`${origin}${pathname}`).digest('hex').slice(0, 16)
}

/** Milliseconds between `looked` events, which bound the uncertainty after a kill. */
const noteMs = 30_000

/** Milliseconds that an event of a long look waits for others, to be written in the order of their times. */
const holdMs = 1000

class RoomWatcher {
  readonly #read: WatchReader
  readonly #known = new Map<string, WatchedRoom>()
  /** The time in which nothing was seen of any room, if it is not written yet. */
  #gap: RoomEvent | undefined
  /** Why the look before, or this one, did not see what happened in it. */
  #pause: Pause | undefined
  /** The rooms that are still to be sighted after the clock was set back. */
  readonly #unsighted = new Set<string>()
  readonly #watchfulness: Watchfulness
  /** Events that are not written yet. */
  #held: RoomEvent[] = []
  #written: Promise<void> = Promise.resolve()
  readonly sight: Visibility
  /** As they were last seen; undefined before the first look. */
  rooms: Rooms | undefined
  /** The condition is settled, or stdout is closed. */
  isOver = false

  constructor(
    private readonly session: Session,
    private readonly watch: RoomWatch,
    private started: WatchRun,
  ) {
    this.#read = readerOf(session, watch, (was, is) => this.#note(was, is))
    this.sight = new Visibility(session.runtime)
    this.#watchfulness = new Watchfulness(session.runtime, watch.intervalMs)
  }

  async run(): Promise<void> {
    const {ids, intervalMs, budget} = this.watch
    await this.#readRooms()
    const rooms = this.#known
    this.rooms = rooms
    budget.takeSpent()
    checkFirst(this.session, this.watch, rooms)
    const what = ids.length === 1 ? `room ${ids[0]}` : counted(rooms.size, 'room')
    this.session.progress(`${questionOn(this.session, 'room', `watching ${what}`)} every ${formatDuration(intervalMs)}`)
    this.isOver = this.#endsWith(rooms)
    if (this.isOver) return
    await this.noteLook()
    const stops = [
      this.#every(noteMs, () => this.noteLook()),
      this.session.runtime.every(holdMs, () => this.#checkPause()),
    ]
    const notes = await outageLine(this.session)
    await poll(this.session, {intervalMs, look: () => this.#look(), ...notes}).finally(() => {
      for (const stop of [...stops, notes.end]) stop()
    })
  }

  #every(ms: number, write: () => Promise<void>): () => void {
    return this.session.runtime.every(ms, () => {
      this.#written = write()
      // It is thrown by the look that waits for it.
      this.#written.catch(() => undefined)
    })
  }

  async #readRooms(before?: Rooms): Promise<Failure | undefined> {
    await this.#written
    const write = (isDone = false) => writeEvents(this.session, this.#takeHeld(isDone))
    const stop = this.#every(holdMs, write)
    try {
      return await this.sight.during(() => this.#read(before))
    } finally {
      stop()
      await write(true)
    }
  }

  async #look(): Promise<PollResult> {
    this.#checkPause()
    await this.#endSetBack()
    const {seen, trouble: before} = this.sight
    const why = before?.facts.message ?? this.#pause?.why
    this.#gap = why === undefined ? undefined : gapFrom(seen, why)
    this.#pause = undefined
    const trouble = await this.#readRooms(new Map(this.#known))
    this.isOver = this.#endsWith(this.#known)
    return {isLast: this.isOver, trouble, budgetMs: this.watch.budget.takeSpent()}
  }

  /** A look that was paused may have read before or after that: its time is a gap, and so is the time from it to the next. */
  #checkPause(): void {
    const pause = this.#watchfulness.check()
    if (!pause) return
    this.#pause = this.#pause?.setBack ? this.#pause : pause
    this.#gap ??= pause.setBack ? undefined : gapFrom(this.sight.seen, pause.why)
  }

  /** Ends the run at a clock that was set back, and begins another: no line of a run is earlier than the one before. */
  async #endSetBack(): Promise<void> {
    const {setBack, why = ''} = this.#pause ?? {}
    if (!setBack) return
    const {ms, again} = setBack
    this.#pause = undefined
    this.#gap = undefined
    const gap = {...gapFrom(again.from, why), repeated: true, run: this.started.run}
    await writeEvents(this.session, [gap], new Date(again.to))
    this.started = {...this.started, run: this.session.runtime.now().toISOString()}
    this.sight.seen -= ms
    for (const [id, room] of this.#known) {
      this.#known.set(id, shifted(room, -ms))
      if (this.#isForPrograms && this.watch.initial) this.#unsighted.add(id)
    }
  }

  get #isForPrograms(): boolean {
    return this.session.output.format === 'ndjson'
  }

  #note(was: WatchedRoom | undefined, is: WatchedRoom | undefined): void {
    this.#checkPause()
    if (is) this.#known.set(is.row.room_id, is)
    else if (was) this.#known.delete(was.row.room_id)
    if (is?.unread) return
    if (is && this.#unsighted.has(is.row.room_id)) {
      if (was && peopleSince(is) === peopleSince(was)) return
      this.#unsighted.delete(is.row.room_id)
      this.#held.push(sighting(is, this.started))
    } else if (this.rooms) this.#held.push(...differences(was, is))
    else if (is && this.watch.initial) this.#held.push(sighting(is, this.started))
  }

  /** Unwritten events in the order of their times, after the outage, which ends with a complete poll. */
  #takeHeld(isDone: boolean): WatchEvent[] {
    this.#checkPause()
    const isSeen = this.#held.length > 0 || this.sight.trouble === undefined
    if (this.#gap && !(isDone && isSeen)) return []
    const events = this.#held.toSorted((one, other) => one.after - other.after)
    const gap = this.#gap
    this.#held = []
    this.#gap = undefined
    // Times from before and after the clock was set back cannot be in one event: the next look sights the rooms.
    if (this.#pause?.setBack && this.#isForPrograms) return []
    const named = events.map((event) => ({...event, run: event.run ?? this.started.run}))
    return gap ? [{...gap, run: this.started.run}, ...named] : named
  }

  /** Writes, for programs, until when the rooms are known to be as the events say: at least until their oldest reading. */
  async noteLook(isDone = false): Promise<void> {
    if (!this.rooms || !this.#isForPrograms) return
    const events = this.#takeHeld(isDone)
    if (this.#pause?.setBack) return isDone ? this.#endSetBack() : undefined
    const after = Array.from(this.rooms.values()).reduce(
      (least, room) => Math.min(least, peopleSince(room)),
      this.sight.seen,
    )
    await writeEvents(this.session, [...events, {event: 'looked', after, ...this.started}])
  }

  #endsWith(rooms: Rooms): boolean {
    const {ids, until} = this.watch
    const {stdout, now} = this.session.runtime
    if (stdout.closed) return true
    if (!until) return ids.length > 0 && ids.every((id) => !rooms.has(id))
    return impossibility(this.watch, rooms) !== undefined || isUntilMet(until, rooms, now())
  }
}

/** Writes a gap at the end of a watch, and returns the Failure if its time ran out. */
async function endWatch(
  session: Session,
  {until, intervalMs}: RoomWatch,
  {sight, rooms}: Pick<RoomWatcher, 'sight' | 'rooms'>,
): Promise<Failure | undefined> {
  if (!rooms) {
    return failureWith('network', '--timeout expired before the service was reached', {
      code: 'unseen',
      try: 'use a longer --timeout, or: roomctl doctor',
      retryable: true,
    })
  }
  const trouble = sight.lost(intervalMs)
  const unread = () => Array.from(rooms.values()).flatMap((room) => (room.unread ? [gapOf(room, room.unread)] : []))
  await writeEvents(session, trouble ? [gapFrom(sight.seen, trouble.facts.message)] : unread())
  if (trouble) {
    return failureWith('temporary', 'the watch ended during an outage of the service', {
      code: 'unseen',
      why: `${trouble.facts.message}; the gap event says since when nothing was seen`,
      try: 'roomctl doctor',
      retryable: true,
    })
  }
  if (!until) return undefined
  const why = whyNot(failing(until, rooms, session.runtime.now()))
  const advice = 'use a longer --timeout, or none'
  return failureWith('waited', '--timeout expired before --until was true', {why, try: advice})
}

function gapFrom(after: number, why: string): RoomEvent {
  return {event: 'gap', after, room_id: null, name: null, why}
}

function readerOf(session: Session, watch: RoomWatch, note: Reading['note']): WatchReader {
  const {ids, where, until, budget, intervalMs} = watch
  // A condition on all rooms at once needs a complete poll, however long it takes.
  const isWhole = until !== undefined && ids.length > 0
  const callsPerLook = isWhole ? Number.POSITIVE_INFINITY : Math.floor(intervalMs / budget.distanceMs)
  const reading = {session: session.rateLimited(budget.acquire), budget, callsPerLook, note}
  return ids.length > 0 ? namedRooms(reading, ids) : listedRooms(reading, {where, until})
}

/** `after` is rounded down and `at` up: what happened did so between the two. */
async function writeEvents(
  {runtime, output, view, secrets}: Session,
  events: readonly WatchEvent[],
  when = runtime.now(),
): Promise<void> {
  const at = secondAfter(when.getTime())
  const arrow = view.plain ? 'to' : '→'
  const line = (event: WatchEvent) => {
    if (output.format === 'ndjson') return jsonLine({at, ...event, after: utcSecond(event.after)})
    return event.event === 'looked' ? '' : personLine(event)
  }
  const personLine = (event: RoomEvent) => {
    const room = event.room_id ?? 'all rooms'
    if (!runtime.stdout.isTerminal || !event.name) return watchLine(at, room, describeEvent(event, arrow), view)
    return watchLine(at, `${room} "${shortly(event.name)}"`, describeEvent({...event, name: null}, arrow), view)
  }
  const shown = events.map((event) => (event.event === 'gap' ? {...event, why: secrets.mask(event.why)} : event))
  await runtime.stdout.write(shown.map(line).join(''))
}
