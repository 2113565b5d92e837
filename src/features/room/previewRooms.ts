import {Failure} from '../../api/contract/failure.js'
import type {RoomDetail, RoomSummary} from '../../api/contract/room.js'
import {hostOf} from '../../api/rules/room.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {roomListWithCounts} from '../../view/room/room.js'
import {showTargets} from '../bulk/present.js'
import {isNone, noteCalls, readRoom, readRooms} from '../bulk/readRooms.js'
import type {PreviewedTargets, PreviewOptions} from '../mutation/mutate.js'

/** Rooms by their ids; the Failure of one that is not there, or whose id no path can carry. */
export type KnownRooms = ReadonlyMap<string, RoomDetail | Failure>

/**
 * Reads rooms by their ids, and says first how many calls that takes. Of the attendees only the host is kept: there may be many
 * rooms.
 */
export async function readKnownRooms(
  session: Session,
  ids: readonly string[],
  concurrency: number,
): Promise<KnownRooms> {
  noteCalls(session, ids.length, concurrency)
  const read = async (id: string) => {
    const room = await readRoom(session, id)
    const host = hostOf(room)
    return {...room, attendees: room.attendees?.filter(({user_id}) => user_id === host)}
  }
  const rooms = await readRooms(ids, read, {concurrency, keeps: isNone})
  return new Map(ids.flatMap((id, at) => (rooms[at] ? [[id, rooms[at]] as const] : [])))
}

function knownRoom(rooms: KnownRooms, id: string): RoomDetail | undefined {
  const room = rooms.get(id)
  return room instanceof Failure ? undefined : room
}

/**
 * Reads rooms and shows on stderr those that are to be changed, before the question; of many also how many are in which state. Those
 * that have changed since are only counted.
 */
export async function previewRooms(
  session: Session,
  ids: readonly string[],
  {concurrency, changedSince}: PreviewOptions,
): Promise<PreviewedTargets> {
  const rooms = await readKnownRooms(session, ids, concurrency)
  const isLeft = (id: string) => {
    const room = knownRoom(rooms, id)
    return room !== undefined && changedSince?.(room, id) === undefined
  }
  const left = changedSince ? ids.filter(isLeft) : ids
  if (left.length === 0) return {left: 0, rooms}
  await showRooms(session, left, rooms)
  if (left.length < ids.length) session.warn(`skipped, since they have changed: ${ids.length - left.length}`)
  return {left: left.length, rooms}
}

/** More rooms than this leave the window before the question stands in it. */
const manyRooms = 20

const previewed = ['room_id', 'name', 'room_status', 'present_count', 'age']

async function showRooms(session: Session, ids: readonly string[], rooms: KnownRooms): Promise<void> {
  const rows = ids.map((id): RoomSummary => knownRoom(rooms, id) ?? {room_id: id, name: '(not found)'})
  await showTargets(session, rows, roomListWithCounts, previewed)
  if (rows.length > manyRooms)
    session.warn(`${ids.length} rooms: ${stateCounts(ids.map((id) => knownRoom(rooms, id)))}`)
}

/** `40 MEETING, 2 IDLE, 1 not found`. */
function stateCounts(rooms: readonly (RoomDetail | undefined)[]): string {
  const counts = new Map<string, number>()
  for (const room of rooms) {
    const state = room ? safeText(room.room_status ?? 'without a state') : 'not found'
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return Array.from(counts, ([state, count]) => `${count} ${state}`).join(', ')
}
