import {Failure} from '../../api/contract/failure.js'
import {listRooms, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import type {Selector} from '../../selection/selector/selector.js'
import {noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'
import {fromDetail, fromRow, type Rooms, subjectOf, type WatchedRoom} from './watchedRoom.js'

/** One look at the rooms. */
export interface WatchedState {
  readonly rooms: Rooms
  /** Why some of them stand as they were before: they could not be read. */
  readonly trouble?: Failure | undefined
}

/** Looks at the rooms; `before` is the look before this one. Raises the Failure of a call that is not about one room alone. */
export type WatchReader = (before?: Rooms) => Promise<WatchedState>

/** Reads rooms that were named, one call each (room §3). Those that do not exist are left out. */
export function namedRooms(session: Session, ids: readonly string[]): WatchReader {
  return (before) =>
    readEach(session, before, ids, async (id) => {
      const detail = await detailOf(session, id, before === undefined)
      return detail && fromDetail(detail)
    })
}

/** Which rooms of the list are watched, and what is awaited of them. */
interface Wanted {
  readonly where?: Selector | undefined
  readonly until?: Selector | undefined
}

/**
 * Reads the list (room §2) and, one by one, the rooms of which more must be known: those in a meeting, since people are in no
 * other, those whose row has changed, at first all that are not ENDED, and those whose row leaves open what `where` or `until`
 * asks. `where` chooses; a room once chosen stays.
 */
export function listedRooms(session: Session, {where, until}: Wanted): WatchReader {
  const {bizId, concurrency} = session.resolved.values
  return async (before) => {
    const rows = await session.api.call(listRooms, {query: bizId ? {bizId} : {}})
    const now = session.runtime.now()
    const isKnown = ({room_id: id}: RoomSummary) => where === undefined || before?.has(id) === true
    const isOpen = (row: RoomSummary) =>
      (!isKnown(row) && where?.decides(row, now) === undefined) ||
      (until !== undefined && until.decides(row, now) === undefined)
    const isRead = (row: RoomSummary) => isOpen(row) || needsRead(row, before?.get(row.room_id))

    const candidates = rows.filter((row) => isKnown(row) || where?.decides(row, now) !== false)
    if (before === undefined) noteCalls(session, candidates.filter(isRead).length, concurrency)
    const byId = new Map(candidates.map((row) => [row.room_id, row]))
    const {rooms, trouble} = await readEach(session, before, [...byId.keys()], async (id, known) => {
      const row = byId.get(id)
      if (row === undefined) return undefined
      if (isRead(row)) return readListed(session, row)
      return known ? {...known, row} : fromRow(row)
    })
    const isChosen = (room: WatchedRoom) => isKnown(room.row) || where?.matches(subjectOf(room), now) === true
    return {rooms: new Map([...rooms].filter(([, room]) => isChosen(room))), trouble}
  }
}

function needsRead(row: RoomSummary, known: WatchedRoom | undefined): boolean {
  if (row.room_status === 'MEETING') return true
  return known === undefined ? row.room_status !== 'ENDED' : JSON.stringify(row) !== JSON.stringify(known.row)
}

/** A room whose id no path can carry keeps its row. */
async function readListed(session: Session, row: RoomSummary): Promise<WatchedRoom | undefined> {
  try {
    const detail = await detailOf(session, row.room_id, false)
    return detail && fromDetail(detail, row)
  } catch (error) {
    if (error instanceof Failure && error.facts.exit === 'usage') return fromRow(row)
    throw error
  }
}

/**
 * The room, or undefined where there is none. A 404 without the service's own code may come from whatever stands in front of it
 * (room, Common errors: CE002): only at the beginning (`trusting`) is it believed.
 */
async function detailOf(session: Session, roomId: string, trusting: boolean): Promise<RoomDetail | undefined> {
  try {
    return await readRoom(session, roomId)
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.exit !== 'missing') throw error
    if (trusting || error.facts.code === 'CE002') return undefined
    throw error
  }
}

/** Reads several at once. A room that cannot be read just now stays as it was; at first there is nothing it could stay. */
async function readEach(
  session: Session,
  before: Rooms | undefined,
  ids: readonly string[],
  read: (id: string, known: WatchedRoom | undefined) => Promise<WatchedRoom | undefined>,
): Promise<WatchedState> {
  const found = await readRooms(ids, (id) => read(id, before?.get(id)), {
    concurrency: session.resolved.values.concurrency,
    keeps: (failure) => before !== undefined && mayPass(failure),
  })
  const rooms = found.flatMap((one, at) => {
    const room = one instanceof Failure ? before?.get(ids[at] ?? '') : one
    return room ? [[room.row.room_id, room] as const] : []
  })
  return {rooms: new Map(rooms), trouble: found.find((one) => one instanceof Failure)}
}

/** Whether what went wrong may pass by itself, so that a watch goes on. */
export function mayPass({facts}: Failure): boolean {
  return facts.exit === 'temporary' || facts.exit === 'network' || facts.exit === 'missing'
}
