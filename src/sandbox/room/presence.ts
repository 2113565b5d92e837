import {createHmac} from 'node:crypto'
import {refuse} from '../wire/service.js'
import {type Attendee, isoUtc, type Room, type World} from '../world/world.js'
import {stopRecording} from './recordings.js'
import {attendeeIn, currentHost, ensureAttendee, presentAttendees, refuseEnded} from './rules.js'

/**
 * Refuses who gets no token and cannot enter (room §7): anybody once it is ENDED (T002), the blocked and, in a private room, those
 * not on the list (T001), anybody else while as many people as max_attendee_count are in it (CE001).
 */
export function checkAdmission(room: Room, userId: string): void {
  refuseEnded(room, 'T002')
  const attendee = attendeeIn(room, userId)
  if (attendee?.isBlocked) refuse('T001', `user ${userId} is blocked in room ${room.room_id}`)
  if (attendee === undefined && !room.is_public) {
    refuse('T001', `user ${userId} is not in the attendee list of the private room ${room.room_id}`)
  }
  if (!attendee?.is_present && presentAttendees(room).length >= room.max_attendee_count) {
    refuse('CE001', `room ${room.room_id} is full: max_attendee_count is ${room.max_attendee_count}`)
  }
}

/** FIRST_ENTER_USER or CREATOR (room §1 rule 5). The document does not show whether a room that lost its host gets one this way. */
function becomesHost(room: Room, userId: string): boolean {
  if (currentHost(room) !== undefined) return false
  return room.host_selection_type === 'CREATOR' ? userId === room.created_by : presentAttendees(room).length === 0
}

/** The first connection sets start_time (room, States). How an IDLE room becomes MEETING is not shown: here, when a user enters. */
export function enterRoom(room: Room, userId: string, now: Date): string[] {
  const host = becomesHost(room, userId)
  const attendee = ensureAttendee(room, userId)
  attendee.is_present = true
  attendee.entered = 1 + Math.max(...room.attendees.map((entry) => entry.entered))
  room.start_time ??= isoUtc(now)
  const notes = [`${userId} entered`]
  if (host) {
    attendee.is_host = true
    notes.push(`${userId} is the host`)
  }
  if (room.room_status !== 'MEETING') notes.push(`${room.room_status} → MEETING`)
  room.room_status = 'MEETING'
  return notes
}

/** A running recording is kept. The host flag stays, so that the host can delete the room. */
export function endRoom(room: Room, now: Date): void {
  stopRecording(room, now)
  for (const entry of room.attendees) entry.is_present = false
  room.room_status = 'ENDED'
  room.end_time = isoUtc(now)
}

/** The earliest-entered participant becomes host if is_elect_host is true; otherwise the room has no host (room, States). */
function replaceHost(room: Room, host: Attendee, others: readonly Attendee[]): string {
  host.is_host = false
  const [next] = room.is_elect_host ? others.toSorted((a, b) => a.entered - b.entered) : []
  if (next === undefined) return 'the meeting continues without a host'
  next.is_host = true
  return `${next.user_id} is the host now`
}

/** Removes people from the room, and applies the state table. Returns what followed, in words. */
export function leaveRoom(room: Room, leaving: readonly Attendee[], now: Date): string[] {
  for (const entry of leaving) entry.is_present = false
  const notes = leaving.map((entry) => `${entry.user_id} left`)
  const host = leaving.find((entry) => entry.is_host)
  const others = presentAttendees(room)
  if (others.length === 0) {
    // The host of an empty room stays host.
    room.room_status = 'IDLE'
    return [...notes, ...(stopRecording(room, now) ? ['the recording stopped'] : []), 'the room is IDLE']
  }
  return host === undefined ? notes : [...notes, replaceHost(room, host, others)]
}

/** The lifetime of a room access token is not shown (room, Authentication). */
const lifetimeSeconds = 60 * 60

function tokenPart(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** A room access token, as a JWT signed with HS256. A visitor of a public room is recorded, and `userName` sets the name (room §7). */
export function issueToken(world: World, room: Room, userId: string, now: Date, userName?: string): string {
  checkAdmission(room, userId)
  const attendee = ensureAttendee(room, userId)
  if (userName !== undefined) attendee.userName = userName
  const issued = Math.floor(now.getTime() / 1000)
  const claims = {
    sub: userId,
    room: room.room_id,
    name: attendee.userName ?? userId,
    iat: issued,
    exp: issued + lifetimeSeconds,
    iss: 'roomctl-sandbox',
  }
  const signed = `${tokenPart({alg: 'HS256', typ: 'JWT'})}.${tokenPart(claims)}`
  return `${signed}.${createHmac('sha256', world.tokenSecret).update(signed).digest('base64url')}`
}
