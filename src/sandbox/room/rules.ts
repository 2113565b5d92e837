import type {Code} from '../../api/contract/codes.js'
import type {RoomState} from '../../api/contract/states.js'
import {refuse} from '../wire/service.js'
import type {Attendee, Room, World} from '../world/world.js'

export function findRoom(world: World, roomId: string): Room {
  return world.rooms.find((room) => room.room_id === roomId) ?? refuse('CE002', `room ${roomId} does not exist`)
}

/** An attendee, or the creator. Refuses a missing name with CE001, and an unknown user with CE002 (room, Errors). */
export function knownRequester(room: Room, requester: string | undefined): string {
  if (requester === undefined) return refuse('CE001', 'requester_id: expected a user id, but it is missing')
  if (attendeeIn(room, requester) === undefined && requester !== room.created_by) {
    refuse('CE002', `user ${requester} is not known in room ${room.room_id}`)
  }
  return requester
}

export function isHost(room: Room, userId: string): boolean {
  return attendeeIn(room, userId)?.is_host === true
}

/** room, Authentication rule 3. */
export function requireHost(room: Room, requester: string | undefined): void {
  const user = knownRequester(room, requester)
  if (!isHost(room, user)) refuse('CE003', `user ${user} is not the host of room ${room.room_id}`)
}

/** room, Operation validity by state. */
export function requireState(room: Room, code: Code, ...states: readonly RoomState[]): void {
  if (!states.includes(room.room_status)) {
    refuse(code, `room ${room.room_id} is ${room.room_status}; this needs ${states.join(' or ')}`)
  }
}

export function refuseEnded(room: Room, code: Code): void {
  if (room.room_status === 'ENDED') refuse(code, `room ${room.room_id} is ENDED`)
}

/** Refuses with CE001 a number of seats that is no whole number above zero. */
export function checkSeats(field: string, seats: number): void {
  if (!Number.isSafeInteger(seats) || seats < 1)
    refuse('CE001', `${field}: expected a whole number of at least 1, got ${seats}`)
}

export function attendeeIn(room: Room, userId: string): Attendee | undefined {
  return room.attendees.find((entry) => entry.user_id === userId)
}

export function currentHost(room: Room): Attendee | undefined {
  return room.attendees.find((entry) => entry.is_host)
}

export function presentAttendees(room: Room): Attendee[] {
  return room.attendees.filter((entry) => entry.is_present)
}

/** How add (AA001) and update (CE001) count is not shown: here reserved, invited and present users, without blocked ones. */
export function seatsTaken(attendees: readonly Attendee[]): number {
  return attendees.filter((entry) => !entry.isBlocked && (entry.is_reserved || entry.is_invited || entry.is_present))
    .length
}

export function newAttendee(user_id: string, flags: Partial<Attendee> = {}): Attendee {
  return {
    user_id,
    is_host: false,
    is_present: false,
    is_reserved: false,
    is_invited: false,
    isBlocked: false,
    entered: 0,
    ...flags,
  }
}

/** A visitor of a public room gets a record (room §7). */
export function ensureAttendee(room: Room, userId: string): Attendee {
  const known = attendeeIn(room, userId)
  if (known !== undefined) return known
  const visitor = newAttendee(userId)
  room.attendees.push(visitor)
  return visitor
}
