import {listRooms, type RoomDetail, type RoomSummary} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import {Failure} from '../../failure.js'
import type {Selector} from '../../selection/selector/selector.js'
import {isNone, noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'
import type {ListMemory} from '../watch/listMemory.js'

export interface RoomChoice {
  readonly states?: readonly string[] | undefined
  readonly creator?: string | undefined
  readonly selector?: Selector | undefined
  readonly ascending: boolean
  readonly limit?: number | undefined
  /** Rooms whose counts are read: `meetings`, since rooms of other states are empty (room, States). */
  readonly counts: boolean | 'meetings'
  readonly memory?: ListMemory | undefined
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
  const {limit = Number.POSITIVE_INFINITY, ascending, selector, counts, memory} = choice
  const query = {...(ascending ? {asc: true} : {}), ...(bizId ? {bizId} : {})}
  let total = 0
  async function* parts(): AsyncGenerator<readonly CountedRoom[]> {
    for await (const rooms of session.api.pages(listRooms, {query})) {
      const wanted = rooms.filter((room) => isWanted(room, choice))
      const chosen = selector ? await chosenRooms(session, wanted, {selector, counts, memory}) : wanted
      const shown = chosen.slice(0, Math.max(0, limit - total))
      total += chosen.length
      yield counts && !selector ? await withDetails(session, shown, memory, (room) => isCounted(room, counts)) : shown
    }
  }
  return {parts: parts(), counted: () => ({shown: Math.min(limit, total), total})}
}

export async function roomRows(session: Session, choice: RoomChoice): Promise<readonly CountedRoom[]> {
  const rows: CountedRoom[] = []
  for await (const part of roomParts(session, choice).parts) for (const room of part) rows.push(room)
  return rows
}

function isCounted({room_status: status}: RoomSummary, counts: RoomChoice['counts']): boolean {
  return counts === 'meetings' ? status === 'MEETING' : counts
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
  {selector, counts, memory}: Pick<RoomChoice, 'counts' | 'memory'> & {readonly selector: Selector},
): Promise<CountedRoom[]> {
  const now = session.runtime.now()
  const open = new Set<RoomSummary | undefined>()
  const candidates = rooms.filter((room) => {
    const isChosen = selector.decides(room, now)
    if (isChosen === undefined) open.add(room)
    return isChosen !== false
  })
  const known = await withDetails(session, candidates, memory, (room) => isCounted(room, counts) || open.has(room))
  const isChosen = (room: CountedRoom) =>
    selector.matches({...room, present_count: room.attendee_count?.present_count}, now)
  return open.size === 0 ? known : known.filter((room, at) => !open.has(candidates[at]) || isChosen(room))
}

/** Reads the details of the rooms that `isRead` picks. A room that is gone, or whose id fits no path, keeps its row. */
async function withDetails(
  session: Session,
  rooms: readonly RoomSummary[],
  memory: ListMemory | undefined,
  isRead: (room: RoomSummary) => boolean,
): Promise<CountedRoom[]> {
  const needed = rooms.filter(isRead)
  if (needed.length === 0) return [...rooms]
  const {concurrency} = session.resolved.values
  const isDue = memory?.due(needed) ?? isRead
  noteCalls(session, needed.filter(isDue).length, concurrency, memory?.distanceMs)
  const read = async (room: RoomSummary): Promise<CountedRoom> => {
    if (!isRead(room)) return room
    if (!isDue(room)) return {...room, attendee_count: memory?.countOf(room)}
    const at = session.runtime.now().getTime()
    const {attendee_count} = await readRoom(session, room.room_id)
    memory?.keep(room, {at, attendee_count})
    return {...room, attendee_count}
  }
  const counted = await readRooms(session, rooms, read, {concurrency, keeps: isNone})
  return rooms.map((room, at) => {
    const found = counted[at]
    return found === undefined || found instanceof Failure ? room : found
  })
}
