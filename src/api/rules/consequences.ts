import type {ContainerMeta} from '../contract/assetShapes.js'
import type {Values} from '../contract/operation.js'
import type {AnyOperation} from '../contract/operations.js'
import type {PushConfiguration} from '../contract/push.js'
import {type AttendeeRecord, type RoomDetail, updatable} from '../contract/room.js'
import {recordOf, stateOf} from './room.js'

/** A room after another call; `missing` when it is no longer there. */
type FoundRoom = RoomDetail | 'missing'

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

const roomEnded = inPresentRoom((room) => {
  const state = stateOf(room)
  if (state === 'ENDED') return 'shown'
  return state === undefined ? 'inconclusive' : 'absent'
})

const roomDeleted = inRoom((found) => (found === 'missing' ? 'shown' : 'absent'))

/** room §4. */
const roomUpdated = inPresentRoom((room, values) => {
  const sent = updatable.filter((name) => values[name] !== undefined)
  const told = sent.filter((name) => room[name] !== undefined && room[name] !== null)
  const evidence = together(told.map((name) => sameValue(room[name], values[name])))
  return evidence === 'shown' && told.length < sent.length ? 'inconclusive' : evidence
})

const hostDelegated = inPresentRoom(({attendees}, {user_id: user}) => {
  const hosts = attendees?.filter(({is_host}) => is_host === true) ?? []
  if (hosts.some(({user_id}) => user_id === user)) return 'shown'
  return hosts.length > 0 ? 'absent' : 'inconclusive'
})

const attendeesAdded = inPresentRoom((room, {attendees: added}) => {
  if (!room.attendees || !Array.isArray(added)) return 'inconclusive'
  return together(added.map((user) => recordOf(room, user) !== undefined))
})

/** Who is no longer present may have left; that everybody still is shows that nobody was blocked (room §8). */
const attendeesBlocked = inPresentRoom((room, {attendees: blocked}) => {
  if (!room.attendees || !Array.isArray(blocked)) return 'inconclusive'
  return blocked.every((user) => recordOf(room, user)?.is_present === true) ? 'absent' : 'inconclusive'
})

const containerDescribed: Probe = async ({container}, values) => {
  const {description} = await container(values)
  if (typeof description !== 'string') return 'inconclusive'
  return description === values.description ? 'shown' : 'absent'
}

/** A registration replaces all values, so one that differs is enough. `whole`: the evidence where all are equal. */
function credentialRegistered(
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

export type ChangeId = Extract<AnyOperation, {effect: 'state' | 'create'}>['id']

/** Why a change cannot be undone, and what can be done instead: a command line with the names of targets in braces, or a sentence. */
export interface NotUndoable {
  readonly why: string
  readonly try?: string
}

export interface Consequences {
  /** The members of query and body that the journal keeps, if any: whom and what it is about, never what was said or a credential. */
  readonly journal?: readonly string[]
  readonly evidence?: Probe
  /** Where the outcome is unknown: the command that shows it, or advice. */
  readonly ifUnknown: string
  /** `inverse`: another operation undoes it. */
  readonly undo: 'inverse' | NotUndoable
}

const runAgain = 'run the same command again'
const setsSame = `${runAgain}: it sets the same values`
const showRoom = 'roomctl room show {roomId} shows whether'
const showPush = 'roomctl push show --application-id {application_id} shows what is registered'
const notShown = 'roomctl push records may show it; check before you send it again'

const deletesNothing: NotUndoable = {why: 'the asset service cannot delete'}
const heard: NotUndoable = {why: 'sent messages cannot be recalled'}
const credentialKept: NotUndoable = {
  why: 'roomctl does not keep the previous credential',
  try: 'register the right one',
}

export const consequences = {
  'room.create': {
    journal: ['name', 'is_joinable', 'attendees'],
    ifUnknown: 'roomctl room list shows whether the room was created; check before you create it again',
    undo: {why: 'the service has no undo for a creation', try: 'roomctl room delete {roomId}'},
  },
  'room.update': {
    journal: updatable,
    evidence: roomUpdated,
    ifUnknown: `${showRoom} it was changed`,
    undo: 'inverse',
  },
  'room.adminUpdate': {
    journal: updatable,
    evidence: roomUpdated,
    ifUnknown: `${showRoom} it was changed`,
    undo: {
      why: 'the previous values are unknown: as platform admin the room is not read',
      try: 'roomctl room update {roomId} --admin with the right values',
    },
  },
  'room.delete': {
    evidence: roomDeleted,
    ifUnknown: `${showRoom} it is still there`,
    undo: {why: 'a deletion cannot be undone', try: 'create it again: roomctl room create NAME --created-by USER'},
  },
  'room.end': {
    evidence: roomEnded,
    ifUnknown: `${showRoom} it has ended`,
    undo: {why: 'an ENDED room cannot change', try: 'create another: roomctl room create NAME --created-by USER'},
  },
  'room.presenter': {
    journal: ['user_id'],
    ifUnknown: 'the service does not show the presenter; setting it again is safe',
    undo: 'inverse',
  },
  'room.delegate': {
    journal: ['user_id'],
    evidence: hostDelegated,
    ifUnknown: 'roomctl attendee list {roomId} shows who is host',
    undo: 'inverse',
  },
  'room.send': {
    ifUnknown: 'the service does not show what was sent; ask somebody in the room before you send it again',
    undo: heard,
  },
  'attendee.add': {
    journal: ['attendees'],
    evidence: attendeesAdded,
    ifUnknown: 'roomctl attendee list {roomId} shows who is on the list',
    undo: {
      why: 'the service cannot remove anyone from the attendee list',
      try: 'once they are in the room: roomctl attendee block {roomId} {attendees}',
    },
  },
  'attendee.token': {
    ifUnknown: 'roomctl attendee token {roomId} {userId} issues another token, which is safe',
    undo: {
      why: 'an issued token cannot be revoked',
      try: 'once the user is in the room: roomctl attendee block {roomId} {userId}',
    },
  },
  'attendee.block': {
    journal: ['attendees'],
    evidence: attendeesBlocked,
    ifUnknown: 'roomctl attendee list {roomId} --present shows who is still in the room',
    undo: 'inverse',
  },
  'attendee.restore': {
    journal: ['attendees'],
    ifUnknown: `${runAgain}: the service refuses to restore somebody who is no longer blocked`,
    undo: 'inverse',
  },
  'record.start': {
    journal: ['layout'],
    ifUnknown: `${runAgain}: RE001 means that the recording is running`,
    undo: {why: 'recorded files are kept', try: 'roomctl record stop {roomId}'},
  },
  'record.stop': {
    ifUnknown: `${runAgain}: RE001 means that no recording is running`,
    undo: {why: 'the recording has ended', try: 'start another: roomctl record start {roomId}'},
  },
  'appConfig.create': {
    ifUnknown: 'the service does not show the configuration; roomctl config app update sets it if it was created',
    undo: {why: 'the service has no undo for a creation', try: 'roomctl config app update'},
  },
  'appConfig.update': {
    ifUnknown: setsSame,
    undo: {why: 'the service does not show the previous value', try: 'roomctl config app update'},
  },
  'asset.create': {
    journal: ['name'],
    ifUnknown: 'roomctl asset info {container} shows whether it was created; check before you create it again',
    undo: deletesNothing,
  },
  'asset.describe': {
    evidence: containerDescribed,
    ifUnknown: 'roomctl asset info {container} shows whether it was changed',
    undo: {why: 'the previous description is not kept', try: 'roomctl asset describe {container} TEXT'},
  },
  'asset.upload': {
    ifUnknown:
      'roomctl asset list {container} shows whether the service has the file; check before you upload it again',
    undo: deletesNothing,
  },
  'asset.patch': {
    ifUnknown: `${runAgain}: it resumes the upload where it stopped`,
    undo: deletesNothing,
  },
  'push.register': {
    journal: ['user_id', 'push_type'],
    ifUnknown: `${runAgain}: it registers the same token for the same user`,
    undo: {why: 'the service cannot undo a registration'},
  },
  'push.send': {
    journal: ['push_type'],
    ifUnknown: `the service does not show what was sent; ${notShown}`,
    undo: heard,
  },
  'push.broadcast': {
    journal: ['application_id', 'dispatch_type', 'destination', 'dispatch_date'],
    ifUnknown: `the service does not show its requests; ${notShown}`,
    undo: heard,
  },
  'push.modify': {
    journal: ['application_id', 'request_uuid', 'dispatch_type', 'destination', 'dispatch_date'],
    ifUnknown: `${setsSame}; 403 means that it has been sent`,
    undo: {
      why: 'the previous content of the request is not kept',
      try: 'roomctl push modify {request_uuid}, or roomctl push cancel {request_uuid}',
    },
  },
  'push.cancel': {
    journal: ['application_id', 'request_uuids'],
    ifUnknown: `${runAgain}: a refusal means that it was sent or already cancelled`,
    undo: {why: 'the content of the request is not kept', try: 'roomctl push broadcast'},
  },
  'push.iosKey': {
    journal: ['application_id', 'bundle_id', 'team_id', 'key_id'],
    evidence: credentialRegistered(['bundle_id', 'team_id', 'key_id'], 'TOKEN'),
    ifUnknown: showPush,
    undo: credentialKept,
  },
  'push.iosCertificate': {
    journal: ['application_id', 'bundle_id'],
    // A certificate has no id there, and the one before has the same bundle id.
    evidence: credentialRegistered(['bundle_id'], 'CERTIFICATE', 'inconclusive'),
    ifUnknown: showPush,
    undo: credentialKept,
  },
  'push.android': {
    journal: ['application_id', 'package_name'],
    evidence: credentialRegistered(['package_name', 'fcm_server_key']),
    ifUnknown: showPush,
    undo: credentialKept,
  },
} as const satisfies Readonly<Record<ChangeId, Consequences>>

export type InvertibleId = {
  [Id in ChangeId]: (typeof consequences)[Id]['undo'] extends 'inverse' ? Id : never
}[ChangeId]

/** Undefined for a read, and for an undocumented operation. */
export function consequencesOf(operation: string): Consequences | undefined {
  return Object.hasOwn(consequences, operation) ? consequences[operation as ChangeId] : undefined
}
