import {Failure} from '../contract/failure.js'
import {get, type RoomDetail, type RoomSummary} from '../contract/room.js'
import type {Session} from './session.js'

/** How many rooms are read at a time when a list needs what only the detail tells. */
const atOnce = 8

/** A row of the list with the counts of its detail. */
export type CountedRoom = RoomSummary & Pick<RoomDetail, 'attendee_count'>

/**
 * Reads the detail of every room for its counts, and says first how many calls that takes.
 * A room that went away meanwhile, or whose id no path can carry, keeps its row.
 */
export async function withDetails(session: Session, rooms: readonly RoomSummary[]): Promise<CountedRoom[]> {
  if (rooms.length > atOnce) session.note(`reading ${rooms.length} rooms, one call each`)
  const {default: pLimit} = await import('p-limit')
  const limit = pLimit(atOnce)
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
