import {getOrMake} from '../../text/text.js'
import type {AttendanceRow} from '../../view/room/attendance.js'
import type {RecordedEvent} from './recording.js'

/** What of the sessions counts, in milliseconds since 1970. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** A time that nobody watched. */
interface Gap {
  from: number
  to: number
}

/** Presence that has not ended: it began after `startAfter`, which is not known of the first sighting, and was seen at `startAt`. */
interface OpenSession {
  readonly startAfter: number | undefined
  readonly startAt: number
  /** How much of it nobody watched, and how much of the time in which it began. */
  unseen: number
  readonly unseenBefore: number
}

/** The sessions of one person in one room as sums, so that memory follows people and not events; times are in milliseconds. */
class Presence {
  sessions = 0
  first = Number.POSITIVE_INFINITY
  last = 0
  least = 0
  /** Null once a session is open at an end of the recording. */
  most: number | null = 0
  unseen = 0
  /** From the first sight to the last of each session. */
  length = 0
  open: OpenSession | undefined

  /** `gap`: the last of the room. */
  constructor(
    private readonly span: Span,
    private readonly gap: Gap,
  ) {}

  begin(startAfter: number | undefined, startAt: number): void {
    const {from, to} = this.gap
    const unseenBefore = startAfter === undefined ? 0 : this.#between(Math.max(startAfter, from), Math.min(startAt, to))
    this.open ??= {startAfter, startAt, unseen: 0, unseenBefore}
  }

  miss(from: number, to: number): void {
    const {open} = this
    if (open) open.unseen += this.#between(Math.max(from, open.startAt), to)
  }

  /** It ended after `endAfter`; `endAt` is not known of one that was there when it was last seen. */
  end(endAfter: number, endAt: number | undefined): void {
    const {open} = this
    if (!open) return
    this.open = undefined
    const {startAfter, startAt, unseen} = open
    const {since, until} = this.span
    const seenTo = Math.max(endAfter, startAt)
    if ((endAt ?? seenTo) <= since || (startAfter ?? startAt) >= until) return
    const [from, to] = [this.#clip(startAt), this.#clip(seenTo)]
    this.sessions += 1
    this.first = Math.min(this.first, from)
    this.last = Math.max(this.last, to)
    this.length += to - from
    // What was not watched before the first sight and after the last is no part of what is certain.
    this.unseen += unseen + open.unseenBefore
    const beyond = this.#between(Math.max(this.gap.from, seenTo), this.gap.to)
    this.least += Math.max(0, to - from - (unseen - beyond))
    const isOpenEnded = (startAfter === undefined && startAt > since) || (endAt === undefined && endAfter < until)
    const most = this.#between(startAfter ?? since, endAt ?? until)
    this.most = isOpenEnded || this.most === null ? null : this.most + most
  }

  #between(from: number, to: number): number {
    return Math.max(0, this.#clip(to) - this.#clip(from))
  }

  #clip(time: number): number {
    return Math.min(Math.max(time, this.span.since), this.span.until)
  }
}

/** A recording without a break: from the sightings of a start of the watch to the next. */
interface Run {
  /** Until when all its rooms are as the events say. */
  looked: number
}

class Room {
  readonly people = new Map<string, Presence>()
  readonly meeting: Presence
  readonly #gap: Gap = {from: 0, to: 0}
  #seen = 0

  constructor(
    readonly id: string,
    public run: Run,
    private readonly span: Span,
  ) {
    this.meeting = new Presence(span, this.#gap)
  }

  /** Gaps may overlap: that of one room, and that of all. */
  miss(from: number, to: number): void {
    const begin = Math.max(from, this.#gap.to)
    if (to <= begin) return
    for (const one of this.all()) one.miss(begin, to)
    if (from > this.#gap.to) this.#gap.from = from
    this.#gap.to = to
  }

  get seen(): number {
    return Math.max(this.#seen, this.run.looked)
  }

  see(after: number, run: Run): void {
    this.#seen = this.run === run ? Math.max(this.#seen, after) : Math.max(this.seen, after)
    this.run = run
  }

  presenceOf(user: string): Presence {
    return getOrMake(this.people, user, () => new Presence(this.span, this.#gap))
  }

  all(): Presence[] {
    return [this.meeting, ...this.people.values()]
  }
}

interface AttendanceChoice extends Span {
  readonly rooms?: ReadonlySet<string> | undefined
  readonly users?: ReadonlySet<string> | undefined
  /** The share of a room's time in MEETING that somebody must certainly have been there. */
  readonly threshold?: number | undefined
}

/** Who was in which room, from when to when and how surely: a fold over the events of `room watch`, runs in their order. */
export class Attendance {
  readonly #rooms = new Map<string, Room>()
  readonly #runs = new Map<string, Run>()
  /** That of the last event. */
  #run: Run = {looked: 0}
  #at = 0

  constructor(private readonly choice: AttendanceChoice) {}

  /** Gives back whether the event is not earlier than the one before. Without `run` it is of the run of that one. */
  read(event: RecordedEvent, run: string | undefined): boolean {
    const isLater = event.at >= this.#at
    this.#at = event.at
    if (run !== undefined) this.#run = getOrMake(this.#runs, run, () => ({looked: 0}))
    const {rooms} = this.choice
    if (event.event === 'looked') this.#run.looked = Math.max(this.#run.looked, event.after)
    else if (event.event === 'gap') this.#miss(event)
    else if (event.room_id != null && (rooms?.has(event.room_id) ?? true)) this.#happen(event, event.room_id)
    return isLater
  }

  #happen(event: RecordedEvent, id: string): void {
    const seen = this.#rooms.get(id)?.seen
    const room = getOrMake(this.#rooms, id, () => new Room(id, this.#run, this.choice))
    if (event.present) this.#sight(room, seen, event)
    // Nobody was in it then, whoever was when an earlier run ended.
    else if (event.event === 'room-appeared') for (const one of room.all()) one.end(seen ?? event.after, event.after)
    else if (event.event === 'room-went') for (const one of room.all()) one.end(event.after, event.at)
    else this.#move(room, event)
    room.see(event.after, this.#run)
    noteState(room, seen, event)
  }

  /** At the start of a run: whoever was there when the room was last seen, and is there now, never left as far as is known. */
  #sight(room: Room, seen: number | undefined, {at, present = []}: RecordedEvent): void {
    const there = new Set(present)
    if (seen !== undefined) room.miss(seen, at)
    for (const [user, one] of room.people) if (!there.has(user)) one.end(seen ?? at, at)
    for (const user of there) if (this.#isChosen(user)) room.presenceOf(user).begin(seen, at)
  }

  #move(room: Room, {event, after, at, user_id: user}: RecordedEvent): void {
    if (typeof user !== 'string' || !this.#isChosen(user)) return
    const one = room.presenceOf(user)
    if (event === 'joined') {
      // Who joins was not there when the room was last read.
      one.end(room.seen, after)
      one.begin(after, at)
    } else if (event === 'left') {
      // Without --initial, who was there from the beginning is known by leaving.
      one.begin(undefined, after)
      one.end(after, at)
    }
  }

  #miss({room_id: room, after, at}: RecordedEvent): void {
    const rooms = room == null ? this.#rooms.values() : [this.#rooms.get(room)]
    for (const one of rooms) {
      if (one?.run === this.#run) one.miss(after, at)
    }
  }

  #isChosen(user: string): boolean {
    return this.choice.users?.has(user) ?? true
  }

  /** The result, once: whoever is still there was there at least until the room was last seen. */
  rows(): AttendanceRow[] {
    return Array.from(this.#rooms.values()).flatMap((room) => {
      for (const one of room.all()) one.end(room.seen, undefined)
      const least = this.#leastIn(room)
      return Array.from(room.people).flatMap(([user, one]) =>
        one.sessions > 0 && one.least >= least ? [rowOf(room.id, user, one)] : [],
      )
    })
  }

  #leastIn({meeting}: Room): number {
    const {threshold} = this.choice
    if (threshold === undefined) return 0
    return meeting.length > 0 ? threshold * meeting.length : Number.POSITIVE_INFINITY
  }
}

function noteState({meeting}: Room, seen: number | undefined, event: RecordedEvent): void {
  const {after, at, present, room_status: status} = event
  if (event.event === 'room-went' || typeof status !== 'string') return
  if (status === 'MEETING') meeting.begin(after, at)
  else meeting.end(present ? (seen ?? after) : after, at)
}

function rowOf(room_id: string, user_id: string, one: Presence): AttendanceRow {
  return {
    room_id,
    user_id,
    sessions: one.sessions,
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
