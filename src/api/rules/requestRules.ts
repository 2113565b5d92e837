import type {Advice} from '../../advice.js'
import {createAnother} from '../contract/meanings.js'
import type {Values} from '../contract/operation.js'
import type {RoomDetail} from '../contract/room.js'
import {presentCount} from '../contract/roomFacts.js'
import {fixedOnceMet} from '../contract/states.js'
import {listOf, notListed, recordsCheck, roomIsThere, unlistedCheck, users} from './attendeeRules.js'
import {recordOf, stateOf} from './room.js'
import type {JournalFact, RoomRule, RuleContext, RuleResult} from './rule.js'

type Check = RoomRule['check']

const elsewhere = 'so the reason is a different one'

/** room, Operation validity by state. */
function fixedFields(room: RoomDetail, {values}: RuleContext): RuleResult | undefined {
  const state = stateOf(room)
  const fixed = fixedOnceMet.filter((field) => values[field] !== undefined)
  if (fixed.length === 0 || (state !== 'MEETING' && state !== 'IDLE')) return undefined
  const isInCode = state === 'MEETING' && values.is_joinable === undefined
  return {
    allowed: 'no',
    why: `${fixed.join(', ')} cannot change in a room that is ${state}`,
    ...(isInCode ? {} : {undocumented: 'code'}),
  }
}

/** In the widest reading: everybody reserved, invited or present. */
export function attendeesOf({attendees}: RoomDetail): number {
  return (attendees ?? []).filter((attendee) => attendee.is_reserved || attendee.is_invited || attendee.is_present)
    .length
}

/**
 * room §4 rule 3. The error text says that the maximum must be greater, the field table that it must not be lower, and neither says
 * whether absent attendees count.
 */
function maximumKept(room: RoomDetail, {values}: RuleContext): RuleResult | undefined {
  if (room.attendees == null) return undefined
  const sent = Number(values.max_attendee_count)
  const has = attendeesOf(room)
  const people = `the ${has} ${has === 1 ? 'attendee' : 'attendees'} that the room has now`
  if (sent <= has) {
    return {
      ...(sent < (presentCount(room) ?? 0) ? {allowed: 'no'} : {allowed: 'unknown', undocumented: 'answer'}),
      why: `max_attendee_count ${sent} is not above ${people}`,
      try: {command: ['room update', room.room_id, '--max', String(has + 1)]},
    }
  }
  const why = `max_attendee_count ${sent} is above ${people}`
  return {allowed: 'yes', why, ifRefused: {why: `${why}, ${elsewhere}`}}
}

/** With the times that the update does not change. */
function reservationOrdered(room: RoomDetail, {values}: RuleContext): RuleResult | undefined {
  const {reserved_start_time, reserved_end_time} = room
  return endAfterStart({reserved_start_time, reserved_end_time, ...values})
}

/** Unlisted, if the request names no user. */
const anybody = ['']

/** room §6 rule 3, which does not say whether a visitor of a public room counts; a room full of present users is full. */
export function listSize(room: RoomDetail, {values}: RuleContext): RuleResult | undefined {
  const most = room.max_attendee_count
  if (typeof most !== 'number') return undefined
  const listed = (room.attendees ?? []).filter(({is_reserved, is_invited}) => is_reserved || is_invited)
  const visitors = (room.attendees ?? []).filter(({is_present}) => is_present)
  const added = values.attendees === undefined ? anybody : users(values.attendees)
  const least = Math.max(sizeOf(listed, added), sizeOf(visitors, added))
  const raised = (number: number): Advice => ({command: ['room update', room.room_id, '--max', String(number)]})
  if (least > most) {
    return {
      allowed: 'no',
      why: `the room would have ${least} attendees, and its maximum is ${most}`,
      try: raised(least),
    }
  }
  const largest = sizeOf([...listed, ...visitors], added)
  if (largest <= most) return stateOf(room) === 'ENDED' ? endedList : undefined
  return {
    allowed: 'unknown',
    undocumented: 'answer',
    why: `the room would have ${largest} attendees with those who are in it unlisted, and its maximum is ${most}`,
    try: raised(largest),
  }
}

const endedList: RuleResult = {
  allowed: 'yes',
  why: 'the list has room',
  ifRefused: {why: 'the room is ENDED, and its attendee list cannot grow', try: createAnother},
}

function sizeOf(listed: readonly {user_id: string}[], added: readonly string[]): number {
  return new Set([...listed.map(({user_id}) => user_id), ...added]).size
}

/** room §8 rule 3. */
function sparesHost(room: RoomDetail, {values}: RuleContext): RuleResult | undefined {
  const host = users(values.attendees).find((user) => recordOf(room, user)?.is_host === true)
  if (host === undefined) return undefined
  return {allowed: 'no', why: `${host} is the host and cannot be blocked`, undocumented: 'code'}
}

/** room §8 rule 4. */
function presence(room: RoomDetail, {values}: RuleContext): RuleResult | undefined {
  if (room.attendees == null) return undefined
  const absent = users(values.attendees).filter((user) => recordOf(room, user)?.is_present !== true)
  if (absent.length === 0) return undefined
  return {
    allowed: 'no',
    why: `not present in the room: ${absent.join(', ')}`,
    ifRefused: {why: `${listOf(absent)} not in the room now, and only somebody who is present can be blocked`},
  }
}

/** room §9 rule 3. The room does not show who is blocked, so the journal decides. */
function restorable(room: RoomDetail, {values, journalFacts}: RuleContext): RuleResult | undefined {
  if (room.attendees == null) return undefined
  const named = users(values.attendees)
  const present = named.filter((user) => recordOf(room, user)?.is_present === true)
  if (present.length > 0) {
    const why = `${listOf(present)} in the room now, so not blocked; every user named must be`
    return {allowed: 'no', why, undocumented: 'code'}
  }
  const absent = named.filter((user) => recordOf(room, user) === undefined)
  if (absent.length > 0) {
    const why = `${listOf(absent)} not on the attendee list of the room`
    return {allowed: 'unknown', why, ifRefused: notListed(absent, room, values)}
  }
  const why = 'every user must be blocked at present, which the service does not show'
  const history: Advice = {command: ['history', room.room_id, '--operation', 'attendee.block']}
  const areBlocked = named.every((user) => journalFacts?.blocks.get(user)?.holds === 'yes')
  return {allowed: areBlocked ? 'yes' : 'unknown', why, ifRefused: {why, try: history}}
}

/** room §14. */
function notRecording({room_id: roomId}: RoomDetail, {journalFacts}: RuleContext): RuleResult | undefined {
  const fact = journalFacts?.recording
  if (fact === undefined || fact.holds === 'no') return undefined
  return {
    allowed: fact.holds === 'yes' ? 'no' : 'unknown',
    why: recordingText(fact),
    try: {command: ['record stop', roomId]},
  }
}

/** room §15: the room does not show whether a recording is running. */
function recording(room: RoomDetail, {journalFacts}: RuleContext): RuleResult {
  const fact = journalFacts?.recording
  if (fact?.holds === 'yes') return {allowed: 'yes', why: recordingText(fact)}
  return {
    allowed: 'unknown',
    // A service may send a status that is not text, which no sentence can name.
    why: `${typeof room.room_status === 'string' ? `the room is ${room.room_status}, and ` : ''}the service does not show whether a recording is running`,
  }
}

function recordingText({holds, by, at}: JournalFact): string {
  if (by === 'refusal') return `a recording was running at ${at}: another start was refused`
  if (holds === 'maybe') return `a recording may be running: the answer to a change from this machine at ${at} was lost`
  return `a recording was started from this machine at ${at}`
}

/** room §13 rule 2. */
function recipient(room: RoomDetail, {values}: RuleContext): RuleResult | undefined {
  if (room.attendees == null) return undefined
  const user = String(values.user_id)
  const record = recordOf(room, user)
  if (!record) return {allowed: 'yes', why: `${user} is not listed`, ifRefused: notListed([user], room, values)}
  if (record.is_host === true) return {allowed: 'no', why: `${user} is the host already`}
  if (record.is_present !== true) {
    const ifRefused = {why: `${user} is on the attendee list, but not in the room now`}
    return {allowed: 'no', why: `${user} is not present in the room`, ifRefused}
  }
  const why = `${user} is in the room now and not its host`
  return {allowed: 'yes', why, ifRefused: {why: `${why}, ${elsewhere}`}}
}

/** room, Errors. */
function recipientRecord(room: RoomDetail, context: RuleContext): RuleResult | undefined {
  const user = String(context.values.user_id)
  const result = recordsCheck('yes')(room, context)
  if (room.attendees == null || recordOf(room, user)) return result
  return result && {...result, allowed: 'no', why: `${user} is not on the attendee list of the room`}
}

export function requestRule(
  operation: RoomRule['operation'],
  code: RoomRule['code'],
  source: string,
  check: Check,
  fields?: readonly string[],
): RoomRule {
  return {operation, about: 'request', code, source, check, ...(fields ? {fields} : {})}
}

const target = ['attendees']
const common = 'room, Errors'

export const requestRules: readonly RoomRule[] = [
  requestRule('room.update', 'U001', 'room, Operation validity by state', fixedFields, fixedOnceMet),
  requestRule('room.update', 'CE001', 'room §4 rule 3', maximumKept, ['max_attendee_count']),
  requestRule('room.update', 'CE001', 'room, Room', reservationOrdered, ['reserved_start_time', 'reserved_end_time']),
  requestRule('room.update', 'CE002', common, recordsCheck('yes')),
  requestRule('room.adminUpdate', 'CE002', common, () => roomIsThere),
  requestRule('room.delete', 'CE002', common, recordsCheck('yes')),
  requestRule('room.end', 'CE002', common, recordsCheck('yes')),
  requestRule('room.presenter', 'CE001', common, unlistedCheck('unknown'), ['user_id']),
  requestRule('room.presenter', 'CE002', common, recordsCheck('unknown'), ['user_id']),
  requestRule('room.delegate', 'CE001', 'room §13 rule 2', recipient, ['user_id']),
  requestRule('room.delegate', 'CE002', common, recipientRecord, ['user_id']),
  requestRule('room.send', 'CE001', common, unlistedCheck('unknown'), ['from', 'to']),
  requestRule('room.send', 'CE002', common, recordsCheck('unknown'), ['from', 'to']),
  requestRule('attendee.add', 'AA001', 'room §6 rule 3', listSize),
  requestRule('attendee.add', 'CE002', common, () => roomIsThere),
  requestRule('attendee.block', 'CE003', 'room §8 rule 3', sparesHost, target),
  requestRule('attendee.block', 'BR001', 'room §8 rule 4', presence, target),
  requestRule('attendee.block', 'CE001', common, unlistedCheck('unknown'), target),
  requestRule('attendee.block', 'CE002', common, recordsCheck('yes')),
  requestRule('attendee.restore', 'CE001', 'room §9 rule 3', restorable, target),
  requestRule('attendee.restore', 'CE002', common, recordsCheck('yes')),
  {...requestRule('record.start', 'RE001', 'room §14', notRecording), about: 'state'},
  requestRule('record.start', 'CE002', common, recordsCheck('yes')),
  {...requestRule('record.stop', 'RE001', 'room §15', recording), about: 'state'},
  requestRule('record.stop', 'CE002', common, recordsCheck('yes')),
]

/** room §1 rules 3 and 4. */
function creatorListed({created_by: user, attendees, host_selection_type: host, is_public}: Values) {
  if (Array.isArray(attendees) && attendees.includes(user)) return undefined
  if (host !== 'CREATOR' && is_public !== false) return undefined
  const when = host === 'CREATOR' ? 'under --host creator' : 'in a private room'
  const why = `${when} the creator must be among the attendees, and ${user} is not`
  return {allowed: 'no', why, try: 'add the creator with -a'} as const
}

/** room §1. */
function seatsForAll({attendees, max_attendee_count: most}: Values) {
  if (!Array.isArray(attendees) || typeof most !== 'number' || attendees.length <= most) return undefined
  const why = `there are ${attendees.length} attendees, and max_attendee_count is ${most}`
  return {allowed: 'no', why, try: 'raise --max', undocumented: 'answer'} as const
}

/** room, Room. */
function endAfterStart({reserved_start_time: start, reserved_end_time: end}: Values) {
  if (typeof start !== 'string' || typeof end !== 'string' || Date.parse(end) > Date.parse(start)) return undefined
  const why = `the reservation would end at ${end}, not after its start at ${start}`
  return {allowed: 'no', why, try: 'give a later --end', undocumented: 'answer'} as const
}

/** The rules about the values of a request alone, all of CE001, by operation. */
export const argumentRules: Readonly<Record<string, readonly ((values: Values) => RuleResult | undefined)[]>> = {
  'room.create': [creatorListed, seatsForAll, endAfterStart],
  'room.update': [endAfterStart],
  'room.adminUpdate': [endAfterStart],
}
