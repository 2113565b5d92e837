import {type AttendeeRecord, type RoomDetail, roomStates} from '../../api/contract/room.js'
import {foresee} from '../../api/rules/predictForesee.js'
import {hostOf} from '../../api/rules/room.js'
import {fillAdvice} from '../../api/rules/templates.js'
import {moment} from '../../text/time.js'
import type {Reason} from '../../view/room/why.js'
import type {BlockTrace} from './lastBlock.js'

/** A user at the door of a room. */
export interface Entrance {
  readonly room: RoomDetail
  readonly attendees: readonly AttendeeRecord[]
  readonly user: string
  readonly now: Date
  /** What the journal of this machine tells of blocking. */
  readonly trace: BlockTrace | undefined
}

/** One thing for or against entering; what puts it right is left out where nothing has to be. */
export type Finding = Pick<Reason, 'code' | 'allows' | 'why' | 'source'> & Partial<Reason>

/** room §7 rule 3. */
export const ended: Finding = {
  code: 'ended',
  allows: 'no',
  why: 'the room is ENDED: it gives no token any more, and nothing in it can change',
  source: 'room §7 rule 3',
  error_code: 'T002',
  fix: 'roomctl room create NAME',
  by: 'anybody with the application token',
}

/** The user's record in the room, where there is one. */
export function recordOf({attendees, user}: Pick<Entrance, 'attendees' | 'user'>): AttendeeRecord | undefined {
  return attendees.find(({user_id}) => user_id === user)
}

function blocked({room, user, trace}: Entrance): Finding | undefined {
  if (trace === undefined || trace.blocked === 'no') return undefined
  return {allows: trace.blocked === 'yes' ? 'no' : 'unclear', why: traceWords(user, trace), ...block(room, user)}
}

/**
 * What is left where somebody is kept out though nothing known says so: a block that the journal does not know. Undefined where it
 * does, and where there can be none: a block takes a MEETING and spares the host (room §8 rules 2, 3).
 */
export function unknownBlock({room, user, trace}: Entrance): Finding | undefined {
  const {room_status: status} = room
  if (trace || (status !== 'MEETING' && status !== 'IDLE') || hostOf(room) === user) return undefined
  return {allows: 'unclear', why: `${user} may have been blocked from elsewhere`, ...block(room, user)}
}

function block(room: RoomDetail, user: string) {
  return {
    code: 'blocked',
    source: 'room §8 rule 5',
    error_code: 'T001',
    fix: fillAdvice('roomctl attendee restore {roomId} {user}', {roomId: room.room_id, user}),
    by: `${hostWords(room)} (room §9 rule 1)`,
  }
}

function traceWords(user: string, {blocked, by, at, who}: BlockTrace): string {
  const from = who === undefined ? 'from this machine' : `by ${who}`
  if (by === 'refusal') return `${user} may be blocked: a token was refused with T001 at ${at}`
  if (blocked === 'maybe') return `${user} may be blocked: the answer to a change ${from} at ${at} was lost`
  return `${user} is blocked and can neither obtain a token nor enter (last set ${from}, ${at})`
}

function listing(entrance: Entrance): Finding | undefined {
  const {room, user} = entrance
  const record = recordOf(entrance)
  const listed = record?.is_reserved === true || record?.is_invited === true
  if (listed) return {code: 'listed', allows: 'yes', why: `${user} is on the attendee list`, source: 'room §7 rule 1'}
  if (room.is_public === true) {
    return {code: 'public', allows: 'yes', why: 'the room is public, anyone may attend', source: 'room §1 rule 2'}
  }
  const isPrivate = room.is_public === false
  const why = record
    ? `the room is private, and ${user} was in it without being reserved or invited`
    : `${isPrivate ? 'the room is private' : 'the service does not say whether the room is public'}, and ${user} is not on its attendee list`
  return {
    code: 'not-listed',
    allows: isPrivate && !record ? 'no' : 'unclear',
    why,
    source: 'room §7 rule 1',
    error_code: 'T001',
    ...addition(entrance),
  }
}

/** How somebody gets on the list; a full list has to grow first (room §6 rule 3). */
function addition({room, user}: Entrance): Pick<Reason, 'fix' | 'by'> {
  const add = fillAdvice('roomctl attendee add {roomId} {user}', {roomId: room.room_id, user})
  if (foresee('attendee.add', room, {attendees: [user]}) === undefined) {
    return {fix: add, by: 'any requester, host or not (room §6 rule 1)'}
  }
  return {fix: `${raise(room)} && ${add}`, by: `${hostWords(room)}, as the list is full (room §6 rule 3)`}
}

function seats({room, attendees}: Entrance): Finding | undefined {
  const {max_attendee_count: most} = room
  const present = room.attendee_count?.present_count ?? attendees.filter(({is_present}) => is_present === true).length
  if (typeof most !== 'number' || present < most) return undefined
  return {
    code: 'full',
    allows: 'no',
    why: `the room is full: ${present} are present, and max_attendee_count is ${most}`,
    source: 'room §7 rule 3',
    error_code: 'CE001',
    fix: raise(room),
    by: `${hostWords(room)} (room §4 rule 1); or somebody leaves`,
  }
}

/** The new maximum is above the present one, and above the number of attendees (room §4 rule 3). */
function raise({room_id: roomId, max_attendee_count: most, attendees}: RoomDetail): string {
  const number = Math.max(most ?? 0, attendees?.length ?? 0) + 1
  return fillAdvice('roomctl room update {roomId} --max {number}', {roomId, number})
}

function joinable({room, user}: Entrance): Finding | undefined {
  if (room.is_joinable !== false) return undefined
  const isHost = hostOf(room) === user
  const {room_status: status} = room
  // room, Operation validity by state: it is fixed in MEETING and IDLE; the update by the platform admin names no state.
  const fixed = status === 'MEETING' || status === 'IDLE'
  const open = 'participants cannot enter until is_joinable is true'
  return {
    code: 'not-joinable',
    allows: isHost ? 'unclear' : 'no',
    why: isHost ? `${open}; one text lets the host enter all the same, the other nobody` : open,
    source: 'room §1, Request body',
    fix: fillAdvice(`roomctl room update {roomId} ${fixed ? '--admin ' : ''}--joinable`, {roomId: room.room_id}),
    by: fixed
      ? `the platform admin; the host cannot change it while the room is ${status} (room, Operation validity by state)`
      : `${hostWords(room)}, or the creator (room §1 rule 7)`,
  }
}

function state({room: {room_status: status}}: Entrance): Finding | undefined {
  const source = 'room, States and transitions'
  if (status === 'MEETING') return undefined
  if (status === 'RESERVED') {
    const why = 'the room has not started: the first who enters starts it'
    return {code: 'not-started', allows: 'yes', why, source}
  }
  const known = roomStates.some((one) => one === status)
  return {
    code: known ? 'idle' : 'state-unknown',
    allows: 'unclear',
    why: known
      ? 'everybody has left the room, and the document does not show how an IDLE room is entered again'
      : 'the service does not say what state the room is in',
    source,
  }
}

/** The document has reserved times and no rule that they keep anybody out, so outside them it is open. A meeting goes on. */
function reservation({room, now}: Entrance): Finding | undefined {
  const {room_id: roomId, room_status: status, reserved_start_time: start, reserved_end_time: end} = room
  const begins = moment(start)
  const ends = moment(end)
  const silent = 'the document does not say whether anybody can enter'
  if (status === 'RESERVED' && begins && begins > now) {
    return {
      code: 'too-early',
      allows: 'unclear',
      why: `the reservation begins at ${start}; ${silent} before`,
      source: 'room, Room',
      fix: fillAdvice('roomctl room update {roomId} --start now', {roomId}),
      by: `${hostWords(room)} (room §4 rule 1)`,
    }
  }
  if (status === 'MEETING' || !ends || ends >= now) return undefined
  const fixed = status === 'IDLE'
  return {
    code: 'too-late',
    allows: 'unclear',
    why: `the reservation ended at ${end}; ${silent} after`,
    source: 'room, Room',
    fix: fillAdvice(`roomctl room update {roomId} ${fixed ? '--admin ' : ''}--end +1h`, {roomId}),
    by: fixed ? 'the platform admin (room, Operation validity by state)' : `${hostWords(room)} (room §4 rule 1)`,
  }
}

function hostWords(room: RoomDetail): string {
  const host = hostOf(room)
  return host === undefined ? 'the host, of which there is none now' : `the host, ${host}`
}

/** What the document says of entering, in the order in which it counts; nothing where a rule plays no part. */
export const entryRules: readonly ((entrance: Entrance) => Finding | undefined)[] = [
  blocked,
  listing,
  seats,
  joinable,
  state,
  reservation,
]
