import type {Advice} from '../../advice.js'
import {fillText, type Values} from '../contract/operation.js'
import type {RoomDetail} from '../contract/room.js'
import type {Answer} from '../contract/states.js'
import {recordOf} from './room.js'
import type {RefusalExplanation, RoomRule, RuleResult} from './rule.js'

export const again = 'wait a moment, then run the same command again'
const justThere = 'the room can be read now; it may have just been created'

/** Of an operation that names users who need not be on the list. */
export const roomIsThere: RuleResult = {allowed: 'yes', why: 'the room exists', ifRefused: {why: justThere, try: again}}

/**
 * The room or the record of a user is missing (room, Common errors). `allowed`: the answer if a user in the request
 * is not on the list.
 */
export function recordsCheck(allowed: Answer): RoomRule['check'] {
  return (room, context) => {
    const missing = unlistedCheck(allowed)(room, context)
    if (missing) return missing
    const people = usersNamed(context.values)
    if (people.length === 0) return roomIsThere
    const why = `the room exists and ${listOf(people)} on its attendee list now`
    return {allowed: 'yes', why, ifRefused: {why: `${why}; that may have just changed`, try: again}}
  }
}

/** CE001 also covers unlisted users. */
export function unlistedCheck(allowed: Answer): RoomRule['check'] {
  return (room, {values}) => {
    if (room.attendees == null) return undefined
    const absent = usersNamed(values).filter((user) => recordOf(room, user) === undefined)
    if (absent.length === 0) return undefined
    const why = `${listOf(absent)} not on the attendee list of the room`
    const mark = allowed === 'unknown' ? ({undocumented: 'answer'} as const) : {}
    return {allowed, why, ifRefused: notListed(absent, room, values), ...mark}
  }
}

export function notListed(absent: readonly string[], room: RoomDetail, values: Values): RefusalExplanation {
  const creator = absent.find((user) => user === room.created_by)
  const beside = creator === undefined ? '' : `, though ${creator} created it`
  return {
    why: `the room exists; ${listOf(absent)} not on its attendee list${beside}`,
    try: wayToBeListed(absent, room.room_id, values),
  }
}

function wayToBeListed(absent: readonly string[], roomId: string, values: Values): Advice {
  const requester = requesterIn(values)
  if (requester !== undefined && absent.includes(requester)) {
    const flag = values.from === undefined ? '--as' : '--from'
    return {sentence: `name a listed user with ${flag}`, command: ['attendee list', roomId]}
  }
  return {command: ['attendee add', roomId, ...absent]}
}

/** An update may name its requester `user_id` (room §4 rule 1). */
function requesterIn({requester_id, from, user_id}: Values): string | undefined {
  const requester = requester_id ?? from ?? user_id
  return requester === undefined ? undefined : String(requester)
}

function usersNamed(values: Values): string[] {
  const {user_id, userId, to, attendees} = values
  const others = [user_id, userId].filter((user) => user !== undefined).map(String)
  const requester = requesterIn(values)
  return [...new Set([...(requester === undefined ? [] : [requester]), ...others, ...users(to), ...users(attendees)])]
}

/** `ben is`, `ben, carl are`. */
export function listOf(names: readonly string[]): string {
  return `${fillText('{names}', {names})} ${names.length === 1 ? 'is' : 'are'}`
}

export function users(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
