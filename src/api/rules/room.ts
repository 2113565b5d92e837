import type {Values} from '../contract/operation.js'
import type {AttendeeRecord, RoomDetail} from '../contract/room.js'
import {updatable} from '../contract/roomChanges.js'
import {stateRule} from '../contract/stateRules.js'
import {type RoomState, roomStates, type Who} from '../contract/states.js'
import type {RuleContext} from './rule.js'

/** The user with the role, else the creator of a RESERVED room under CREATOR. */
export function hostOf(room: RoomDetail): string | undefined {
  const host = room.attendees?.find(({is_host}) => is_host === true)?.user_id
  if (host !== undefined) return host
  const creatorWillBe = room.room_status === 'RESERVED' && room.host_selection_type === 'CREATOR'
  return creatorWillBe ? (room.created_by ?? undefined) : undefined
}

/** Undefined for an undocumented state. */
export function stateOf({room_status: status}: RoomDetail): RoomState | undefined {
  return roomStates.find((known) => known === status)
}

/** Why no rule applies to the state of the room. */
export function whyNoRule({room_status: status}: RoomDetail): string {
  const isNamed = typeof status === 'string' && status !== ''
  return isNamed ? `the state ${status} is not documented` : 'the service does not say what state the room is in'
}

export function recordOf({attendees}: RoomDetail, user: unknown): AttendeeRecord | undefined {
  return attendees?.find(({user_id}) => user_id === user)
}

/** The users who are present, by the list. */
export function presentIn({attendees}: Pick<RoomDetail, 'attendees'>): string[] {
  return (attendees ?? []).flatMap(({user_id, is_present}) => (is_present === true ? [user_id] : []))
}

/** Who may make a request (room §4 to §15). Undefined if the document does not say. */
export function whoMay(operation: string, values: Values = {}): Who | undefined {
  // room §1 rule 7: the creator may change is_joinable alone.
  if (operation === 'room.update' && isJoinableAlone(values)) return 'host or creator'
  return stateRule(operation)?.who
}

function isJoinableAlone(values: Values): boolean {
  const changed = updatable.filter((name) => values[name] !== undefined)
  return changed.length === 1 && changed[0] === 'is_joinable'
}

export interface RoomActor {
  readonly requester_id: string
  readonly role: 'host' | 'creator'
}

/** The user of a role. Without a host, the creator if the document allows that, else undefined. */
export function actorIn(room: RoomDetail, role: 'host' | 'creator', who: Who | undefined): RoomActor | undefined {
  const host = hostOf(room)
  if (role === 'host' && host !== undefined) return {requester_id: host, role: 'host'}
  const creatorMay = role === 'creator' || who === 'host or creator'
  return creatorMay && room.created_by ? {requester_id: room.created_by, role: 'creator'} : undefined
}

export function isRole(requester: string): requester is 'host' | 'creator' {
  return requester === 'host' || requester === 'creator'
}

/** The requester of an operation. `as`: a user, or the role `host` or `creator`. */
export function requesterContext(
  operation: string,
  room: RoomDetail,
  as: string,
  values: Values = {},
): Pick<RuleContext, 'requester' | 'vacant'> {
  const who = whoMay(operation, values)
  if (who !== 'host' && who !== 'host or creator') return {}
  if (!isRole(as)) return {requester: as}
  const actor = actorIn(room, as, who)
  return actor ? {requester: actor.requester_id} : {vacant: as}
}

/** A phrase without a full stop. */
export function whyVacant(room: RoomDetail, role: 'host' | 'creator'): string {
  if (role === 'creator') return 'the service does not say who created it'
  if (room.attendees == null) return 'the service does not say who is host'
  if (room.host_selection_type === 'FIRST_ENTER_USER' && room.room_status === 'RESERVED') {
    return 'the first to enter becomes host (FIRST_ENTER_USER), and nobody has entered yet'
  }
  if (room.is_elect_host === false) return 'the host has left, and no other is chosen (is_elect_host is false)'
  return 'none of its attendees is host now'
}

/**
 * The presenter in a room's metadata, a JSON text of the form `{presenter:{userId}}` (room §12, Rules 1): null for none. Undefined
 * if the service does not show it: no documented field carries it.
 */
export function presenterIn(metadata: unknown): string | null | undefined {
  if (typeof metadata !== 'string') return undefined
  try {
    const user = memberOf(memberOf(JSON.parse(metadata), 'presenter'), 'userId')
    return typeof user === 'string' ? user : null
  } catch {
    return undefined
  }
}

/** A member of its own: `toString` and its like do not count. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
