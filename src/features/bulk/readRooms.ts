import {getRoom, type RoomDetail} from '../../api/contract/room.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, onFailure} from '../../failure.js'

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

/** Announces many calls. */
export function noteCalls({warn, resolved}: Session, calls: number): void {
  if (calls > resolved.values.concurrency) warn(`reading ${calls} rooms, one call each`)
}
