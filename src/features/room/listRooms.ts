import {listRooms, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import type {Selector} from '../../selection/selector/selector.js'
import {isNone, noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'

export interface RoomChoice {
  readonly states?: readonly string[] | undefined
  readonly creator?: string | undefined
  readonly selector?: Selector | undefined
  readonly ascending: boolean
  readonly limit?: number | undefined
  /** Whether the counts of the rooms are read. */
  readonly counts: boolean
}

/** Lists the rooms (room §2) in parts, and filters what the document has no parameter for. `counted`: all, and those within the limit. */
export function roomParts(
  session: Session,
  choice: RoomChoice,
): {
  readonly parts: AsyncIterable<readonly CountedRoom[]>
  readonly counted: () => {readonly shown: number; readonly total: number}
} {
  const {bizId} = session.resolved.values
  const {limit = Number.POSITIVE_INFINITY, ascending, selector, counts} = choice
  const query = {...(ascending ? {asc: true} : {}), ...(bizId ? {bizId} : {})}
  let total = 0
  async function* parts(): AsyncGenerator<readonly CountedRoom[]> {
    for await (const rooms of session.api.pages(listRooms, {query})) {
      const wanted = rooms.filter((room) => isWanted(room, choice))
      const chosen = selector ? await chosenRooms(session, wanted, {selector, counts}) : wanted
      const shown = chosen.slice(0, Math.max(0, limit - total))
      total += chosen.length
      yield counts && !selector ? await withDetails(session, shown) : shown
    }
  }
  return {parts: parts(), counted: () => ({shown: Math.min(limit, total), total})}
}

function isWanted(room: RoomSummary, {states, creator}: RoomChoice): boolean {
  const stateFits = states === undefined || states.includes(room.room_status ?? '')
  return stateFits && (creator === undefined || room.created_by === creator)
}

type CountedRoom = RoomSummary & Pick<RoomDetail, 'attendee_count'>

/** The rooms that a selector chooses. Reads the details only of rooms whose row does not decide, and with `counts` of chosen ones. */
async function chosenRooms(
  session: Session,
  rooms: readonly RoomSummary[],
  {selector, counts}: Pick<RoomChoice, 'counts'> & {readonly selector: Selector},
): Promise<CountedRoom[]> {
  const now = session.runtime.now()
  const open = new Set<RoomSummary | undefined>()
  const candidates = rooms.filter((room) => {
    const isChosen = selector.decides(room, now)
    if (isChosen === undefined) open.add(room)
    return isChosen !== false
  })
  const known = await withDetails(session, candidates, (room) => counts || open.has(room))
  const isChosen = (room: CountedRoom) =>
    selector.matches({...room, present_count: room.attendee_count?.present_count}, now)
  return open.size === 0 ? known : known.filter((room, at) => !open.has(candidates[at]) || isChosen(room))
}

/** Reads the details of the rooms that `isRead` picks. A room that is gone, or whose id fits no path, keeps its row. */
async function withDetails(
  session: Session,
  rooms: readonly RoomSummary[],
  isRead: (room: RoomSummary) => boolean = () => true,
): Promise<CountedRoom[]> {
  const needed = rooms.filter(isRead)
  if (needed.length === 0) return [...rooms]
  const {concurrency} = session.resolved.values
  noteCalls(session, needed.length)
  const read = async (room: RoomSummary): Promise<CountedRoom> => {
    if (!isRead(room)) return room
    const {attendee_count} = await readRoom(session, room.room_id)
    return {...room, attendee_count}
  }
  const counted = await readRooms(session, rooms, read, {concurrency, keeps: isNone})
  return rooms.map((room, at) => {
    const found = counted[at]
    return found === undefined || found instanceof Failure ? room : found
  })
}
