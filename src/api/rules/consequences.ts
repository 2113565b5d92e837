import type {AnyOperation} from '../contract/operations.js'
import {updatable} from '../contract/room.js'
import {
  attendeesAdded,
  attendeesBlocked,
  containerDescribed,
  credentialRegistered,
  hostDelegated,
  type Probe,
  roomDeleted,
  roomEnded,
  roomUpdated,
} from './evidence.js'

/** How long a change may take to show, in milliseconds (product §11, Outcome). */
export const settlingMs = 3000

/** Before each read that settles a change: most show soon, and the last read is late enough. */
export const settlingPausesMs = [0, 500, 1000, 1600] as const

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
  /** What may have happened if the answer is lost: `room {roomId} may have been ended`. */
  readonly mayHave: string
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
    mayHave: 'room {name} may have been created',
    journal: ['name', 'is_joinable', 'attendees'],
    ifUnknown: 'roomctl room list shows whether the room was created; check before you create it again',
    undo: {why: 'the service has no undo for a creation', try: 'roomctl room delete {roomId}'},
  },
  'room.update': {
    mayHave: 'room {roomId} may have been updated',
    journal: updatable,
    evidence: roomUpdated,
    ifUnknown: `${showRoom} it was changed`,
    undo: 'inverse',
  },
  'room.adminUpdate': {
    mayHave: 'room {roomId} may have been updated',
    journal: updatable,
    evidence: roomUpdated,
    ifUnknown: `${showRoom} it was changed`,
    undo: {
      why: 'the previous values are unknown: as platform admin the room is not read',
      try: 'roomctl room update {roomId} --admin with the right values',
    },
  },
  'room.delete': {
    mayHave: 'room {roomId} may have been deleted',
    evidence: roomDeleted,
    ifUnknown: `${showRoom} it is still there`,
    undo: {why: 'a deletion cannot be undone', try: 'create it again: roomctl room create NAME --created-by USER'},
  },
  'room.end': {
    mayHave: 'room {roomId} may have been ended',
    evidence: roomEnded,
    ifUnknown: `${showRoom} it has ended`,
    undo: {why: 'an ENDED room cannot change', try: 'create another: roomctl room create NAME --created-by USER'},
  },
  'room.presenter': {
    mayHave: '{user_id} may have been set as presenter of room {roomId}',
    journal: ['user_id'],
    ifUnknown: 'the service does not show the presenter; setting it again is safe',
    undo: 'inverse',
  },
  'room.delegate': {
    mayHave: 'host of room {roomId} may have been delegated to {user_id}',
    journal: ['user_id'],
    evidence: hostDelegated,
    ifUnknown: 'roomctl attendee list {roomId} shows who is host',
    undo: 'inverse',
  },
  'room.send': {
    mayHave: 'data may have been sent to room {roomId}',
    ifUnknown: 'the service does not show what was sent; ask somebody in the room before you send it again',
    undo: heard,
  },
  'attendee.add': {
    mayHave: '{attendees} may have been added to room {roomId}',
    journal: ['attendees'],
    evidence: attendeesAdded,
    ifUnknown: 'roomctl attendee list {roomId} shows who is on the list',
    undo: {
      why: 'the service cannot remove anyone from the attendee list',
      try: 'once they are in the room: roomctl attendee block {roomId} {attendees}',
    },
  },
  'attendee.token': {
    mayHave: 'a token for {userId} in room {roomId} may have been issued',
    ifUnknown: 'roomctl attendee token {roomId} {userId} issues another token, which is safe',
    undo: {
      why: 'an issued token cannot be revoked',
      try: 'once the user is in the room: roomctl attendee block {roomId} {userId}',
    },
  },
  'attendee.block': {
    mayHave: '{attendees} may have been blocked in room {roomId}',
    journal: ['attendees'],
    evidence: attendeesBlocked,
    ifUnknown: 'roomctl attendee list {roomId} --present shows who is still in the room',
    undo: 'inverse',
  },
  'attendee.restore': {
    mayHave: '{attendees} may have been restored in room {roomId}',
    journal: ['attendees'],
    ifUnknown: `${runAgain}: the service refuses to restore somebody who is no longer blocked`,
    undo: 'inverse',
  },
  'record.start': {
    mayHave: 'the recording of room {roomId} may have been started',
    journal: ['layout'],
    ifUnknown: `${runAgain}: RE001 means that the recording is running`,
    undo: {why: 'recorded files are kept', try: 'roomctl record stop {roomId}'},
  },
  'record.stop': {
    mayHave: 'the recording of room {roomId} may have been stopped',
    ifUnknown: `${runAgain}: RE001 means that no recording is running`,
    undo: {why: 'the recording has ended', try: 'start another: roomctl record start {roomId}'},
  },
  'appConfig.create': {
    mayHave: 'the configuration of application {applicationId} may have been created',
    ifUnknown: 'the service does not show the configuration; roomctl config app update sets it if it was created',
    undo: {why: 'the service has no undo for a creation', try: 'roomctl config app update'},
  },
  'appConfig.update': {
    mayHave: 'the configuration of application {applicationId} may have been updated',
    ifUnknown: setsSame,
    undo: {why: 'the service does not show the previous value', try: 'roomctl config app update'},
  },
  'asset.create': {
    mayHave: 'container {container} may have been created',
    journal: ['name'],
    ifUnknown: 'roomctl asset info {container} shows whether it was created; check before you create it again',
    undo: deletesNothing,
  },
  'asset.describe': {
    mayHave: 'the description of container {container} may have been changed',
    evidence: containerDescribed,
    ifUnknown: 'roomctl asset info {container} shows whether it was changed',
    undo: {why: 'the previous description is not kept', try: 'roomctl asset describe {container} TEXT'},
  },
  'asset.upload': {
    mayHave: 'an upload in container {container} may have been begun',
    ifUnknown:
      'roomctl asset list {container} shows whether the service has the file; check before you upload it again',
    undo: deletesNothing,
  },
  'asset.patch': {
    mayHave: 'bytes of upload {uuid} may have been stored',
    ifUnknown: `${runAgain}: it resumes the upload where it stopped`,
    undo: deletesNothing,
  },
  'push.register': {
    mayHave: 'the device token of {user_id} may have been registered',
    journal: ['user_id', 'push_type'],
    ifUnknown: `${runAgain}: it registers the same token for the same user`,
    undo: {why: 'the service cannot undo a registration'},
  },
  'push.send': {
    mayHave: 'the push may have been sent to {recipient_ids}',
    journal: ['push_type'],
    ifUnknown: `the service does not show what was sent; ${notShown}`,
    undo: heard,
  },
  'push.broadcast': {
    mayHave: 'the push to application {application_id} may have been requested',
    journal: ['application_id', 'dispatch_type', 'destination', 'dispatch_date'],
    ifUnknown: `the service does not show its requests; ${notShown}`,
    undo: heard,
  },
  'push.modify': {
    mayHave: 'request {request_uuid} may have been modified',
    journal: ['application_id', 'request_uuid', 'dispatch_type', 'destination', 'dispatch_date'],
    ifUnknown: `${setsSame}; 403 means that it has been sent`,
    undo: {
      why: 'the previous content of the request is not kept',
      try: 'roomctl push modify {request_uuid}, or roomctl push cancel {request_uuid}',
    },
  },
  'push.cancel': {
    mayHave: '{request_uuids} may have been cancelled',
    journal: ['application_id', 'request_uuids'],
    ifUnknown: `${runAgain}: a refusal means that it was sent or already cancelled`,
    undo: {why: 'the content of the request is not kept', try: 'roomctl push broadcast'},
  },
  'push.iosKey': {
    mayHave: 'key {key_id} may have been registered in application {application_id}',
    journal: ['application_id', 'bundle_id', 'team_id', 'key_id'],
    evidence: credentialRegistered(['bundle_id', 'team_id', 'key_id'], 'TOKEN'),
    ifUnknown: showPush,
    undo: credentialKept,
  },
  'push.iosCertificate': {
    mayHave: 'the certificate for {bundle_id} may have been registered in application {application_id}',
    journal: ['application_id', 'bundle_id'],
    // A certificate has no id there, and the one before has the same bundle id.
    evidence: credentialRegistered(['bundle_id'], 'CERTIFICATE', 'inconclusive'),
    ifUnknown: showPush,
    undo: credentialKept,
  },
  'push.android': {
    mayHave: 'the server key of {package_name} may have been registered in application {application_id}',
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
