import {isSameValue, utcMoment} from '../../text/time.js'
import type {ContainerMeta} from '../contract/assetShapes.js'
import type {Values} from '../contract/operation.js'
import type {ShownChange} from '../contract/operations.js'
import type {PushConfiguration} from '../contract/push.js'
import type {RoomDetail} from '../contract/room.js'
import {updatable} from '../contract/roomChanges.js'
import {recordOf, stateOf} from './room.js'

/** A room after another call; `missing` when it is no longer there. */
export type FoundRoom = RoomDetail | 'missing'

/** How long a change may take to show, in milliseconds. */
export const settlingMs = 3000

/** Before each read that settles a change: most show soon, and the last read is late enough. */
export const settlingPausesMs = [0, 500, 1000, 1600] as const

/** Whether a state shows the effect of a change. `inconclusive`: it does not say. */
export type Evidence = 'shown' | 'partly' | 'absent' | 'inconclusive'

/** How reads settle a change whose answer was lost (docs/reliability.md): the state after it against the one read before it. */
export interface Probe {
  /** What is read: the state that the change is about. */
  readonly of: 'room' | 'container' | 'push configuration'
  /** `state`: as it is read now, or as the command had read it before. `before`: the latter, if it is judged now. */
  evidence(state: unknown, values: Values, before?: unknown): Evidence
  /** The effect in words, as a read shows it. */
  readonly effect: string
  /** When the effect came about, by the service's clock, in milliseconds; for an effect that has its own time. */
  since?(state: unknown): number | undefined
  /** The start time in the read. If it is after the sending, the id may belong to a new object. */
  begins?(state: unknown): readonly (number | undefined)[]
}

function ofRoom(
  effect: string,
  evidence: (room: RoomDetail, values: Values) => Evidence,
  missing: Evidence = 'inconclusive',
): Probe {
  return {
    effect,
    of: 'room',
    begins: (state: FoundRoom) =>
      state === 'missing'
        ? []
        : [state.start_time, state.reserved_start_time].map((time) => utcMoment(time)?.getTime()),
    evidence: (state: FoundRoom, values, before?: FoundRoom) => {
      if (state === 'missing') return missing
      return isOtherRoom(state, before, values) ? 'inconclusive' : evidence(state, values)
    },
  }
}

/** Whether the id belongs to another room than before: with another creator, or another start that this change does not set. */
function isOtherRoom(room: RoomDetail, before: FoundRoom | undefined, values: Values): boolean {
  if (before === undefined || before === 'missing') return false
  return (['created_by', 'start_time', 'reserved_start_time'] as const).some((name) => {
    const [value, other] = [room[name] ?? undefined, before[name] ?? undefined]
    return values[name] === undefined && value !== undefined && other !== undefined && !isSameValue(value, other)
  })
}

const roomEnded: Probe = {
  ...ofRoom('room {roomId} is ENDED now', (room) => {
    const state = stateOf(room)
    if (state === 'ENDED') return 'shown'
    return state === undefined ? 'inconclusive' : 'absent'
  }),
  since: (state: FoundRoom) => (state === 'missing' ? undefined : utcMoment(state.end_time)?.getTime()),
}

const roomDeleted = ofRoom('room {roomId} is not there now', () => 'absent', 'shown')

/** room §4. */
const roomUpdated = ofRoom('room {roomId} has these values now', (room, values) => {
  const sent = updatable.filter((name) => values[name] !== undefined)
  const returned = sent.filter((name) => room[name] !== undefined && room[name] !== null)
  const evidence = together(returned.map((name) => isSameValue(room[name], values[name])))
  return evidence === 'shown' && returned.length < sent.length ? 'inconclusive' : evidence
})

const hostDelegated = ofRoom('{user_id} is host now', ({attendees}, {user_id: user}) => {
  const hosts = attendees?.filter(({is_host}) => is_host === true) ?? []
  if (hosts.some(({user_id}) => user_id === user)) return 'shown'
  return hosts.length > 0 ? 'absent' : 'inconclusive'
})

const attendeesAdded = ofRoom('{attendees} on the attendee list now', (room, {attendees: added}) => {
  if (!room.attendees || !Array.isArray(added)) return 'inconclusive'
  return together(added.map((user) => recordOf(room, user) !== undefined))
})

/** Who is no longer present may have left; that everybody still is shows that no user was blocked (room §8). */
const attendeesBlocked = ofRoom('{attendees} not present now', (room, {attendees: blocked}) => {
  if (!room.attendees || !Array.isArray(blocked)) return 'inconclusive'
  return blocked.every((user) => recordOf(room, user)?.is_present === true) ? 'absent' : 'inconclusive'
})

const containerDescribed: Probe = {
  effect: 'the container has this description now',
  of: 'container',
  evidence: ({description}: ContainerMeta, values) => {
    if (typeof description !== 'string') return 'inconclusive'
    return description === values.description ? 'shown' : 'absent'
  },
}

/** A registration replaces all values, so one that differs is enough. `whole`: the evidence if all are equal. */
function credentialRegistered(
  names: readonly (keyof PushConfiguration & string)[],
  type?: 'TOKEN' | 'CERTIFICATE',
  whole: Evidence = 'shown',
): Probe {
  return {
    effect: 'these values are registered now',
    of: 'push configuration',
    evidence: (configuration: PushConfiguration | null, values) => {
      if (configuration === null) return 'absent'
      const pairs = names.map((name) => [configuration[name], values[name]])
      if (type) pairs.push([configuration.ios_apns_type, type])
      const readable = pairs.filter(([value]) => isUnmasked(value))
      if (readable.some(([value, sent]) => value !== sent)) return 'absent'
      return readable.length < pairs.length ? 'inconclusive' : whole
    },
  }
}

/** A service may mask the secrets that it shows. */
export function isUnmasked(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('*')
}

function together(parts: readonly boolean[]): Evidence {
  if (parts.length === 0) return 'inconclusive'
  if (parts.every((part) => part)) return 'shown'
  return parts.some((part) => part) ? 'partly' : 'absent'
}

/** How a read shows each change that one can show. */
const probes: Readonly<Record<ShownChange, Probe>> = {
  'room.update': roomUpdated,
  'room.adminUpdate': roomUpdated,
  'room.delete': roomDeleted,
  'room.end': roomEnded,
  'room.delegate': hostDelegated,
  'attendee.add': attendeesAdded,
  'attendee.block': attendeesBlocked,
  'asset.describe': containerDescribed,
  'push.iosKey': credentialRegistered(['bundle_id', 'team_id', 'key_id'], 'TOKEN'),
  // A certificate has no id there, and the one before has the same bundle id.
  'push.iosCertificate': credentialRegistered(['bundle_id'], 'CERTIFICATE', 'inconclusive'),
  'push.android': credentialRegistered(['package_name', 'fcm_server_key']),
}

export function probeOf(operation: string): Probe | undefined {
  return Object.hasOwn(probes, operation) ? probes[operation as ShownChange] : undefined
}
