import {moment} from '../../text/time.js'
import {fillAdvice} from '../contract/operation.js'
import type {RoomDetail} from '../contract/room.js'
import {stateRules} from '../contract/states.js'
import {recordsCheck} from './attendeeListExplanation.js'
import {listSize, requestRule} from './requestRules.js'
import {hostOf, presentCount, recordOf, stateOf} from './room.js'
import type {RoomRule, RuleContext, RuleResult, Trace} from './rule.js'

type Check = RoomRule['check']

/** For one user; a room as such has none. */
function ofUser(check: (room: RoomDetail, user: string, context: RuleContext) => RuleResult | undefined): Check {
  return (room, context) => {
    const {userId} = context.values
    return userId === undefined ? undefined : check(room, String(userId), context)
  }
}

/** room §7 rule 3. */
function ended(room: RoomDetail): RuleResult | undefined {
  const state = stateOf(room)
  if (state === undefined || stateRules['attendee.token'].in[state].allowed !== 'no') return undefined
  return {
    allowed: 'no',
    reason: 'ended',
    why: `the room is ${state}: it issues no tokens and cannot change`,
    try: 'roomctl room create NAME',
    by: 'anyone with the application token',
    isFinal: true,
  }
}

/** Somebody in a room has entered it. */
const isInside = ofUser((room, user) =>
  recordOf(room, user)?.is_present === true
    ? {allowed: 'yes', reason: 'present', why: `${user} is in the room now`, isFinal: true}
    : undefined,
)

/**
 * room §8 rule 5. The journal may not know a block that was made elsewhere. A block needs a MEETING and spares the host (room §8
 * rules 2, 3).
 */
const notBlocked = ofUser((room, user, {traces}) => {
  const trace = traces?.blocks.get(user)
  const advice = {
    try: fillAdvice('roomctl attendee restore {roomId} {user}', {roomId: room.room_id, user}),
    by: `${hostWords(room)}`,
  }
  if (trace !== undefined && trace.holds !== 'no') {
    return {
      allowed: trace.holds === 'yes' ? 'no' : 'unknown',
      reason: 'blocked',
      why: traceText(user, trace),
      ...advice,
    }
  }
  const state = stateOf(room)
  const never = (state !== 'MEETING' && state !== 'IDLE') || hostOf(room) === user
  if (trace || never) return undefined
  return {
    allowed: 'yes',
    why: `no record says that ${user} is blocked`,
    ifRefused: {why: `${user} may have been blocked from another machine`, ...advice},
  }
})

function traceText(user: string, {holds, by, at}: Trace): string {
  if (by === 'refusal') return `${user} may be blocked: a token was refused with T001 at ${at}`
  if (holds === 'maybe') return `${user} may be blocked: the answer to a change from this machine at ${at} was lost`
  return `${user} is blocked and can neither obtain a token nor enter (last set from this machine, ${at})`
}

/** room §7 rule 1, §1 rule 2. Without this reason for T001, only a block is left. */
const admitted = ofUser((room, user) => {
  const record = recordOf(room, user)
  const restore = fillAdvice('roomctl attendee restore {roomId} {user}', {roomId: room.room_id, user})
  if (record?.is_reserved === true || record?.is_invited === true) {
    const why = `${user} is on the attendee list`
    return {allowed: 'yes', reason: 'listed', why, ifRefused: {why: `${why}, so ${user} is blocked`, try: restore}}
  }
  if (room.is_public === true) {
    const ifRefused = {why: `the room is public, so ${user} is blocked`, try: restore}
    const source = 'room §1 rule 2'
    return {allowed: 'yes', reason: 'public', why: 'the room is public, anyone may attend', source, ifRefused}
  }
  const isPrivate = room.is_public === false
  const unlisted = `${isPrivate ? 'the room is private' : 'the service does not say whether the room is public'}, and ${user} is not on its attendee list`
  return {
    allowed: isPrivate && !record && room.attendees != null ? 'no' : 'unknown',
    reason: 'not-listed',
    why: record ? `the room is private, and ${user} was in it without being reserved or invited` : unlisted,
    ...addition(room, user),
  }
})

/** A full list has to grow first (room §6 rule 3). */
function addition(room: RoomDetail, user: string): Pick<RuleResult, 'try' | 'by'> {
  const add = fillAdvice('roomctl attendee add {roomId} {user}', {roomId: room.room_id, user})
  if (listSize(room, {values: {attendees: [user]}})?.allowed !== 'no') {
    return {try: add, by: 'any requester, host or not'}
  }
  return {try: `${raise(room)} && ${add}`, by: `${hostWords(room)}, as the list is full`}
}

/** room §7 rule 3. Of a room as such: for anybody who is not in it. */
function seatLeft(room: RoomDetail, {values: {userId: user}}: RuleContext): RuleResult | undefined {
  const most = room.max_attendee_count
  if (typeof most !== 'number' || recordOf(room, user)?.is_present === true) return undefined
  const present = presentCount(room)
  const counted = `${present} ${present === 1 ? 'is' : 'are'} present, and max_attendee_count is ${most}`
  if (present < most) {
    if (user === undefined) return undefined
    const look = fillAdvice('roomctl attendee why {roomId} {user}', {roomId: room.room_id, user})
    return {allowed: 'yes', why: counted, ifRefused: {why: `${counted}, so the reason is a different one`, try: look}}
  }
  return {
    allowed: 'no',
    reason: 'full',
    why: `the room is full: ${counted}`,
    try: raise(room),
    by: `${hostWords(room)}; or somebody leaves`,
  }
}

/** Above the present maximum and the number of attendees (room §4 rule 3). */
function raise({room_id: roomId, max_attendee_count: most, attendees}: RoomDetail): string {
  const number = Math.max(Number(most ?? 0), attendees?.length ?? 0) + 1
  return fillAdvice('roomctl room update {roomId} --max {number}', {roomId, number})
}

/** The table of create and room §1 rule 7. */
const joinable = ofUser((room, user) => {
  if (room.is_joinable !== false) return undefined
  const isHost = hostOf(room) === user
  const fixed = isFixed(room)
  const closed = 'participants cannot enter until is_joinable is true'
  return {
    allowed: isHost ? 'unknown' : 'no',
    reason: 'not-joinable',
    why: isHost ? `${closed}; one text still lets the host enter, the other nobody` : closed,
    try: fillAdvice(`roomctl room update {roomId} ${fixed ? '--admin ' : ''}--joinable`, {roomId: room.room_id}),
    by: fixed
      ? `the platform admin; the host cannot change it while the room is ${room.room_status} (room, Operation validity by state)`
      : `${hostWords(room)}, or the creator`,
  }
})

/** Operation validity by state: in MEETING and IDLE; the update by the platform admin names no state. */
function isFixed(room: RoomDetail): boolean {
  const state = stateOf(room)
  return state === 'MEETING' || state === 'IDLE'
}

/** Transitions from IDLE back to MEETING are not shown. */
function started(room: RoomDetail): RuleResult | undefined {
  const state = stateOf(room)
  if (state === 'MEETING') return undefined
  if (state === 'RESERVED') {
    return {allowed: 'yes', reason: 'not-started', why: 'the room has not started: the first to enter starts it'}
  }
  if (state === undefined) {
    return {allowed: 'unknown', reason: 'state-unknown', why: 'the service does not say what state the room is in'}
  }
  const why = 'everybody has left the room, and how to re-enter an IDLE room is undocumented'
  return {allowed: 'unknown', reason: 'idle', why}
}

/** The document has reserved times, but no rule that they keep anybody out. A meeting continues. */
function withinReservation(room: RoomDetail, {now}: RuleContext): RuleResult | undefined {
  const {room_id: roomId, reserved_start_time: start, reserved_end_time: end} = room
  const state = stateOf(room)
  const silent = 'the document does not say whether anyone can enter'
  if (now === undefined || state === 'MEETING') return undefined
  const begins = moment(start)
  const ends = moment(end)
  if (state === 'RESERVED' && begins && begins > now) {
    return {
      allowed: 'unknown',
      reason: 'too-early',
      why: `the reservation begins at ${start}; ${silent} before`,
      try: fillAdvice('roomctl room update {roomId} --start now', {roomId}),
      by: `${hostWords(room)}`,
    }
  }
  if (!ends || ends >= now) return undefined
  const fixed = isFixed(room)
  return {
    allowed: 'unknown',
    reason: 'too-late',
    why: `the reservation ended at ${end}; ${silent} after`,
    try: fillAdvice(`roomctl room update {roomId} ${fixed ? '--admin ' : ''}--end +1h`, {roomId}),
    by: fixed ? 'the platform admin' : `${hostWords(room)}`,
  }
}

function hostWords(room: RoomDetail): string {
  const host = hostOf(room)
  return host === undefined ? 'the host (none at present)' : `the host, ${host}`
}

/** Who gets a token (room §7), and who can enter with it, by precedence. */
export const admissionRules: readonly RoomRule[] = [
  requestRule('attendee.token', 'T001', 'room §7 rule 1', admitted),
  requestRule('attendee.token', 'T001', 'room §8 rule 5', notBlocked),
  requestRule('attendee.token', 'CE001', 'room §7 rule 3', seatLeft),
  requestRule('attendee.token', 'CE002', 'room, Errors', recordsCheck('yes')),
  requestRule('enter', 'T002', 'room §7 rule 3', ended),
  requestRule('enter', undefined, 'room, Attendee', isInside),
  requestRule('enter', 'T001', 'room §8 rule 5', notBlocked),
  requestRule('enter', 'T001', 'room §7 rule 1', admitted),
  requestRule('enter', 'CE001', 'room §7 rule 3', seatLeft),
  requestRule('enter', undefined, 'room §1, Request body', joinable),
  requestRule('enter', undefined, 'room, States and transitions', started),
  requestRule('enter', undefined, 'room, Room', withinReservation),
]
