import type {Code} from '../../api/contract/codes.js'
import type {RoomState} from '../../api/contract/room.js'
import {refuse} from '../wire/refusal.js'
import type {Room, World} from '../world/world.js'
import {attendeeOf} from './people.js'

/** The room of that id. Refuses with CE002 (room, Errors). */
export function findRoom(world: World, roomId: string): Room {
  return world.rooms.find((room) => room.id === roomId) ?? refuse('CE002', `room ${roomId} does not exist`)
}

/**
 * The requester, who must be named and known in the room: on the attendee list, or its creator. Refuses with CE001
 * when nobody is named, and with CE002 when there is no record of the user (room, Errors).
 */
export function knownRequester(room: Room, requester: string | undefined): string {
  if (requester === undefined) return refuse('CE001', 'requester_id: expected a user id, but it is missing')
  if (attendeeOf(room, requester) === undefined && requester !== room.createdBy) {
    refuse('CE002', `user ${requester} is not known in room ${room.id}`)
  }
  return requester
}

/** Says whether the user is host now. */
export function isHost(room: Room, userId: string): boolean {
  return attendeeOf(room, userId)?.isHost === true
}

/** Refuses with CE001, CE002 or CE003 unless the requester is the room's host (room, Authentication rule 3). */
export function requireHost(room: Room, requester: string | undefined): void {
  const user = knownRequester(room, requester)
  if (!isHost(room, user)) refuse('CE003', `user ${user} is not the host of room ${room.id}`)
}

/** Refuses with the operation's own code unless the room is in one of the states (room, Operation validity by state). */
export function requireState(room: Room, code: Code, ...states: readonly RoomState[]): void {
  if (!states.includes(room.status)) {
    refuse(code, `room ${room.id} is ${room.status}; this needs ${states.join(' or ')}`)
  }
}

/** Refuses with the operation's own code when the room is ENDED. */
export function refuseEnded(room: Room, code: Code): void {
  if (room.status === 'ENDED') refuse(code, `room ${room.id} is ENDED`)
}

/** Refuses with CE001 a number of seats that is no whole number above zero. */
export function checkSeats(field: string, seats: number): void {
  if (!Number.isSafeInteger(seats) || seats < 1)
    refuse('CE001', `${field}: expected a whole number of at least 1, got ${seats}`)
}
