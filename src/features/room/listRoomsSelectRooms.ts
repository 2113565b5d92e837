import {list} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import {chosenRooms} from './roomDetails.js'

/**
 * The ids of the rooms that an expression is true for, each once, in the order in which the service lists them. Rooms are
 * read one by one only where the row leaves it open, and how many is said first. Raises a FormError that points into
 * the expression.
 */
export async function selectRooms(session: Session, where: string): Promise<string[]> {
  const {tz, bizId} = session.resolved.values
  const {parseSelector} = await import('../../selection/selector/selector.js')
  const selector = await parseSelector(where, tz ? {tz} : {})
  const rooms = await session.api.call(list, {query: bizId ? {bizId} : {}})
  const chosen = await chosenRooms(session, rooms, selector)
  return [...new Set(chosen.map(({room_id: id}) => id))]
}
