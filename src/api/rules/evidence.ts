import type {ContainerMeta} from '../contract/assetShapes.js'
import type {PushConfiguration} from '../contract/push.js'
import {type AttendeeRecord, type RoomDetail, updatable} from '../contract/room.js'
import {recordOf, stateOf} from './room.js'
import type {Values} from './templates.js'

/** A room after another call; `missing` when it is no longer there. */
export type FoundRoom = RoomDetail | 'missing'

/** Reads what a call was about, by its values. Each raises a Failure where it cannot be read. */
export interface Readers {
  readonly room: (values: Values) => Promise<FoundRoom>
  readonly attendees: (values: Values) => Promise<readonly AttendeeRecord[]>
  readonly container: (values: Values) => Promise<ContainerMeta>
  readonly pushConfiguration: (values: Values) => Promise<PushConfiguration | null>
}

/** Whether a read shows the effect of a change. `inconclusive`: it does not, or shows only a part. */
type Evidence = 'shown' | 'absent' | 'inconclusive'

export type Probe = (readers: Readers, values: Values) => Promise<Evidence>

/** How long a change may take to show, in milliseconds (product §11, Outcome). */
export const settlingMs = 3000

/** Before each read that settles a change: most show soon, and the last read is late enough. */
export const settlingPausesMs = [0, 500, 1000, 1600] as const

function inRoom(look: (found: FoundRoom, values: Values) => Evidence): Probe {
  return async ({room}, values) => look(await room(values), values)
}

/** Somebody else may have deleted a room that is gone. */
function inPresentRoom(look: (room: RoomDetail, values: Values) => Evidence): Probe {
  return inRoom((found, values) => (found === 'missing' ? 'inconclusive' : look(found, values)))
}

export const roomEnded = inPresentRoom((room) => {
  const state = stateOf(room)
  if (state === 'ENDED') return 'shown'
  return state === undefined ? 'inconclusive' : 'absent'
})

export const roomDeleted = inRoom((found) => (found === 'missing' ? 'shown' : 'absent'))

/** room §4. */
export const roomUpdated = inPresentRoom((room, values) => {
  const sent = updatable.filter((name) => values[name] !== undefined)
  const told = sent.filter((name) => room[name] !== undefined && room[name] !== null)
  const evidence = together(told.map((name) => sameValue(room[name], values[name])))
  return evidence === 'shown' && told.length < sent.length ? 'inconclusive' : evidence
})

export const hostDelegated = inPresentRoom(({attendees}, {user_id: user}) => {
  const hosts = attendees?.filter(({is_host}) => is_host === true) ?? []
  if (hosts.some(({user_id}) => user_id === user)) return 'shown'
  return hosts.length > 0 ? 'absent' : 'inconclusive'
})

export const attendeesAdded = inPresentRoom((room, {attendees: added}) => {
  if (!room.attendees || !Array.isArray(added)) return 'inconclusive'
  return together(added.map((user) => recordOf(room, user) !== undefined))
})

/** Who is no longer present may have left; that everybody still is shows that nobody was blocked (room §8). */
export const attendeesBlocked = inPresentRoom((room, {attendees: blocked}) => {
  if (!room.attendees || !Array.isArray(blocked)) return 'inconclusive'
  return blocked.every((user) => recordOf(room, user)?.is_present === true) ? 'absent' : 'inconclusive'
})

export const containerDescribed: Probe = async ({container}, values) => {
  const {description} = await container(values)
  if (typeof description !== 'string') return 'inconclusive'
  return description === values.description ? 'shown' : 'absent'
}

/** A registration replaces all values, so one that differs is enough. `whole`: the evidence where all are equal. */
export function credentialRegistered(
  names: readonly (keyof PushConfiguration & string)[],
  type?: 'TOKEN' | 'CERTIFICATE',
  whole: Evidence = 'shown',
): Probe {
  return async ({pushConfiguration}, values) => {
    const found = await pushConfiguration(values)
    if (found === null) return 'absent'
    const pairs = names.map((name) => [found[name], values[name]])
    if (type) pairs.push([found.ios_apns_type, type])
    const told = pairs.filter(([one]) => isUnmasked(one))
    if (told.some(([one, sent]) => one !== sent)) return 'absent'
    return told.length < pairs.length ? 'inconclusive' : whole
  }
}

/** A service may mask the secrets that it shows. */
export function isUnmasked(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('*')
}

/** Where only some parts are there, they may have been there before, or have been changed since. */
function together(parts: readonly boolean[]): Evidence {
  if (parts.length === 0) return 'inconclusive'
  if (parts.every((part) => part)) return 'shown'
  return parts.some((part) => part) ? 'inconclusive' : 'absent'
}

/** Two spellings of one instant are the same time. */
function sameValue(found: unknown, sent: unknown): boolean {
  if (found === sent) return true
  if (typeof found !== 'string' || typeof sent !== 'string') return false
  const instant = Date.parse(found)
  return !Number.isNaN(instant) && instant === Date.parse(sent)
}
