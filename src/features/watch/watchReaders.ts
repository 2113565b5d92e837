import {Failure} from '../../api/contract/failure.js'
import {type AttendeeRecord, listRooms, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import {presenterIn} from '../../api/rules/room.js'
import type {Session} from '../../cli/session/session.js'
import type {Selector} from '../../selection/selector/selector.js'
import {exactJson} from '../../text/json.js'
import {noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'
import type {CallBudget} from './flags.js'

export interface WatchedState {
  readonly rooms: Rooms
  /** Why some of them are as they were before: they could not be read. */
  readonly trouble?: Failure | undefined
}

/** Looks at the rooms; `before` is the look before this one. Raises the Failure of a call that is not about one room alone. */
export type WatchReader = (before?: Rooms) => Promise<WatchedState>

export interface Reading {
  readonly session: Session
  /** Without one every room is read at every look. */
  readonly budget?: CallBudget | undefined
  /** How many calls of a look there is time for. */
  readonly callsPerLook: number
}

/** Reads rooms that were named (room §3), with a budget those read longest ago. Raises the Failure of the first where none can be read. */
export function namedRooms(reading: Reading, ids: readonly string[]): WatchReader {
  return async (before) => {
    const isDue = dueRooms(ids, before, Math.max(1, reading.callsPerLook))
    let isAnswered = false
    const state = await readEach(reading, before, ids, async (id, known) => {
      if (known && !isDue(id)) return known
      const {detail, at} = await detailOf(reading, id, before === undefined)
      isAnswered = true
      return detail && fromDetail(detail, at)
    })
    if (state.trouble && !isAnswered) throw state.trouble
    return state
  }
}

/** Which rooms of the list are watched, and what is awaited of them. */
interface Wanted {
  readonly where?: Selector | undefined
  readonly until?: Selector | undefined
}

/**
 * Reads the list (room §2) and, one by one, the rooms of which more must be known: those whose row has changed, at first all that
 * are not ENDED, those whose row leaves open what `where` or `until` asks, and, as far as the budget allows, those in a meeting,
 * since people are in no other. `where` chooses; a room once chosen stays.
 */
export function listedRooms(reading: Reading, {where, until}: Wanted): WatchReader {
  const {session, budget, callsPerLook} = reading
  const {bizId, concurrency} = session.resolved.values
  return async (before) => {
    await budget?.turn()
    const rowAt = session.runtime.now().getTime()
    const rows = await session.api.call(listRooms, {query: bizId ? {bizId} : {}})
    const now = session.runtime.now()
    const isKnown = ({room_id: id}: RoomSummary) => where === undefined || before?.has(id) === true
    const isOpen = (row: RoomSummary) =>
      (!isKnown(row) && where?.decides(row, now) === undefined) ||
      (until !== undefined && until.decides(row, now) === undefined)
    const isNeeded = (row: RoomSummary) => isOpen(row) || isOutdated(before?.get(row.room_id), row)

    const candidates = rows.filter((row) => isKnown(row) || where?.decides(row, now) !== false)
    const needed = candidates.filter(isNeeded)
    const meetings = candidates.filter((row) => row.room_status === 'MEETING' && !isNeeded(row))
    const isDue = dueRooms(
      meetings.map((row) => row.room_id),
      before,
      Math.max(1, callsPerLook - 1 - needed.length),
    )
    if (before === undefined) noteCalls(session, needed.length, concurrency)
    const byId = new Map([...needed, ...candidates].map((row) => [row.room_id, row]))
    const read = new Set([...needed.map((row) => row.room_id), ...meetings.map((row) => row.room_id).filter(isDue)])
    const {rooms, trouble} = await readEach(reading, before, [...byId.keys()], async (id, known) => {
      const row = byId.get(id)
      if (row === undefined) return undefined
      if (read.has(id)) return readListed(reading, {row, rowAt})
      return known ? {...known, row, rowAt} : fromRow({row, rowAt})
    })
    const isChosen = (room: WatchedRoom) => isKnown(room.row) || where?.matches(subjectOf(room), now) === true
    const listed = candidates.flatMap(({room_id: id}) => {
      const room = rooms.get(id)
      return room && isChosen(room) ? [[id, room] as const] : []
    })
    return {rooms: new Map(listed), trouble}
  }
}

/** The rooms of which `most` are read at a look: of more, those that were read longest ago. */
function dueRooms(ids: readonly string[], before: Rooms | undefined, most: number): (id: string) => boolean {
  if (ids.length <= most) return () => true
  const readAt = (id: string) => before?.get(id)?.peopleAt ?? 0
  const due = new Set(ids.toSorted((one, other) => readAt(one) - readAt(other)).slice(0, most))
  return (id) => due.has(id)
}

function isOutdated(known: WatchedRoom | undefined, row: RoomSummary): boolean {
  if (known === undefined) return row.room_status !== 'ENDED'
  return known.unread !== undefined || exactJson(row) !== exactJson(known.row)
}

/** A room whose id no path can carry keeps its row. */
async function readListed(reading: Reading, listed: ListedRow): Promise<WatchedRoom | undefined> {
  try {
    const {detail, at} = await detailOf(reading, listed.row.room_id, false)
    return detail && fromDetail(detail, at, listed)
  } catch (error) {
    if (error instanceof Failure && error.facts.exit === 'usage') return fromRow(listed)
    throw error
  }
}

/** Undefined where there is no room. A 404 without CE002 may come from a proxy: it is believed only if `trusting`. */
async function detailOf(
  {session, budget}: Reading,
  roomId: string,
  trusting: boolean,
): Promise<{readonly detail: RoomDetail | undefined; readonly at: number}> {
  await budget?.turn()
  const at = session.runtime.now().getTime()
  try {
    return {detail: await readRoom(session, roomId), at}
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.exit !== 'missing') throw error
    if (trusting || error.facts.code === 'CE002') return {detail: undefined, at}
    throw error
  }
}

/** Reads several at once. A room that cannot be read just now stays as it was; at first there is nothing it could stay. */
async function readEach(
  {session}: Reading,
  before: Rooms | undefined,
  ids: readonly string[],
  read: (id: string, known: WatchedRoom | undefined) => Promise<WatchedRoom | undefined>,
): Promise<WatchedState> {
  const found = await readRooms(ids, (id) => read(id, before?.get(id)), {
    concurrency: session.resolved.values.concurrency,
    keeps: (failure) => before !== undefined && mayPass(failure),
  })
  const rooms = found.flatMap((one, at) => {
    const known = before?.get(ids[at] ?? '')
    const room = one instanceof Failure ? known && {...known, unread: one} : one
    return room ? [[room.row.room_id, room] as const] : []
  })
  return {rooms: new Map(rooms), trouble: found.find((one) => one instanceof Failure)}
}

/** Whether what went wrong may pass by itself, so that a watch goes on. */
export function mayPass({facts}: Failure): boolean {
  return facts.exit === 'temporary' || facts.exit === 'network' || facts.exit === 'missing'
}

export interface Person {
  readonly isPresent: boolean
  readonly isHost: boolean
  /** Put on the list by somebody, and not by entering. */
  readonly isListed: boolean
}

/** What a watch remembers of a room: one look, so that a day of it takes no more memory than an hour. */
export interface WatchedRoom {
  readonly row: RoomSummary
  /** When the reading began that `row` is of, in milliseconds since 1970: whatever is not in it happened after that. */
  readonly rowAt: number
  /** By their ids; undefined while the room's detail was not read. */
  readonly people: ReadonlyMap<string, Person> | undefined
  /** When the reading began that they are of. */
  readonly peopleAt: number
  /** `present_count` of the detail. */
  readonly presentCount: number | undefined
  /** Null for nobody, or if the service does not show it. */
  readonly presenter: string | null
  /** Why it is unchanged: it could not be read. */
  readonly unread?: Failure | undefined
}

export type Rooms = ReadonlyMap<string, WatchedRoom>

export interface ListedRow {
  readonly row: RoomSummary
  readonly rowAt: number
}

export function fromRow({row, rowAt}: ListedRow): WatchedRoom {
  return {row, rowAt, people: undefined, peopleAt: rowAt, presentCount: undefined, presenter: null}
}

/** A room with its detail (room §3) since `from`; `listed` has its fields if they came from the list. */
export function fromDetail(
  {attendees, attendee_count: count, ...fields}: RoomDetail,
  at: number,
  listed?: ListedRow,
): WatchedRoom {
  return {
    row: listed?.row ?? fields,
    rowAt: listed?.rowAt ?? at,
    people: new Map((attendees ?? []).map((attendee) => [attendee.user_id, personOf(attendee)])),
    peopleAt: at,
    presentCount: count?.present_count == null ? undefined : Number(count.present_count),
    presenter: presenterIn(fields.metadata) ?? null,
  }
}

export function subjectOf({row, presentCount}: WatchedRoom) {
  return {...row, present_count: presentCount}
}

export function watchedHost({people}: WatchedRoom): string | null {
  for (const [user, {isHost}] of people ?? []) if (isHost) return user
  return null
}

export function watchedPresent({people}: WatchedRoom): string[] {
  return Array.from(people ?? []).flatMap(([user, {isPresent}]) => (isPresent ? [user] : []))
}

function personOf(attendee: AttendeeRecord): Person {
  return {
    isPresent: attendee.is_present === true,
    isHost: attendee.is_host === true,
    isListed: attendee.is_reserved === true || attendee.is_invited === true,
  }
}
