import {Failure} from '../../api/contract/failure.js'
import {get, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import {mapConcurrently} from '../../selection/pool.js'
import type {Selector} from '../../selection/selector/selector.js'

/** A row of the list with the counts of its detail. */
export type CountedRoom = RoomSummary & Pick<RoomDetail, 'attendee_count'>

/**
 * The rooms that a selector chooses, in their order. Only those are read one by one whose row leaves it open, with `counts`
 * also those that are chosen; how many is said first.
 */
export async function chosenRooms(
  session: Session,
  rooms: readonly RoomSummary[],
  selector: Selector,
  counts = false,
): Promise<CountedRoom[]> {
  const now = session.runtime.now()
  const candidates = rooms.filter((room) => selector.decides(room, now) !== false)
  const isOpen = (room: RoomSummary) => counts || selector.decides(room, now) === undefined
  const known = await withDetails(session, candidates, isOpen)
  return known.filter((room) => selector.matches({...room, present_count: room.attendee_count?.present_count}, now))
}

/**
 * Reads the details of rooms, of all or of those that `isRead` picks, for their counts, and says first how many calls that takes.
 * A room that went away meanwhile, or whose id no path can carry, keeps its row.
 */
export async function withDetails(
  session: Session,
  rooms: readonly RoomSummary[],
  isRead: (room: RoomSummary) => boolean = () => true,
): Promise<CountedRoom[]> {
  const {concurrency} = session.resolved.values
  const calls = rooms.filter(isRead).length
  if (calls === 0) return [...rooms]
  if (calls > concurrency) session.warn(`reading ${calls} rooms, one call each`)
  return mapConcurrently(rooms, concurrency, async (room) => (isRead(room) ? withDetail(session, room) : room))
}

async function withDetail({api}: Session, room: RoomSummary): Promise<CountedRoom> {
  try {
    const {attendee_count} = await api.call(get, {path: {roomId: room.room_id}})
    return {...room, attendee_count}
  } catch (error) {
    if (error instanceof Failure && (error.facts.exit === 'missing' || error.facts.exit === 'usage')) return room
    throw error
  }
}
