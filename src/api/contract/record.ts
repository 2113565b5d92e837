import * as z from 'zod/mini'
import {operation} from './operation.js'
import {envelopeOnly, id, maybeNumber, none, string} from './shapes.js'

const roomPath = z.strictObject({roomId: id})

/** room, Enumerations. */
export const layouts = ['SPEAKER', 'SINGLE_SPEAKER', 'GRID'] as const

/** A recording file (room, Recording file entry): `file_size` in bytes, `duration` in nanoseconds. */
export const recordingFile = z.looseObject({
  file_name: string,
  file_size: maybeNumber,
  duration: maybeNumber,
})
export type RecordingFile = z.output<typeof recordingFile>

export const start = operation({
  id: 'record.start',
  service: 'room',
  purpose: 'Start recording',
  doing: 'start recording room {roomId}',
  source: 'room §14',
  method: 'POST',
  route: '/v1/rooms/{roomId}/record',
  effect: 'state',
  path: roomPath,
  query: none,
  body: z.strictObject({requester_id: z.optional(id), layout: z.enum(layouts)}),
  reply: envelopeOnly,
  fails: ['CE001', 'CE002', 'RE001', 'FAILED_PRECONDITION'],
})

export const stop = operation({
  id: 'record.stop',
  service: 'room',
  purpose: 'Stop recording',
  doing: 'stop recording room {roomId}',
  source: 'room §15',
  method: 'POST',
  route: '/v1/rooms/{roomId}/stop-record',
  effect: 'state',
  path: roomPath,
  query: none,
  body: z.strictObject({requester_id: z.optional(id)}),
  reply: envelopeOnly,
  fails: ['CE001', 'CE002', 'RE001'],
})

export const listRecordings = operation({
  id: 'record.list',
  service: 'room',
  purpose: 'List the recording files of a room',
  doing: 'list the recordings of room {roomId}',
  source: 'room §16',
  // The document has POST here, for a read; the call changes nothing.
  method: 'POST',
  route: '/v1/rooms/{roomId}/recordings',
  effect: 'read',
  path: roomPath,
  query: none,
  reply: z.array(recordingFile),
  fails: ['RE003'],
})
