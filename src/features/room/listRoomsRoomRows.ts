import {list, type RoomSummary} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import type {Selector} from '../../selection/selector/selector.js'
import {type CountedRoom, chosenRooms, withDetails} from './roomDetails.js'

/** What of the rooms is listed. */
export interface RoomChoice {
  readonly states?: readonly string[] | undefined
  readonly creator?: string | undefined
  readonly selector?: Selector | undefined
  readonly ascending: boolean
  readonly limit?: number | undefined
  /** Whether each room is read for its counts. */
  readonly counts: boolean
}

/** Lists the rooms (room §2) and filters here what the document has no parameter for. */
export async function roomRows(session: Session, choice: RoomChoice): Promise<readonly CountedRoom[]> {
  const {bizId} = session.resolved.values
  const {limit, ascending} = choice
  const rooms = await session.api.call(list, {query: {...(ascending ? {asc: true} : {}), ...(bizId ? {bizId} : {})}})
  const wanted = rooms.filter((room) => isWanted(room, choice))
  const chosen = await chosenOf(session, wanted, choice)
  return limit === undefined ? chosen : chosen.slice(0, limit)
}

async function chosenOf(
  session: Session,
  rooms: readonly RoomSummary[],
  {selector, counts}: RoomChoice,
): Promise<readonly CountedRoom[]> {
  if (selector) return chosenRooms(session, rooms, selector, counts)
  return counts ? withDetails(session, rooms) : rooms
}

/** Reads the expression of a flag. Raises a FormError that points into it. */
export async function readSelector(text: string | undefined, tz: string | undefined): Promise<Selector | undefined> {
  if (text === undefined) return undefined
  const {parseSelector} = await import('../../selection/selector/selector.js')
  return parseSelector(text, tz ? {tz} : {})
}

function isWanted(room: RoomSummary, {states, creator}: RoomChoice): boolean {
  const stateFits = states === undefined || states.includes(room.room_status ?? '')
  return stateFits && (creator === undefined || room.created_by === creator)
}
