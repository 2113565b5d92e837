import {Failure} from '../../api/contract/failure.js'
import {listRooms, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import type {Selector} from '../../selection/selector/selector.js'
import {isNone, noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'
import {type RoomSelection, readSelection} from './roomFlags.js'

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

/** Lists the rooms (room §2) and filters here what the document has no parameter for; `total` counts those beyond the limit, too. */
export async function roomPage(
  session: Session,
  choice: RoomChoice,
): Promise<{readonly rows: readonly CountedRoom[]; readonly total: number}> {
  const {bizId} = session.resolved.values
  const {limit, ascending, selector, counts} = choice
  const rooms = await session.api.call(listRooms, {
    query: {...(ascending ? {asc: true} : {}), ...(bizId ? {bizId} : {})},
  })
  const wanted = rooms.filter((room) => isWanted(room, choice))
  const chosen = selector ? await chosenRooms(session, wanted, selector, counts) : wanted
  const rows = chosen.slice(0, limit)
  return {rows: counts && !selector ? await withDetails(session, rows) : rows, total: chosen.length}
}

/** The rooms alone. */
export async function roomRows(session: Session, choice: RoomChoice): Promise<readonly CountedRoom[]> {
  return (await roomPage(session, choice)).rows
}

function isWanted(room: RoomSummary, {states, creator}: RoomChoice): boolean {
  const stateFits = states === undefined || states.includes(room.room_status ?? '')
  return stateFits && (creator === undefined || room.created_by === creator)
}

/**
 * The ids of the rooms that flags choose, each once, in the order in which the service lists them. Rooms are read one by one only
 * where the row leaves it open, and how many is said first. Raises what `readSelection` raises.
 */
export async function selectRooms(session: Session, flags: RoomSelection): Promise<string[]> {
  const selector = await readSelection(flags, session.resolved.values.tz)
  const rooms = await roomRows(session, {selector, ascending: false, counts: false})
  return [...new Set(rooms.map(({room_id: id}) => id))]
}

/** A row of the list with the counts of its detail. */
type CountedRoom = RoomSummary & Pick<RoomDetail, 'attendee_count'>

/**
 * The rooms that a selector chooses, in their order. Only those are read one by one whose row leaves it open, with `counts`
 * also those that are chosen; how many is said first.
 */
async function chosenRooms(
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
async function withDetails(
  session: Session,
  rooms: readonly RoomSummary[],
  isRead: (room: RoomSummary) => boolean = () => true,
): Promise<CountedRoom[]> {
  if (!rooms.some(isRead)) return [...rooms]
  const {concurrency} = session.resolved.values
  noteCalls(session, rooms.filter(isRead).length, concurrency)
  const read = async (room: RoomSummary): Promise<CountedRoom> => {
    if (!isRead(room)) return room
    const {attendee_count} = await readRoom(session, room.room_id)
    return {...room, attendee_count}
  }
  const counted = await readRooms(rooms, read, {concurrency, keeps: isNone})
  return rooms.map((room, at) => {
    const found = counted[at]
    return found === undefined || found instanceof Failure ? room : found
  })
}
