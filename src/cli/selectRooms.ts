import {list} from '../contract/room.js'
import {type CountedRoom, withDetails} from './roomDetails.js'
import type {Session} from './session.js'

/**
 * The ids of the rooms that an expression is true for, each once, in the order in which the service lists them. Rooms are
 * read one by one only where the expression needs that, and how many is said first. Raises a FormError that points into
 * the expression.
 */
export async function selectRooms(session: Session, where: string): Promise<string[]> {
  const {tz, bizId} = session.resolved.values
  const {parseSelector} = await import('../bulk/selector/selector.js')
  const selector = await parseSelector(where, tz ? {tz} : {})
  const rooms = await session.api.call(list, {query: bizId ? {bizId} : {}})
  const known: readonly CountedRoom[] = selector.needsDetail ? await withDetails(session, rooms) : rooms
  const now = session.runtime.now()
  const chosen = known.filter((room) =>
    selector.matches({...room, present_count: room.attendee_count?.present_count}, now),
  )
  return [...new Set(chosen.map(({room_id: id}) => id))]
}
