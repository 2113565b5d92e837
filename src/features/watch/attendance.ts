import {getOrMake} from '../../text/text.js'
import type {AttendanceRow} from '../../view/room/attendance.js'
import type {TimelineRow} from '../../view/room/timeline.js'
import {Presence} from './presence.js'
import {PresenceCells, type TimeAxis} from './presenceCells.js'
import type {RecordedEvent} from './recordedEvents.js'
import type {Span, Stretch} from './sessions.js'

/** A recording without a break: from the sightings of a start of the watch to the next. */
class Run {
  /** Until when all its rooms are as the events say. */
  looked = Number.NEGATIVE_INFINITY
  lastAt = 0
  isLeft = false
  readonly rooms = new Set<Room>()
}

/** The sightings of a room by a run. */
interface Watching {
  /** Until when the room is as the events of this run say. */
  seen: number
  /** The time from which users without an event were absent; undefined without the sightings of --initial. */
  completeSince?: number
  /** The last stretch in which it saw nothing. */
  gap?: Stretch
}

class Room {
  readonly people = new Map<string, Presence<Run>>()
  readonly meeting: Presence<Run>
  readonly watching = new Map<Run, Watching>()
  /** When ended runs, merged into one, saw all present users. */
  #past: Stretch | undefined

  constructor(
    readonly id: string,
    private readonly span: Span,
    private readonly axis: TimeAxis | undefined,
  ) {
    this.meeting = new Presence(span)
  }

  watchedBy(run: Run): Watching {
    run.rooms.add(this)
    return getOrMake(this.watching, run, () => ({seen: Number.NEGATIVE_INFINITY}))
  }

  /** Until then no run has anything to add. */
  settled(): number {
    let least = Number.POSITIVE_INFINITY
    for (const [run, {seen}] of this.watching) least = Math.min(least, Math.max(seen, run.looked))
    return least
  }

  presenceOf(user: string): Presence<Run> {
    return getOrMake(this.people, user, () => {
      const made = new Presence<Run>(this.span, this.axis && new PresenceCells(this.axis))
      if (this.#past) {
        made.know(past, 'out', this.#past.from)
        made.end(past, this.#past.to)
      }
      for (const [run, {completeSince, gap}] of this.watching) {
        if (completeSince !== undefined) made.know(run, 'out', completeSince)
        if (gap) made.miss(run, gap.from, gap.to)
      }
      return made
    })
  }

  all(): Presence<Run>[] {
    return [this.meeting, ...this.people.values()]
  }

  /** Gaps may overlap: that of one room, and that of all. */
  miss(run: Run, from: number, to: number): void {
    const watching = this.watchedBy(run)
    const {gap} = watching
    watching.gap = gap && from <= gap.to ? {from: Math.min(from, gap.from), to: Math.max(to, gap.to)} : {from, to}
    const settled = this.settled()
    for (const one of this.all()) {
      one.miss(run, from, to)
      one.settle(settled)
    }
  }

  end(run: Run): void {
    const {seen, completeSince} = this.watchedBy(run)
    const until = Math.max(seen, run.looked)
    for (const one of this.all()) one.end(run, until)
    this.watching.delete(run)
    if (completeSince === undefined) return
    const {from, to} = this.#past ?? {from: completeSince, to: until}
    this.#past = {from: Math.min(from, completeSince), to: Math.max(to, until)}
  }
}

/** The key of what a Room knows from runs that have ended. */
const past = new Run()

/** A watch writes at least once a minute: an interrupted run continues in another file within this time, in milliseconds, or has ended. */
const silentMs = 300_000

export interface AttendanceChoice extends Span {
  readonly rooms?: ReadonlySet<string> | undefined
  readonly users?: ReadonlySet<string> | undefined
  /** The share of a room's time in MEETING that a user must certainly have been present. */
  readonly threshold?: number | undefined
  /** Adds `timeline`, the presence of each user over time. */
  readonly axis?: TimeAxis | undefined
}

/** Presence in rooms, with certain and possible times: a fold over the events of `room watch` in the order of their times. */
export class Attendance {
  readonly #rooms = new Map<string, Room>()
  readonly #runs = new Map<unknown, Run>()
  events = 0

  constructor(private readonly choice: AttendanceChoice) {}

  /** `key` distinguishes the runs. */
  read(event: RecordedEvent, key: unknown): void {
    this.events += 1
    const run = this.#runOf(key, event.at)
    const {rooms, axis, since, until} = this.choice
    axis?.cover(Math.max(event.after, since), Math.min(event.at, until))
    if (event.event === 'looked') run.looked = Math.max(run.looked, event.after)
    else if (event.event === 'gap') this.#miss(event, run)
    else if (event.room_id != null && (rooms?.has(event.room_id) ?? true)) this.#happen(event, event.room_id, run)
  }

  #runOf(key: unknown, at: number): Run {
    const run = getOrMake(this.#runs, key, () => new Run())
    run.lastAt = at
    run.isLeft = false
    if (this.#runs.size > 1) {
      for (const [other, {lastAt, isLeft}] of this.#runs) if (isLeft && lastAt < at - silentMs) this.#end(other)
    }
    return run
  }

  /** The run has no more events, as far as is known. */
  leave(key: unknown): void {
    const run = this.#runs.get(key)
    if (run) run.isLeft = true
  }

  #end(key: unknown): void {
    const run = this.#runs.get(key)
    this.#runs.delete(key)
    for (const room of run?.rooms ?? []) if (run) room.end(run)
  }

  #happen(event: RecordedEvent, id: string, run: Run): void {
    const room = getOrMake(this.#rooms, id, () => new Room(id, this.choice, this.choice.axis))
    const known = room.watching.get(run)
    const watching = room.watchedBy(run)
    if (event.present) this.#sight(room, run, event, known)
    else if (event.event === 'room-appeared') {
      for (const one of room.people.values()) one.know(run, 'out', event.after)
      watching.completeSince ??= event.after
    } else if (event.event === 'room-went') {
      for (const one of room.all()) if (one.latest(run) !== 'out') one.change(run, 'out', event.after, event.at)
    } else this.#move(room, run, event)
    noteState(room, run, event)
    watching.seen = Math.max(watching.seen, event.after)
  }

  /** The complete set of present users, at the start of a run, or when it chooses a room. */
  #sight(room: Room, run: Run, {at, present = []}: RecordedEvent, known: Watching | undefined): void {
    if (known) room.miss(run, Math.max(known.seen, run.looked), at)
    const there = new Set(present)
    for (const [user, one] of room.people) if (!there.has(user)) one.know(run, 'out', at)
    for (const user of there) if (this.#isChosen(user)) room.presenceOf(user).know(run, 'in', at)
    room.watchedBy(run).completeSince ??= at
  }

  #move(room: Room, run: Run, {event, after, at, user_id: user}: RecordedEvent): void {
    if (typeof user !== 'string' || !this.#isChosen(user) || (event !== 'joined' && event !== 'left')) return
    const one = room.presenceOf(user)
    const [to, before] = event === 'joined' ? (['in', 'out'] as const) : (['out', 'in'] as const)
    const latest = one.latest(run)
    // A reading that is in no event: who joins was not there when the room was last read, and who leaves was.
    if (latest === to) one.change(run, before, room.watchedBy(run).seen, after)
    else if (latest !== before) one.know(run, before, after)
    one.change(run, to, after, at)
    one.settle(room.settled())
  }

  #miss({room_id: id, after, at}: RecordedEvent, run: Run): void {
    for (const room of id == null ? run.rooms : [this.#rooms.get(id)]) {
      if (room?.watching.has(run)) room.miss(run, after, at)
    }
  }

  #isChosen(user: string): boolean {
    return this.choice.users?.has(user) ?? true
  }

  /** The result, once: present users stayed at least until the room was last seen. */
  rows(): AttendanceRow[] {
    return this.#people().map(({room, user, presence}) => rowOf(room.id, user, presence.sessions))
  }

  /** The result with the cells of the axis, once. */
  timeline(): TimelineRow[] {
    return this.#people().flatMap(({room, user, presence: {cells, sessions}}) => {
      cells?.fit()
      return cells ? [{...rowOf(room.id, user, sessions), cells}] : []
    })
  }

  #people() {
    return Array.from(this.#rooms.values()).flatMap((room) => {
      for (const run of [...room.watching.keys()]) room.end(run)
      for (const one of room.all()) one.finish()
      const least = this.#leastIn(room)
      return Array.from(room.people).flatMap(([user, presence]) => {
        const {sessions} = presence
        return sessions.count > 0 && sessions.least >= least ? [{room, user, presence}] : []
      })
    })
  }

  #leastIn({meeting: {sessions}}: Room): number {
    const {threshold} = this.choice
    if (threshold === undefined) return 0
    return sessions.length > 0 ? threshold * sessions.length : Number.POSITIVE_INFINITY
  }
}

function noteState({meeting}: Room, run: Run, {event, after, at, present, room_status: status}: RecordedEvent): void {
  if (event === 'room-went' || typeof status !== 'string') return
  const state = status === 'MEETING' ? 'in' : 'out'
  if (present) meeting.know(run, state, at)
  else if (meeting.latest(run) !== state) meeting.change(run, state, after, at)
}

function rowOf(room_id: string, user_id: string, one: Presence<Run>['sessions']): AttendanceRow {
  return {
    room_id,
    user_id,
    sessions: one.count,
    first_seen: timeOf(one.first),
    last_seen: timeOf(one.last),
    minutes_least: Math.floor(one.least / hundredthMs) / 100,
    minutes_most: one.most === null ? null : Math.ceil(one.most / hundredthMs) / 100,
    unseen_minutes: Math.ceil(one.unseen / hundredthMs) / 100,
  }
}

/** A hundredth of a minute, in milliseconds. */
const hundredthMs = 600

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
