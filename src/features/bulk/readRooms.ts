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

/** Calls that take longer than this by a budget are announced with their time, in milliseconds. */
const longMs = 5000

/** `distanceMs`: the time between two calls that a budget leaves. */
export function noteCalls({warn}: Session, calls: number, concurrency: number, distanceMs = 0): void {
  const ms = calls * distanceMs
  if (ms > longMs) warn(`reading ${calls} rooms in about ${Math.round(ms / 1000)} s; a larger --budget is faster`)
  else if (calls > concurrency) warn(`reading ${calls} rooms, one call each`)
}
