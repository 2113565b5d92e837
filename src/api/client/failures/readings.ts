import type {Code} from '../../contract/codes.js'
import type {OperationId} from '../../contract/operations.js'
import type {RoomDetail} from '../../contract/room.js'
import {fillAdvice, fillText, type Values} from '../../rules/templates.js'
import {attendeesOf, listOf, notListed, peopleOf, recordOf, unlisted, words} from './listed.js'
import type {Reading} from './refusal.js'
import type {FoundRoom} from './settle.js'

/** Which reading of a code a room shows; undefined where it shows none. */
type OfRoom = (found: FoundRoom, values: Values) => Reading | undefined

/** Whether a code of an operation is explained by the room that the call was about. */
export function readsRoom(operation: string, code: string, values: Values): boolean {
  const rule = ruleOf(operation, code)
  return rule !== undefined && (rule !== maximum || values.max_attendee_count !== undefined)
}

/** Why a call was refused with this code, as the room shows it; `found` has its attendees. */
export function readingOfRoom(operation: string, code: string, found: FoundRoom, values: Values): Reading | undefined {
  if (found === 'missing') return noRoom(values)
  return ruleOf(operation, code)?.(found, values)
}

function ruleOf(operation: string, code: string): OfRoom | undefined {
  return rules[operation as OperationId]?.[code as Code]
}

function noRoom(values: Values): Reading {
  const why = 'room {roomId} does not exist: the id is wrong, it was deleted, or it belongs to another application'
  return {why: fillText(why, values), try: 'roomctl room list'}
}

/** For the rules, which are asked of rooms that are there. */
function ofPresent(look: (room: RoomDetail, values: Values) => Reading | undefined): OfRoom {
  return (found, values) => (found === 'missing' ? noRoom(values) : look(found, values))
}

/** room §4 rule 3. That the maximum must be greater is said by the error text, that it must not be lower by the field table. */
const maximum = ofPresent((room, values) => {
  const sent = Number(values.max_attendee_count)
  const has = attendeesOf(room).filter((one) => one.is_reserved || one.is_invited || one.is_present).length
  const people = has === 1 ? 'attendee' : 'attendees'
  if (sent <= has) {
    return {
      why: `max_attendee_count ${sent} is not above the ${has} ${people} that the room has now (room §4 rule 3)`,
      try: fillAdvice('roomctl room update {roomId} --max {most}', {...values, most: has + 1}),
    }
  }
  const others = updatable.filter((name) => values[name] !== undefined)
  const meant = others.length === 0 ? 'the reason lies elsewhere' : `another value is meant: ${others.join(', ')}`
  return {why: `max_attendee_count ${sent} is above the ${has} ${people} that the room has now, so ${meant}`}
})

const updatable = ['name', 'description', 'reserved_start_time', 'reserved_end_time', 'is_public', 'is_joinable']

/** room §7 rule 3. */
const capacity = ofPresent((room, values) => {
  const most = room.max_attendee_count
  if (typeof most !== 'number') return undefined
  const listed = attendeesOf(room).filter(({is_present}) => is_present === true).length
  const present = room.attendee_count?.present_count ?? listed
  const counted = `${present} ${present === 1 ? 'is' : 'are'} present, and max_attendee_count is ${most}`
  if (present < most) {
    return {
      why: `${counted}, so the reason lies elsewhere`,
      try: fillAdvice('roomctl attendee why {roomId} {userId}', values),
    }
  }
  return {
    why: `the room is full: ${counted}`,
    try: fillAdvice('roomctl room update {roomId} --max {next}', {...values, next: most + 1}),
  }
})

/** room §7 rules 1 and 2: who is blocked the service does not show, but of two reasons only one may be left. */
const admission = ofPresent((room, values) => {
  const user = String(values.userId)
  const isListed = recordOf(room, user) !== undefined
  if (!isListed && room.is_public === false) {
    return {
      why: `the room is private, and ${user} is not on its attendee list`,
      try: fillAdvice('roomctl attendee add {roomId} {userId}', values),
    }
  }
  if (!isListed && room.is_public !== true) return undefined
  return {
    why: `${isListed ? `${user} is on the attendee list` : 'the room is public'}, so ${user} is blocked`,
    try: fillAdvice('roomctl attendee restore {roomId} {userId}', values),
  }
})

/** room §8 rule 4. In another state than MEETING the state is the reason. */
const presence = ofPresent((room, {attendees}) => {
  const absent = words(attendees).filter((user) => recordOf(room, user)?.is_present !== true)
  if (room.room_status !== 'MEETING' || absent.length === 0) return undefined
  return {why: `${listOf(absent)} not in the room now, and only somebody who is present can be blocked`}
})

/** room §13 rule 2. */
const recipient = ofPresent((room, values) => {
  const user = String(values.user_id)
  const record = recordOf(room, user)
  if (!record) return notListed([user], room, values)
  if (record.is_host === true) return {why: `${user} is the host already`}
  if (record.is_present !== true) return {why: `${user} is on the attendee list, but not in the room now`}
  return {why: `${user} is in the room now and not its host, so the reason lies elsewhere`}
})

/** room §9 rule 3. */
const restorable = ofPresent((room, values) => {
  const users = words(values.attendees)
  const present = users.filter((user) => recordOf(room, user)?.is_present === true)
  if (present.length > 0) return {why: `${listOf(present)} in the room now, so not blocked; every user named must be`}
  const absent = users.filter((user) => recordOf(room, user) === undefined)
  if (absent.length > 0) return notListed(absent, room, values)
  return {
    why: 'every user named must be blocked now, which the service does not show',
    try: fillAdvice('roomctl history --room {roomId} --operation attendee.block', values),
  }
})

/** A value that is wrong can be somebody who is not there. */
const named = ofPresent((room, values) => {
  const absent = unlisted(room, values)
  return absent.length > 0 ? notListed(absent, room, values) : undefined
})

/** The room is missing, or the record of somebody (room, Common errors). */
const records = ofPresent((room, values) => {
  const absent = unlisted(room, values)
  if (absent.length > 0) return notListed(absent, room, values)
  const people = peopleOf(values)
  return {
    why:
      people.length === 0
        ? justThere
        : `the room exists and ${listOf(people)} on its attendee list now, as if it had only just come about`,
    try: again,
  }
})

/** Whom the call names is not there yet, and need not be. */
const roomAlone = ofPresent(() => ({why: justThere, try: again}))

const justThere = 'the room can be read now, as if it had only just been made'
const again = 'wait a moment, then run the same command again'

const rules: Readonly<Partial<Record<OperationId, Partial<Record<Code, OfRoom>>>>> = {
  'room.update': {CE001: maximum, CE002: records},
  'room.adminUpdate': {CE002: roomAlone},
  'room.delete': {CE002: records},
  'room.end': {CE002: records},
  'room.presenter': {CE001: named, CE002: records},
  'room.delegate': {CE001: recipient, CE002: records},
  'room.send': {CE001: named, CE002: records},
  'attendee.add': {CE002: roomAlone},
  'attendee.token': {CE001: capacity, CE002: records, T001: admission},
  'attendee.block': {CE001: named, CE002: records, BR001: presence},
  'attendee.restore': {CE001: restorable, CE002: records},
  'record.start': {CE002: records},
  'record.stop': {CE002: records},
}
