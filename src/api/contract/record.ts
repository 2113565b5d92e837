import * as z from 'zod/mini'
import {roomOperation} from './entries.js'
import {id, maybeNumber, string} from './shapes.js'

/** room, Enumerations. */
export const layouts = ['SPEAKER', 'SINGLE_SPEAKER', 'GRID'] as const

/** A recording file (room, Recording file entry): `file_size` in bytes, `duration` in nanoseconds. */
export const recordingFile = z.looseObject({
  file_name: string,
  file_size: maybeNumber,
  duration: maybeNumber,
})
export type RecordingFile = z.output<typeof recordingFile>

export const start = roomOperation({
  id: 'record.start',
  purpose: 'Start recording',
  doing: 'start recording room {roomId}',
  source: 'room §14',
  request: 'POST /v1/rooms/{roomId}/record',
  effect: 'state',
  body: z.strictObject({requester_id: z.optional(id), layout: z.enum(layouts)}),
  fails: ['CE001', 'CE002', 'RE001', 'FAILED_PRECONDITION'],
})

export const stop = roomOperation({
  id: 'record.stop',
  purpose: 'Stop recording',
  doing: 'stop recording room {roomId}',
  source: 'room §15',
  request: 'POST /v1/rooms/{roomId}/stop-record',
  effect: 'state',
  body: z.strictObject({requester_id: z.optional(id)}),
  fails: ['CE001', 'CE002', 'RE001'],
})

export const listRecordings = roomOperation({
  id: 'record.list',
  purpose: 'List the recording files of a room',
  doing: 'list the recordings of room {roomId}',
  source: 'room §16',
  // The document has POST here, for a read; the call changes nothing.
  request: 'POST /v1/rooms/{roomId}/recordings',
  effect: 'read',
  reply: z.array(recordingFile),
  fails: ['RE003'],
})
