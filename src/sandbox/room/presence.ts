import {createHmac} from 'node:crypto'
import {refuse} from '../wire/service.js'
import type {Choices} from '../world/choices.js'
import {type Attendee, isoUtc, type Room, type World} from '../world/world.js'
import {stopRecording} from './recordings.js'
import {attendeeIn, currentHost, ensureAttendee, presentAttendees, refuseEnded} from './rules.js'

/**
 * Refuses whom the room lets neither have a token nor enter (room §7): anybody once it is ENDED (T002), the blocked and,
 * in a private room, those not on the list (T001), anybody else while it is full (CE001). Full means that as many
 * people as max_attendee_count are in it.
 */
export function checkAdmission(room: Room, userId: string): void {
  refuseEnded(room, 'T002')
  const attendee = attendeeIn(room, userId)
  if (attendee?.isBlocked) refuse('T001', `user ${userId} is blocked in room ${room.id}`)
  if (attendee === undefined && !room.isPublic) {
    refuse('T001', `user ${userId} is not in the attendee list of the private room ${room.id}`)
  }
  if (!attendee?.isPresent && presentAttendees(room).length >= room.maxAttendees) {
    refuse('CE001', `room ${room.id} is full: max_attendee_count is ${room.maxAttendees}`)
  }
}

/**
 * Whether somebody who enters becomes host: the first under FIRST_ENTER_USER, the creator under CREATOR (room §1 rule 5).
 * That a room which lost its host gets one again in the same way is not shown.
 */
function becomesHost(room: Room, userId: string): boolean {
  if (currentHost(room) !== undefined) return false
  return room.hostSelection === 'CREATOR' ? userId === room.createdBy : presentAttendees(room).length === 0
}

/**
 * Puts a user into the room, who was found admissible. The first connection makes a RESERVED room MEETING and sets
 * start_time (room, States). How an IDLE room becomes MEETING again is not shown: here, when somebody enters.
 */
export function enterRoom(room: Room, userId: string, now: Date): string[] {
  const host = becomesHost(room, userId)
  const attendee = ensureAttendee(room, userId)
  attendee.isPresent = true
  attendee.entered = 1 + Math.max(...room.attendees.map((entry) => entry.entered))
  room.start ??= isoUtc(now)
  const notes = [`${userId} entered`]
  if (host) {
    attendee.isHost = true
    notes.push(`${userId} is the host`)
  }
  if (room.status !== 'MEETING') notes.push(`the room is MEETING; it was ${room.status}`)
  room.status = 'MEETING'
  return notes
}

/** Ends a room: nobody is in it any more, a running recording is kept. The host flag stays, so that the host can delete it. */
export function endRoom(room: Room, now: Date): void {
  stopRecording(room, now)
  for (const entry of room.attendees) entry.isPresent = false
  room.status = 'ENDED'
  room.end = isoUtc(now)
}

/** The earliest-entered participant becomes host where is_elect_host is true; otherwise nobody (room, States). */
function replaceHost(room: Room, host: Attendee, others: readonly Attendee[]): string {
  host.isHost = false
  const [next] = room.isElectHost ? others.toSorted((a, b) => a.entered - b.entered) : []
  if (next === undefined) return 'the meeting continues without a host'
  next.isHost = true
  return `${next.userId} is the host now`
}

/** Everybody has left: the room is IDLE, and a running recording stops. Whoever was host stays it, in an empty room. */
function becomeIdle(room: Room, now: Date): string[] {
  room.status = 'IDLE'
  return stopRecording(room, now) ? ['the recording stopped', 'the room is IDLE'] : ['the room is IDLE']
}

/** Takes people out of the room and lets follow what the state table says of it. Returns what followed, in words. */
export function leaveRoom(room: Room, leaving: readonly Attendee[], choices: Choices, now: Date): string[] {
  for (const entry of leaving) entry.isPresent = false
  const notes = leaving.map((entry) => `${entry.userId} left`)
  const host = leaving.find((entry) => entry.isHost)
  if (host !== undefined && !room.isElectHost && choices.hostLeave === 'destroy') {
    endRoom(room, now)
    return [...notes, 'the host left, so the room is ENDED']
  }
  const others = presentAttendees(room)
  if (others.length === 0) return [...notes, ...becomeIdle(room, now)]
  return host === undefined ? notes : [...notes, replaceHost(room, host, others)]
}

/** How long a room access token is good. Its lifetime is not shown (room, Authentication). */
const lifetimeSeconds = 60 * 60

function tokenPart(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/**
 * A room access token for the user, as a JWT signed with HS256, and the record that goes with it: a visitor of a public
 * room gets one, and `userName` sets the name in it (room §7). Refuses whom the room does not admit.
 */
export function issueToken(world: World, room: Room, userId: string, now: Date, userName?: string): string {
  checkAdmission(room, userId)
  const attendee = ensureAttendee(room, userId)
  if (userName !== undefined) attendee.name = userName
  const issued = Math.floor(now.getTime() / 1000)
  const claims = {
    sub: userId,
    room: room.id,
    name: attendee.name ?? userId,
    iat: issued,
    exp: issued + lifetimeSeconds,
    iss: 'roomctl-sandbox',
  }
  const signed = `${tokenPart({alg: 'HS256', typ: 'JWT'})}.${tokenPart(claims)}`
  return `${signed}.${createHmac('sha256', world.tokenSecret).update(signed).digest('base64url')}`
}
