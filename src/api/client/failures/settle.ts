import type {ContainerMeta} from '../../contract/assetShapes.js'
import type {Outcome} from '../../contract/failure.js'
import type {OperationId} from '../../contract/operations.js'
import type {PushConfiguration} from '../../contract/pushShapes.js'
import {type AttendeeRecord, type RoomDetail, roomStates} from '../../contract/room.js'
import type {Values} from '../../rules/templates.js'

/** A room as it was read after another call; `missing` when it is no longer there. */
export type FoundRoom = RoomDetail | 'missing'

/** Reads what a call was about, named by its values. Each raises a Failure where it cannot be read. */
export interface Readers {
  readonly room: (values: Values) => Promise<FoundRoom>
  readonly attendees: (values: Values) => Promise<readonly AttendeeRecord[]>
  readonly container: (values: Values) => Promise<ContainerMeta>
  readonly pushConfiguration: (values: Values) => Promise<PushConfiguration | null>
}

/** Whether what was read shows what the change was to bring about. `unclear`: it does not tell, or only of a part. */
type Sight = 'shown' | 'absent' | 'unclear'

/** Reads and looks. */
type Looking = (readers: Readers, values: Values) => Promise<Sight>

function inRoom(look: (found: FoundRoom, values: Values) => Sight): Looking {
  return async ({room}, values) => look(await room(values), values)
}

/** Somebody else may have deleted a room that is gone, so it tells of nothing but a deletion. */
function inPresentRoom(look: (room: RoomDetail, values: Values) => Sight): Looking {
  return inRoom((found, values) => (found === 'missing' ? 'unclear' : look(found, values)))
}

function inContainer(look: (container: ContainerMeta, values: Values) => Sight): Looking {
  return async ({container}, values) => look(await container(values), values)
}

/** What was registered takes the place of what was there as a whole, so that one value that differs tells enough. */
function inPushConfiguration(
  names: readonly (keyof PushConfiguration & string)[],
  type?: 'TOKEN' | 'CERTIFICATE',
  whole: Sight = 'shown',
): Looking {
  return async ({pushConfiguration}, values) => {
    const found = await pushConfiguration(values)
    if (found === null) return 'absent'
    const pairs = names.map((name) => [found[name], values[name]])
    if (type) pairs.push([found.ios_apns_type, type])
    const told = pairs.filter(([one]) => isTold(one))
    if (told.some(([one, sent]) => one !== sent)) return 'absent'
    return told.length < pairs.length ? 'unclear' : whole
  }
}

/** Whether a member of a push configuration tells what is registered: a service that gives a secret back may mask it. */
export function isTold(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('*')
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

const sightOfUpdate = inPresentRoom((room, values) => {
  const sent = changeable.filter((name) => values[name] !== undefined)
  const told = sent.filter((name) => room[name] !== undefined && room[name] !== null)
  const sight = together(told.map((name) => sameValue(room[name], values[name])))
  return sight === 'shown' && told.length < sent.length ? 'unclear' : sight
})

/**
 * The state changes whose effect a room's detail, a container's metadata or a push configuration shows. The others (presenter,
 * restore, recording, application configuration, device tokens, notifications) leave nothing to read there: their outcome
 * stays unknown.
 */
const sights: Readonly<Partial<Record<OperationId, Looking>>> = {
  'room.end': inPresentRoom(({room_status: status}) => {
    if (status === 'ENDED') return 'shown'
    return roomStates.some((known) => known === status) ? 'absent' : 'unclear'
  }),
  'room.delete': inRoom((found) => (found === 'missing' ? 'shown' : 'absent')),
  'room.update': sightOfUpdate,
  'room.adminUpdate': sightOfUpdate,
  'room.delegate': inPresentRoom(({attendees}, {user_id: user}) => {
    const hosts = attendees?.filter(({is_host}) => is_host === true) ?? []
    if (hosts.some(({user_id}) => user_id === user)) return 'shown'
    return hosts.length > 0 ? 'absent' : 'unclear'
  }),
  'attendee.add': inPresentRoom(({attendees}, {attendees: added}) => {
    if (!attendees || !Array.isArray(added)) return 'unclear'
    return together(added.map((user) => attendees.some(({user_id}) => user_id === user)))
  }),
  // Who is no longer present may have left by himself; that everybody still is shows that nobody was blocked (room §8).
  'attendee.block': inPresentRoom(({attendees}, {attendees: blocked}) => {
    if (!attendees || !Array.isArray(blocked)) return 'unclear'
    const stays = (user: unknown) => attendees.some((one) => one.user_id === user && one.is_present === true)
    return blocked.every(stays) ? 'absent' : 'unclear'
  }),
  'asset.describe': inContainer(({description: found}, {description: sent}) => {
    if (typeof found !== 'string') return 'unclear'
    return found === sent ? 'shown' : 'absent'
  }),
  'push.iosKey': inPushConfiguration(['bundle_id', 'team_id', 'key_id'], 'TOKEN'),
  // A certificate has no id there, and the one before has the same bundle id.
  'push.iosCertificate': inPushConfiguration(['bundle_id'], 'CERTIFICATE', 'unclear'),
  'push.android': inPushConfiguration(['package_name', 'fcm_server_key']),
}

/** Whether reading can tell if the operation was carried out. */
export function canSettle(operation: string): boolean {
  return sights[operation as OperationId] !== undefined
}

/**
 * The outcome of a state change whose answer was lost (product §5): `applied` when what is read is as the change was to make
 * it. `late`: the service may still be working on it (a timeout), so "not seen" proves nothing. Raises what the reader raises.
 */
export async function settle(operation: string, readers: Readers, values: Values, late: boolean): Promise<Outcome> {
  const sight = await sights[operation as OperationId]?.(readers, values)
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
