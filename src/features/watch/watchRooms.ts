import {questionOn} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith, onFailure} from '../../failure.js'
import type {RoomFilter} from '../../selection/roomFilter.js'
import {formatDuration} from '../../text/quantity.js'
import {counted, shortly} from '../../text/text.js'
import {utcSecond} from '../../text/time.js'
import {jsonLine} from '../../view/format/json.js'
import {watchLine} from '../../view/room/changes.js'
import {notePresence} from '../bulk/readRooms.js'
import {describeEvent, differences, gapOf, type RoomEvent, secondAfter} from './differences.js'
import type {LimitedSession} from './flags.js'
import {outageNotes, type PollResult, poll} from './poll.js'
import {checkFirst, impossibility, isUntilMet, type UntilStatus, whyNot} from './until.js'
import {Visibility, Watchfulness} from './visibility.js'
import {listedRooms, namedRooms, type Rooms, shifted, type WatchedRoom, type WatchReader} from './watchReaders.js'

export interface RoomWatch extends UntilStatus {
  /** The rooms of the list to watch if none is named. */
  readonly where?: RoomFilter | undefined
  readonly intervalMs: number
}

/**
 * Writes the events of rooms to stdout, one per line, until all have a state of `states`, the named ones are gone, stdout is closed, or
 * the session ends. Throws Failure (waited) if its time runs out first, or no room can reach the state, (temporary) if that happens during
 * an outage, or no answer ever came, (missing) for a named room that does not exist, and any permanent failure.
 */
export async function watchRooms({session, ranOut}: LimitedSession, watch: RoomWatch): Promise<void> {
  const {runtime} = session
  const watcher = new RoomWatcher(session, watch)
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
}

/** Milliseconds between checks of the clocks. */
const checkMs = 1000

class RoomWatcher {
  readonly #read: WatchReader
  readonly #known = new Map<string, WatchedRoom>()
  /** The time in which nothing was seen of any room, if it is not written yet. */
  #gap: RoomEvent | undefined
  readonly #watchfulness: Watchfulness
  readonly #unclear = new Set<string>()
  /** Events of this poll. */
  #held: RoomEvent[] = []
  readonly sight: Visibility
  /** As they were last seen; undefined before the first poll. */
  rooms: Rooms | undefined
  /** All rooms have the state or cannot reach it, or stdout is closed. */
  isOver = false

  constructor(
    private readonly session: Session,
    private readonly watch: RoomWatch,
  ) {
    const note = (was?: WatchedRoom, is?: WatchedRoom) => this.#note(was, is)
    const reading = {session, note, unclear: this.#unclear}
    this.#read = watch.ids.length > 0 ? namedRooms(reading, watch.ids) : listedRooms(reading, watch.where)
    this.sight = new Visibility(session.runtime)
    this.#watchfulness = new Watchfulness(session.runtime, watch.intervalMs)
  }

  async run(): Promise<void> {
    const {ids, intervalMs} = this.watch
    await this.#readRooms()
    this.rooms = this.#known
    checkFirst(this.session, this.watch, this.rooms)
    const rooms = ids.length === 1 ? `room ${ids[0]}` : counted(this.rooms.size, 'room')
    this.session.progress(
      `${questionOn(this.session, 'room', `watching ${rooms}`)} every ${formatDuration(intervalMs)}`,
    )
    notePresence(this.session, [...this.#unclear])
    this.isOver = this.#endsWith(this.rooms)
    if (this.isOver) return
    const stop = this.session.runtime.every(checkMs, () => this.#checkPause())
    const notes = outageNotes(this.session)
    await poll(this.session, {intervalMs, look: () => this.#look(), ...notes}).finally(stop)
  }

  async #look(): Promise<PollResult> {
    this.#checkPause()
    const {seen, trouble: before} = this.sight
    if (before) this.#gap = gapFrom(seen, before.facts.message)
    const trouble = await this.#readRooms(new Map(this.#known))
    this.isOver = this.#endsWith(this.#known)
    return {isLast: this.isOver, trouble}
  }

  async #readRooms(before?: Rooms): Promise<Failure | undefined> {
    try {
      return await this.sight.during(() => this.#read(before))
    } finally {
      await writeEvents(this.session, this.#takeHeld())
    }
  }

  /** After a clock that was set back, no event may begin before it ends: the earlier times move with it. */
  #checkPause(): void {
    const {why, setBackMs} = this.#watchfulness.check()
    if (setBackMs > 0) {
      this.sight.seen -= setBackMs
      for (const [id, room] of this.#known) this.#known.set(id, shifted(room, -setBackMs))
    }
    if (why !== undefined) this.#gap ??= gapFrom(this.sight.seen, why)
  }

  #note(was: WatchedRoom | undefined, is: WatchedRoom | undefined): void {
    if (is) this.#known.set(is.row.room_id, is)
    else if (was) this.#known.delete(was.row.room_id)
    if (this.rooms && !is?.unread) this.#held.push(...differences(was, is))
  }

  /** The events of a poll in the order of their times, after the gap that it ended. */
  #takeHeld(): RoomEvent[] {
    this.#checkPause()
    if (!this.rooms || (this.#held.length === 0 && this.sight.trouble)) return []
    const events = this.#held.toSorted((one, other) => one.after - other.after)
    const gaps = this.#gap ? [this.#gap] : []
    this.#held = []
    this.#gap = undefined
    return [...gaps, ...events]
  }

  #endsWith(rooms: Rooms): boolean {
    const {ids, states} = this.watch
    if (this.session.runtime.stdout.closed) return true
    if (!states) return ids.length > 0 && ids.every((id) => !rooms.has(id))
    return impossibility(this.watch, rooms) !== undefined || isUntilMet(states, rooms)
  }
}

/** Writes a gap at the end of a watch, and returns the Failure if its time ran out. */
async function endWatch(
  session: Session,
  {states, intervalMs}: RoomWatch,
  {sight, rooms}: Pick<RoomWatcher, 'sight' | 'rooms'>,
): Promise<Failure | undefined> {
  const trouble = sight.lost(intervalMs)
  const unread = [...(rooms?.values() ?? [])].flatMap((room) => (room.unread ? [gapOf(room, room.unread)] : []))
  if (rooms) await writeEvents(session, trouble ? [gapFrom(sight.seen, trouble.facts.message)] : unread)
  if (trouble || !rooms) {
    return failureWith('temporary', 'the watch ended without a view of the service', {
      code: 'unseen',
      why: trouble?.facts.message ?? 'it did not answer before --timeout expired',
      try: {command: ['doctor']},
      retryable: true,
    })
  }
  if (!states) return undefined
  return failureWith('waited', `--timeout expired before all rooms were ${states.join(' or ')}`, {
    why: whyNot(states, rooms),
    try: 'use a longer --timeout, or none',
  })
}

function gapFrom(after: number, why: string): RoomEvent {
  return {event: 'gap', after, room_id: null, name: null, why}
}

/** `after` is rounded down and `at` up: what happened did so between the two. */
async function writeEvents({runtime, output, view, secrets}: Session, events: readonly RoomEvent[]): Promise<void> {
  const now = runtime.now().getTime()
  const at = secondAfter(now)
  const arrow = view.plain ? 'to' : '→'
  const line = (event: RoomEvent) => {
    if (output.format === 'ndjson') return jsonLine({at, ...event, after: utcSecond(Math.min(event.after, now))})
    const room = event.room_id ?? 'all rooms'
    if (!runtime.stdout.isTerminal || !event.name) return watchLine(at, room, describeEvent(event, arrow), view)
    return watchLine(at, `${room} "${shortly(event.name)}"`, describeEvent({...event, name: null}, arrow), view)
  }
  const shown = events.map((event) => (event.event === 'gap' ? {...event, why: secrets.mask(event.why)} : event))
  await runtime.stdout.write(shown.map(line).join(''))
}
