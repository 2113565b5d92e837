import {type AttendeeRecord, listRooms, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import {isPresenceUnclear, presentCount} from '../../api/contract/roomFacts.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, onFailure} from '../../failure.js'
import type {RoomFilter} from '../../selection/roomFilter.js'
import {noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'

/**
 * Polls the rooms; `before` are their last states. Returns why some were not read. Throws the Failure of a call that is not about
 * one room alone.
 */
export type WatchReader = (before?: Rooms) => Promise<Failure | undefined>

export interface Reading {
  readonly session: Session
  /** Called with the last and the new state of a room. */
  readonly note: (was: WatchedRoom | undefined, is: WatchedRoom | undefined) => void
  /** The rooms whose counts of present users differ. */
  readonly unclear: Set<string>
}

/** Reads named rooms (room §3). Throws the first Failure if none can be read. */
export function namedRooms(reading: Reading, ids: readonly string[]): WatchReader {
  const absentAt = new Map<string, number>()
  return (before) => {
    let isAnswered = false
    if (before === undefined) noteCalls(reading.session, ids.length)
    const read = async (id: string) => {
      const {detail, at} = await detailOf(reading, id, before === undefined)
      isAnswered = true
      if (!detail) absentAt.set(id, at)
      return detail && {...fromDetail(detail, at), vacantAt: absentAt.get(id)}
    }
    return readEach(reading, before, {ids, read, isAnswered: () => isAnswered})
  }
}

/**
 * Reads the list (room §2) and, one by one, details of rooms whose state has changed (at first of all that are not ENDED), whose row does not
 * decide `where`, and of those in a meeting, since all others are empty. `where` chooses; a room once chosen stays.
 */
export function listedRooms(reading: Reading, where: RoomFilter | undefined): WatchReader {
  const {session, note} = reading
  const {bizId} = session.resolved.values
  let earlier: ReadList | undefined
  return async (before) => {
    const rowAt = session.runtime.now().getTime()
    const rows = await session.api.call(listRooms, {query: bizId ? {bizId} : {}})
    const now = session.runtime.now()
    const isKnown = ({room_id: id}: RoomSummary) => where === undefined || before?.has(id) === true
    const isOpen = (row: RoomSummary) => !isKnown(row) && where?.decides(row, now) === undefined
    const isNeeded = (row: RoomSummary) =>
      row.room_status === 'MEETING' || isOpen(row) || isOutdated(before?.get(row.room_id), row)

    const candidates = rows.filter((row) => isKnown(row) || where?.decides(row, now) !== false)
    const needed = candidates.filter(isNeeded)
    if (before === undefined) noteCalls(session, needed.length)
    const listed = new Set(rows.map(idOf))
    for (const [id, room] of before ?? []) if (!listed.has(id)) note(room, undefined)
    const byId = new Map([...needed, ...candidates].map((row) => [row.room_id, row]))
    const due = new Set(needed.map(idOf))
    const vacantAt = vacancies(earlier)
    earlier = {at: rowAt, rows}
    const isChosen = (room: WatchedRoom) =>
      isKnown(room.row) || where?.misfit(room.row, now, room.presentCount ?? Number.NaN) === undefined
    const read = async (id: string, known: WatchedRoom | undefined) => {
      const row = byId.get(id)
      if (row === undefined) return undefined
      const kept = {...(known ?? fromRow({row, rowAt})), row, rowAt}
      const room = due.has(id) ? await readListed(reading, {row, rowAt}) : kept
      return room && isChosen(room) ? {...room, vacantAt: vacantAt(id)} : undefined
    }
    return readEach(reading, before, {ids: [...byId.keys()], read})
  }
}

function idOf(row: RoomSummary): string {
  return row.room_id
}

interface ReadList {
  readonly at: number
  readonly rows: readonly RoomSummary[]
}

/** Start of the last list read that showed the room empty: missing from the list, or in an empty state. */
function vacancies({at, rows}: Partial<ReadList> = {}): (id: string) => number | undefined {
  const occupied = new Set(rows?.filter((row) => !isVacant(row)).map((row) => row.room_id))
  return (id) => (occupied.has(id) ? undefined : at)
}

/** Rooms of these states are empty (room, States). */
const vacantStates: ReadonlySet<unknown> = new Set(['RESERVED', 'IDLE', 'ENDED'])

export function isVacant({room_status: status}: RoomSummary): boolean {
  return vacantStates.has(status)
}

function isOutdated(known: WatchedRoom | undefined, row: RoomSummary): boolean {
  if (known === undefined) return row.room_status !== 'ENDED'
  return known.unread !== undefined || row.room_status !== known.row.room_status
}

/** A room whose id fits no path keeps its row. */
function readListed(reading: Reading, listed: ListedRow): Promise<WatchedRoom | undefined> {
  const isUnsendable = ({facts}: Failure) => facts.exit === 'usage'
  return detailOf(reading, listed.row.room_id, false).then(
    ({detail, at}) => detail && fromDetail(detail, at, listed),
    onFailure(isUnsendable, () => fromRow(listed)),
  )
}

/** Undefined if there is no room. A 404 without CE002 may come from a proxy: it counts only if `trusting`. */
async function detailOf(
  {session, unclear}: Reading,
  roomId: string,
  trusting: boolean,
): Promise<{readonly detail: RoomDetail | undefined; readonly at: number}> {
  const at = session.runtime.now().getTime()
  const isGone = ({facts}: Failure) => facts.exit === 'missing' && (trusting || facts.code === 'CE002')
  const detail = await readRoom(session, roomId).catch(onFailure(isGone, () => undefined))
  if (detail && isPresenceUnclear(detail)) unclear.add(roomId)
  return {detail, at}
}

interface Look {
  readonly ids: readonly string[]
  readonly read: (id: string, known: WatchedRoom | undefined) => Promise<WatchedRoom | undefined>
  /** Whether the service has answered at all. */
  readonly isAnswered?: () => boolean
}

/** Reads several at once. A room that cannot be read keeps its last state, if any. */
async function readEach(
  {session, note}: Reading,
  before: Rooms | undefined,
  {ids, read, isAnswered = () => true}: Look,
): Promise<Failure | undefined> {
  const readOne = async (id: string) => {
    const known = before?.get(id)
    note(known, await read(id, known))
  }
  const results = await readRooms(session, ids, readOne, {
    concurrency: session.resolved.values.concurrency,
    keeps: (failure) => before !== undefined && mayPass(failure),
  })
  const trouble = results.find((result) => result instanceof Failure)
  if (trouble && !isAnswered()) throw trouble
  for (const [at, unread] of results.entries()) {
    const known = before?.get(ids[at] ?? '')
    if (unread instanceof Failure && known) note(known, {...known, unread})
  }
  return trouble
}

/** Whether a failure is temporary, so that the watch continues. */
export function mayPass({facts}: Failure): boolean {
  return facts.exit === 'temporary' || facts.exit === 'network' || facts.exit === 'missing'
}

export interface Person {
  readonly isPresent: boolean
  readonly isHost: boolean
}

/** The last state of a room: one poll, so that a day takes no more memory than an hour. */
export interface WatchedRoom {
  readonly row: RoomSummary
  /** When the reading began that `row` is of, in milliseconds since 1970: whatever is not in it happened after that. */
  readonly rowAt: number
  /** By their ids; undefined while the room's detail was not read. */
  readonly people: ReadonlyMap<string, Person> | undefined
  /** When the reading began that they are of. */
  readonly peopleAt: number
  /** How many users are present, by the detail. */
  readonly presentCount: number | undefined
  /** Why it is unchanged: it could not be read. */
  readonly unread?: Failure | undefined
  /** For a new room: the start of a reading that showed it empty; undefined if users may have been in it. */
  readonly vacantAt?: number | undefined
}

/** The room with its times shifted by a change of the clock. */
export function shifted({rowAt, peopleAt, vacantAt: _, ...room}: WatchedRoom, ms: number): WatchedRoom {
  return {...room, rowAt: rowAt + ms, peopleAt: peopleAt + ms}
}

export type Rooms = ReadonlyMap<string, WatchedRoom>

export interface ListedRow {
  readonly row: RoomSummary
  readonly rowAt: number
}

export function fromRow({row, rowAt}: ListedRow): WatchedRoom {
  return {row, rowAt, people: undefined, peopleAt: rowAt, presentCount: undefined}
}

/** A room with its detail (room §3) since `from`; `listed` has its fields if they came from the list. */
export function fromDetail(
  {attendees, attendee_count, ...fields}: RoomDetail,
  at: number,
  listed?: ListedRow,
): WatchedRoom {
  return {
    row: listed?.row ?? fields,
    rowAt: listed?.rowAt ?? at,
    people: new Map((attendees ?? []).map((attendee) => [attendee.user_id, personOf(attendee)])),
    peopleAt: at,
    presentCount: presentCount({attendees, attendee_count}),
  }
}

export function watchedHost({people}: WatchedRoom): string | null {
  for (const [user, {isHost}] of people ?? []) if (isHost) return user
  return null
}

export function watchedPresent({people}: WatchedRoom): string[] {
  return Array.from(people ?? []).flatMap(([user, {isPresent}]) => (isPresent ? [user] : []))
}

function personOf(attendee: AttendeeRecord): Person {
  return {isPresent: attendee.is_present === true, isHost: attendee.is_host === true}
}
