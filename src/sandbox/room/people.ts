import type {Attendee, Room} from '../world/world.js'

/** The record of a user in a room, or undefined. */
export function attendeeOf(room: Room, userId: string): Attendee | undefined {
  return room.attendees.find((entry) => entry.userId === userId)
}

export function hostOf(room: Room): Attendee | undefined {
  return room.attendees.find((entry) => entry.isHost)
}

/** Who is in the room now, in no particular order. */
export function presentIn(room: Room): Attendee[] {
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
export function recordOf(room: Room, userId: string): Attendee {
  const known = attendeeOf(room, userId)
  if (known !== undefined) return known
  const visitor = newAttendee(userId)
  room.attendees.push(visitor)
  return visitor
}

/** Users of a list, each once, in the order they were named. */
export function each(users: readonly string[]): string[] {
  return [...new Set(users)]
}
