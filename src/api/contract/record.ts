import * as z from 'zod/mini'
import {roomOperation, runAgain} from './defineOperation.js'
import {
  createAnother,
  hostOnly,
  invalidQuery,
  invalidValue,
  missingRoom,
  missingRoomOrRequester,
  showRoom,
} from './meanings.js'
import {id, maybeNumber, string, wordOf} from './shapes.js'
import {no, notMet, waiting, yes} from './states.js'

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
  action: 'start recording room {roomId}',
  source: 'room §14',
  request: 'POST /v1/rooms/{roomId}/record',
  effect: 'state',
  body: z.strictObject({requester_id: z.optional(id), layout: z.enum(layouts)}),
  fails: ['CE001', 'CE002', 'RE001', 'FAILED_PRECONDITION'],
  meanings: {
    CE001: {...invalidValue, try: `use --layout ${layouts.map(wordOf).join(' or ')}`},
    CE002: missingRoomOrRequester,
    CE003: hostOnly,
    RE001: {
      condition: 'room ENDED, or a recording already running',
      why: 'the room is ENDED, or already being recorded',
      inState: 'only a MEETING room can be recorded',
      try: showRoom,
      otherwise: {why: 'a recording is already running', try: {command: ['record stop', '{roomId}']}},
    },
  },
  requester: 'host',
  states: {
    code: 'RE001',
    // RE001 is for ENDED and for a running recording; the other states only have the sample's code.
    in: {RESERVED: notMet, MEETING: yes, IDLE: notMet, ENDED: no},
    advice: {...waiting, ENDED: createAnother},
  },
  change: {
    mayHave: 'the recording of room {roomId} may have been started',
    journal: ['layout'],
    ifUnknown: `${runAgain}: RE001 means that the recording is running`,
    isShown: false,
  },
})

export const stop = roomOperation({
  id: 'record.stop',
  purpose: 'Stop recording',
  action: 'stop recording room {roomId}',
  source: 'room §15',
  request: 'POST /v1/rooms/{roomId}/stop-record',
  effect: 'state',
  body: z.strictObject({requester_id: z.optional(id)}),
  fails: ['CE001', 'CE002', 'RE001'],
  meanings: {
    CE001: invalidValue,
    CE002: missingRoomOrRequester,
    CE003: hostOnly,
    RE001: {
      condition: 'room ENDED, or no recording running',
      why: 'the room is ENDED, or nothing is being recorded in it',
      inState: 'and nothing is being recorded in it',
      try: {command: ['record list', '{roomId}']},
      otherwise: {why: 'no recording is running', try: {command: ['record list', '{roomId}']}},
    },
  },
  requester: 'host',
  states: {
    code: 'RE001',
    in: {
      RESERVED: {allowed: 'no', note: 'no recording can be running'},
      MEETING: {allowed: 'yes', note: 'while a recording is running'},
      IDLE: {allowed: 'unknown', note: 'refused unless a recording is running'},
      ENDED: no,
    },
  },
  change: {
    mayHave: 'the recording of room {roomId} may have been stopped',
    ifUnknown: `${runAgain}: RE001 means that no recording is running`,
    journal: [],
    isShown: false,
  },
})

export const listRecordings = roomOperation({
  id: 'record.list',
  purpose: 'List the recording files of a room',
  action: 'list the recordings of room {roomId}',
  source: 'room §16',
  // The document has POST here, for a read; the call changes nothing.
  request: 'POST /v1/rooms/{roomId}/recordings',
  effect: 'read',
  reply: z.array(recordingFile),
  fails: ['RE003'],
  meanings: {CE001: invalidQuery, CE002: missingRoom},
  requester: 'none',
  states: 'any',
})
