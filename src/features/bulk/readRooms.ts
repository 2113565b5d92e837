import {getRoom, type RoomDetail} from '../../api/contract/room.js'
import {isPresenceUnclear} from '../../api/contract/roomFacts.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, onFailure} from '../../failure.js'
import {safeText, someOf} from '../../text/text.js'

/** Reads a room with its attendees (room §3). `doing`: its purpose, for `cannot …` in a failure. */
export function readRoom({api}: Session, roomId: string, doing?: () => string): Promise<RoomDetail> {
  if (doing === undefined) return api.call(getRoom, {path: {roomId}})
  const operation = {
    ...getRoom,
    get action() {
      return doing()
    },
  }
  return api.call(operation, {path: {roomId}})
}

/** Reads rooms, in their order. A Failure about one room alone, as `keeps` says, takes its place; any other ends the reading. */
export function readRooms<Room, Made>(
  {waiting}: Session,
  rooms: readonly Room[],
  read: (room: Room) => Promise<Made>,
  {concurrency, keeps = isNone}: {readonly concurrency: number; readonly keeps?: (failure: Failure) => boolean},
): Promise<(Made | Failure)[]> {
  const kept = onFailure(keeps, (failure): Made | Failure => failure)
  return waiting.readEach('rooms', rooms, concurrency, (room) => read(room).catch(kept))
}

/** Whether the room does not exist, or no path can carry its id. */
export function isNone({facts}: Failure): boolean {
  return facts.exit === 'missing' || facts.exit === 'usage'
}

const roomsNamed = 5

/** Notes that in these rooms the number of users present and the list of attendees differ; counts use the larger number. */
export function notePresence({warn}: Session, ids: readonly string[]): void {
  if (ids.length === 0) return
  const where = `${ids.length === 1 ? 'room' : 'rooms'} ${someOf(ids.map(safeText), roomsNamed)}`
  warn(`note: present_count and the attendees present differ in ${where}; the larger number counts`)
}

export function noteUnclear(session: Session, room: RoomDetail): void {
  if (isPresenceUnclear(room)) notePresence(session, [room.room_id])
}

/** Announces many calls. */
export function noteCalls({warn, resolved}: Session, calls: number): void {
  if (calls > resolved.values.concurrency) warn(`reading ${calls} rooms, one call each`)
}
