import type {Code} from '../../api/contract/operation.js'
import type {RoomState} from '../../api/contract/room.js'
import {refuse} from '../wire/service.js'
import type {Attendee, Room, World} from '../world/world.js'

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
  if (attendeeIn(room, requester) === undefined && requester !== room.createdBy) {
    refuse('CE002', `user ${requester} is not known in room ${room.id}`)
  }
  return requester
}

/** Says whether the user is host now. */
export function isHost(room: Room, userId: string): boolean {
  return attendeeIn(room, userId)?.isHost === true
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

/** The record of a user in a room, or undefined. */
export function attendeeIn(room: Room, userId: string): Attendee | undefined {
  return room.attendees.find((entry) => entry.userId === userId)
}

export function currentHost(room: Room): Attendee | undefined {
  return room.attendees.find((entry) => entry.isHost)
}

/** Who is in the room now, in no particular order. */
export function presentAttendees(room: Room): Attendee[] {
  return room.attendees.filter((entry) => entry.isPresent)
}

/**
 * How many attendees the room must have a seat for, which is held against max_attendee_count by add (AA001) and update
 * (CE001). The document does not say how to count; here it is everybody who is reserved, invited or present, without
 * the blocked, so that a visitor of a public room who has gone holds no seat.
 */
export function seatsTaken(attendees: readonly Attendee[]): number {
  return attendees.filter((entry) => !entry.isBlocked && (entry.isReserved || entry.isInvited || entry.isPresent))
    .length
}

/** A record that says nothing yet: neither reserved nor invited, not present. */
export function newAttendee(userId: string, flags: Partial<Attendee> = {}): Attendee {
  return {
    userId,
    isHost: false,
    isPresent: false,
    isReserved: false,
    isInvited: false,
    isBlocked: false,
    entered: 0,
    ...flags,
  }
}

/** The user's record; somebody unknown gets one, as a visitor of a public room does (room §7). */
export function ensureAttendee(room: Room, userId: string): Attendee {
  const known = attendeeIn(room, userId)
  if (known !== undefined) return known
  const visitor = newAttendee(userId)
  room.attendees.push(visitor)
  return visitor
}

/** Users of a list, each once, in the order they were named. */
export function uniqueUsers(users: readonly string[]): string[] {
  return [...new Set(users)]
}
