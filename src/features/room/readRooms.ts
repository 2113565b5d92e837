import {Failure} from '../../api/contract/failure.js'
import type {RoomDetail, RoomSummary} from '../../api/contract/room.js'
import {hostOf} from '../../api/rules/room.js'
import type {Session} from '../../cli/session/session.js'
import {runAll} from '../../selection/pool.js'
import {safeText} from '../../text/text.js'
import {drawList} from '../../view/format/output.js'
import {roomListWithCounts} from '../../view/room/room.js'
import type {BulkSettings} from '../bulk/flags.js'
import {readRoom} from '../mutation/requester.js'

/** Rooms that were read before a change, by their ids; the Failure of one that is not there, or whose id no path can carry. */
export type KnownRooms = ReadonlyMap<string, RoomDetail | Failure>

/**
 * Reads rooms, several at a time, and says first how many calls that takes. Of the attendees only the host is kept: there may be
 * many rooms. Raises any other Failure.
 */
export async function readRooms(
  session: Session,
  {concurrency}: BulkSettings,
  ids: readonly string[],
): Promise<KnownRooms> {
  if (ids.length > concurrency) session.warn(`reading ${ids.length} rooms, one call each`)
  const rooms = new Map<string, RoomDetail | Failure>()
  const read = async (id: string) => {
    try {
      const room = await readRoom(session, id)
      const host = hostOf(room)
      rooms.set(id, {...room, attendees: room.attendees?.filter(({user_id}) => user_id === host)})
    } catch (error) {
      if (!(error instanceof Failure && (error.facts.exit === 'missing' || error.facts.exit === 'usage'))) throw error
      rooms.set(id, error)
    }
  }
  await runAll(ids, read, {concurrency, stopped: () => undefined, untried: () => undefined})
  return rooms
}

/** The room of that id, where it was read and is there. */
export function knownRoom(rooms: KnownRooms, id: string): RoomDetail | undefined {
  const room = rooms.get(id)
  return room instanceof Failure ? undefined : room
}

/** More rooms than this leave the window before the question stands in it. */
const manyRooms = 20

const previewed = ['room_id', 'name', 'room_status', 'present_count', 'age']

/** Shows rooms on stderr, before the question; of many also how many are in which state. */
export async function previewRooms(session: Session, ids: readonly string[], rooms: KnownRooms): Promise<void> {
  const {stderr} = session.runtime
  const rows = ids.map((id): RoomSummary => knownRoom(rooms, id) ?? {room_id: id, name: '(not found)'})
  const view = {...session.view, style: session.style, columns: session.view.plain ? undefined : stderr.columns}
  const options = {format: 'table', header: true, columns: previewed} as const
  for await (const chunk of drawList(rows, roomListWithCounts, options, view)) await stderr.write(chunk)
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
