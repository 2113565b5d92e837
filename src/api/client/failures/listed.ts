import type {AttendeeRecord, RoomDetail} from '../../contract/room.js'
import {fillAdvice, fillText, type Values} from '../../rules/templates.js'
import type {Reading} from './refusal.js'

/** Says who is not on the list of a room that is there, and what helps. */
export function notListed(absent: readonly string[], room: RoomDetail, values: Values): Reading {
  const creator = absent.find((user) => user === room.created_by)
  const beside = creator === undefined ? '' : `, though ${creator} created it`
  return {
    why: `the room exists; ${listOf(absent)} not on its attendee list${beside}`,
    try: wayToBeListed(absent, values),
  }
}

function wayToBeListed(absent: readonly string[], values: Values): string {
  const requester = requesterOf(values)
  if (requester !== undefined && absent.includes(requester)) {
    const flag = values.from === undefined ? '--as USER' : '--from USER'
    return fillAdvice(`roomctl attendee list {roomId}, then name somebody listed there with ${flag}`, values)
  }
  const users = absent.map((user) => fillAdvice('{user}', {user})).join(' ')
  return `${fillAdvice('roomctl attendee add {roomId}', values)} ${users}`
}

/** Those whom a call names and who are not on the list. */
export function unlisted(room: RoomDetail, values: Values): string[] {
  return peopleOf(values).filter((user) => recordOf(room, user) === undefined)
}

/** Whom the call is made as: an update may name its requester `user_id` (room §4 rule 1). */
function requesterOf({requester_id, from, user_id}: Values): string | undefined {
  const requester = requester_id ?? from ?? user_id
  return requester === undefined ? undefined : String(requester)
}

/** Everybody whom a call names. */
export function peopleOf(values: Values): string[] {
  const {user_id, userId, to, attendees} = values
  const others = [user_id, userId].filter((user) => user !== undefined).map(String)
  const requester = requesterOf(values)
  return [...new Set([...(requester === undefined ? [] : [requester]), ...others, ...words(to), ...words(attendees)])]
}

export function attendeesOf({attendees}: RoomDetail): readonly AttendeeRecord[] {
  return attendees ?? []
}

export function recordOf(room: RoomDetail, user: string): AttendeeRecord | undefined {
  return attendeesOf(room).find(({user_id}) => user_id === user)
}

/** `ben is`, `ben, carl are`. */
export function listOf(users: readonly string[]): string {
  return `${fillText('{users}', {users})} ${users.length === 1 ? 'is' : 'are'}`
}

export function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
