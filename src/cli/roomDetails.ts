import {Failure} from '../contract/failure.js'
import {get, type RoomDetail, type RoomSummary} from '../contract/room.js'
import type {Session} from './session.js'

/** A row of the list with the counts of its detail. */
export type CountedRoom = RoomSummary & Pick<RoomDetail, 'attendee_count'>

/**
 * Reads the detail of every room for its counts, and says first how many calls that takes.
 * A room that went away meanwhile, or whose id no path can carry, keeps its row.
 */
export async function withDetails(session: Session, rooms: readonly RoomSummary[]): Promise<CountedRoom[]> {
  const {concurrency} = session.resolved.values
  if (rooms.length > concurrency) session.note(`reading ${rooms.length} rooms, one call each`)
  const {default: pLimit} = await import('p-limit')
  const limit = pLimit(concurrency)
  return Promise.all(rooms.map((room) => limit(() => withDetail(session, room))))
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
