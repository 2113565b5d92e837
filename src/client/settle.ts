import type {Outcome} from '../contract/failure.js'
import type {OperationId} from '../contract/operations.js'
import type {RoomDetail} from '../contract/room.js'

type Values = Readonly<Record<string, unknown>>

/** Says whether a room, read after a lost answer, shows the change; `missing` when the room is no longer there. */
type Evidence = (room: RoomDetail | 'missing', values: Values) => boolean

const hasUser = (room: RoomDetail, user: unknown) => room.attendees?.some(({user_id}) => user_id === user) ?? false
const present = (evidence: (room: RoomDetail, values: Values) => boolean): Evidence => {
  return (room, values) => room !== 'missing' && evidence(room, values)
}
const fieldsMatch: Evidence = present((room, values) =>
  Object.entries(values).every(([name, value]) => !(name in room) || sameValue(room[name], value)),
)

/**
 * The state changes whose effect the room's detail shows. The others (presenter, block, restore, recording)
 * leave nothing to read there: their outcome stays unknown.
 */
const evidence: Readonly<Partial<Record<OperationId, Evidence>>> = {
  'room.end': present((room) => room.room_status === 'ENDED'),
  'room.delete': (room) => room === 'missing',
  'room.update': fieldsMatch,
  'room.adminUpdate': fieldsMatch,
  'room.delegate': present(
    (room, {user_id: user}) => room.attendees?.some((one) => one.user_id === user && one.is_host === true) ?? false,
  ),
  'attendee.add': present(
    (room, {attendees}) => Array.isArray(attendees) && attendees.every((user) => hasUser(room, user)),
  ),
}

/** Whether reading the room can tell if the operation was carried out. */
export function canSettle(operation: string): boolean {
  return evidence[operation as OperationId] !== undefined
}

/**
 * The outcome of a state change whose answer was lost (product §5).
 * `late`: the service may still be working on it (a timeout), so "not seen" proves nothing.
 */
export function settle(operation: string, room: RoomDetail | 'missing', values: Values, late: boolean): Outcome {
  const shows = evidence[operation as OperationId]
  if (!shows) return 'unknown'
  if (shows(room, values)) return 'applied'
  return late ? 'unknown' : 'none'
}

/** Compares wire values; two spellings of one instant are the same time. */
function sameValue(found: unknown, sent: unknown): boolean {
  if (found === sent) return true
  if (typeof found !== 'string' || typeof sent !== 'string') return false
  const instant = Date.parse(found)
  return !Number.isNaN(instant) && instant === Date.parse(sent)
}
