import type {Outcome} from '../contract/failure.js'
import type {OperationId} from '../contract/operations.js'
import {type RoomDetail, roomStates} from '../contract/room.js'
import type {Values} from './refusal.js'

/** A room as it was read after a lost answer; `missing` when it is no longer there. */
export type Found = RoomDetail | 'missing'

/** Whether the room shows what the change was to bring about. `unclear`: it does not tell, or only of a part. */
type Sight = 'shown' | 'absent' | 'unclear'

/** Somebody else may have deleted a room that is gone, so it tells of nothing but a deletion. */
function present(look: (room: RoomDetail, values: Values) => Sight): (found: Found, values: Values) => Sight {
  return (found, values) => (found === 'missing' ? 'unclear' : look(found, values))
}

/** The fields that an update can change, as the detail shows them (room §4). */
const changeable = [
  'name',
  'description',
  'reserved_start_time',
  'reserved_end_time',
  'max_attendee_count',
  'is_public',
  'is_joinable',
] as const

const sightOfUpdate = present((room, values) => {
  const sent = changeable.filter((name) => values[name] !== undefined)
  const told = sent.filter((name) => room[name] !== undefined && room[name] !== null)
  const sight = together(told.map((name) => sameValue(room[name], values[name])))
  return sight === 'shown' && told.length < sent.length ? 'unclear' : sight
})

/**
 * The state changes whose effect the room's detail shows. The others (presenter, restore, recording, application
 * configuration) leave nothing to read there: their outcome stays unknown.
 */
const sights: Readonly<Partial<Record<OperationId, (found: Found, values: Values) => Sight>>> = {
  'room.end': present(({room_status: status}) => {
    if (status === 'ENDED') return 'shown'
    return roomStates.some((known) => known === status) ? 'absent' : 'unclear'
  }),
  'room.delete': (found) => (found === 'missing' ? 'shown' : 'absent'),
  'room.update': sightOfUpdate,
  'room.adminUpdate': sightOfUpdate,
  'room.delegate': present(({attendees}, {user_id: user}) => {
    const hosts = attendees?.filter(({is_host}) => is_host === true) ?? []
    if (hosts.some(({user_id}) => user_id === user)) return 'shown'
    return hosts.length > 0 ? 'absent' : 'unclear'
  }),
  'attendee.add': present(({attendees}, {attendees: added}) => {
    if (!attendees || !Array.isArray(added)) return 'unclear'
    return together(added.map((user) => attendees.some(({user_id}) => user_id === user)))
  }),
  // Who is no longer present may have left by himself; that everybody still is shows that nobody was blocked (room §8).
  'attendee.block': present(({attendees}, {attendees: blocked}) => {
    if (!attendees || !Array.isArray(blocked)) return 'unclear'
    const stays = (user: unknown) => attendees.some((one) => one.user_id === user && one.is_present === true)
    return blocked.every(stays) ? 'absent' : 'unclear'
  }),
}

/** Whether reading the room can tell if the operation was carried out. */
export function canSettle(operation: string): boolean {
  return sights[operation as OperationId] !== undefined
}

/**
 * The outcome of a state change whose answer was lost (product §5): `applied` when the room is as the change was to make
 * it. `late`: the service may still be working on it (a timeout), so "not seen" proves nothing.
 */
export function settle(operation: string, found: Found, values: Values, late: boolean): Outcome {
  const sight = sights[operation as OperationId]?.(found, values) ?? 'unclear'
  if (sight === 'shown') return 'applied'
  return sight === 'absent' && !late ? 'none' : 'unknown'
}

/** All parts are there, none is, or it cannot be told: a part may have been there before, or have been changed since. */
function together(parts: readonly boolean[]): Sight {
  if (parts.length === 0) return 'unclear'
  if (parts.every((part) => part)) return 'shown'
  return parts.some((part) => part) ? 'unclear' : 'absent'
}

/** Compares wire values; two spellings of one instant are the same time. */
function sameValue(found: unknown, sent: unknown): boolean {
  if (found === sent) return true
  if (typeof found !== 'string' || typeof sent !== 'string') return false
  const instant = Date.parse(found)
  return !Number.isNaN(instant) && instant === Date.parse(sent)
}
