import {listRooms, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import {isPresenceUnclear, presentCount} from '../../api/contract/roomFacts.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import type {RoomFilter} from '../../selection/roomFilter.js'
import {isNone, noteCalls, notePresence, readRoom, readRooms} from '../bulk/readRooms.js'

interface RoomChoice {
  readonly filter?: RoomFilter | undefined
  readonly ascending: boolean
  readonly limit?: number | undefined
  /** Whether the counts of the rooms are read. */
  readonly counts: boolean
}

/** Lists the rooms (room §2), and filters what the document has no parameter for. `total`: their number without the limit. */
export async function readListedRooms(
  session: Session,
  {filter, ascending, limit, counts}: RoomChoice,
): Promise<{readonly rooms: readonly CountedRoom[]; readonly total: number}> {
  const {bizId} = session.resolved.values
  const query = {...(ascending ? {asc: true} : {}), ...(bizId ? {bizId} : {})}
  const listed = await session.api.call(listRooms, {query})
  const chosen = filter ? await chosenRooms(session, listed, filter) : listed
  const rooms = chosen.slice(0, limit)
  const isCounted = !counts || filter?.needsDetail
  return {rooms: isCounted ? rooms : await withDetails(session, rooms), total: chosen.length}
}

type CountedRoom = RoomSummary & Pick<RoomDetail, 'attendee_count'>

/** The rooms that match. The details are read only of rooms whose row matches, and only if they decide. */
async function chosenRooms(
  session: Session,
  rooms: readonly RoomSummary[],
  filter: RoomFilter,
): Promise<readonly CountedRoom[]> {
  const now = session.runtime.now()
  const candidates = rooms.filter((room) => filter.misfit(room, now) === undefined)
  if (!filter.needsDetail) return candidates
  const known = await withDetails(session, candidates)
  return known.filter((room) => filter.misfit(room, now, presentCount(room) ?? Number.NaN) === undefined)
}

/** Reads the counts of the rooms. A room that is gone, or whose id fits no path, keeps its row. */
async function withDetails(session: Session, rooms: readonly RoomSummary[]): Promise<CountedRoom[]> {
  const {concurrency} = session.resolved.values
  noteCalls(session, rooms.length)
  const unclear: string[] = []
  const read = async (room: RoomSummary): Promise<CountedRoom> => {
    const detail = await readRoom(session, room.room_id)
    if (isPresenceUnclear(detail)) unclear.push(room.room_id)
    return {...room, attendee_count: {...detail.attendee_count, present_count: presentCount(detail)}}
  }
  const counted = await readRooms(session, rooms, read, {concurrency, keeps: isNone})
  notePresence(session, unclear)
  return rooms.map((room, at) => {
    const detail = counted[at]
    return detail === undefined || detail instanceof Failure ? room : detail
  })
}
