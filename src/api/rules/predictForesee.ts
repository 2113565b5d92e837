import type {Code} from '../contract/codes.js'
import type {RoomDetail} from '../contract/room.js'
import {fixedOnceMet} from '../contract/states.js'

type Values = Readonly<Record<string, unknown>>

/** A refusal that the documents let expect. */
export interface Refused {
  readonly code: Code
  readonly why: string
}

/**
 * The refusal that the values of a request let expect, given the room as it is now; undefined where there is none, or no
 * value. What the room does not show (who is blocked, whether a recording runs) cannot be foreseen.
 */
export function foresee(operation: string, room: RoomDetail, values: Values): Refused | undefined {
  return rules[operation]?.(room, values)
}

type Rule = (room: RoomDetail, values: Values) => Refused | undefined

const rules: Readonly<Record<string, Rule>> = {
  // room, Operation validity by state.
  'room.update': ({room_status: state}, values) => {
    const fixed = fixedOnceMet.filter((field) => values[field] !== undefined)
    if (fixed.length === 0 || (state !== 'MEETING' && state !== 'IDLE')) return undefined
    return {code: 'U001', why: `${fixed.join(', ')} cannot change in a room that is ${state}`}
  },
  // room §6 rule 3.
  'attendee.add': (room, {attendees: added}) => {
    const listed = (room.attendees ?? []).filter(({is_reserved, is_invited}) => is_reserved || is_invited)
    const ids = new Set([...listed.map(({user_id}) => user_id), ...words(added)])
    const most = room.max_attendee_count
    if (typeof most !== 'number' || ids.size <= most) return undefined
    return {code: 'AA001', why: `the room would have ${ids.size} attendees, and its maximum is ${most}`}
  },
  // room §7 rule 1.
  'attendee.token': (room, {userId}) => {
    if (userId === undefined || room.is_public !== false || room.attendees == null) return undefined
    if (recordOf(room, userId)) return undefined
    return {code: 'T001', why: `the room is private, and ${userId} is not on its attendee list`}
  },
  // room §8 rules 3 and 4.
  'attendee.block': (room, {attendees: blocked}) => {
    if (room.attendees == null) return undefined
    const host = words(blocked).find((user) => recordOf(room, user)?.is_host === true)
    if (host !== undefined) return {code: 'CE003', why: `${host} is the host, who cannot be blocked`}
    const absent = words(blocked).filter((user) => recordOf(room, user)?.is_present !== true)
    return absent.length === 0 ? undefined : {code: 'BR001', why: `not present in the room: ${absent.join(', ')}`}
  },
  // room §13 rule 2.
  'room.delegate': (room, {user_id: user}) => {
    if (user === undefined || room.attendees == null) return undefined
    const record = recordOf(room, user)
    if (!record) return {code: 'CE002', why: `${user} is not on the attendee list of the room`}
    if (record.is_host === true) return {code: 'CE001', why: `${user} is the host already`}
    return record.is_present === true ? undefined : {code: 'CE001', why: `${user} is not present in the room`}
  },
}

function recordOf(room: RoomDetail, user: unknown) {
  return room.attendees?.find(({user_id}) => user_id === user)
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
