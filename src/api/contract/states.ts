import type {Code} from './operation.js'
import type {OperationId} from './operations.js'
import {type RoomState, roomStates} from './room.js'

/** `anybody`: any requester; `application`: no requester is named. */
export type Who = 'host' | 'host or creator' | 'anybody' | 'application'

/** `unknown`: the documents disagree or are silent, or what decides is not shown. */
export type Answer = 'yes' | 'no' | 'unknown'

/** What no document states, or two texts state differently: the answer, or only the code of a refusal. */
export type Undocumented = 'answer' | 'code'

/** What the documents say about an operation in a state; `unknown` has a note. */
interface StateVerdict {
  readonly allowed: Answer
  readonly note?: string
  /** The code of a refusal, if not that of the other states. */
  readonly code?: Code
  readonly undocumented?: Undocumented
}

export interface StateRule {
  readonly who: Who
  /** The code of a refusal for the state. */
  readonly code: Code | undefined
  readonly source: string
  readonly in: Readonly<Record<RoomState, StateVerdict>>
  /** Advice where the state refuses it. */
  readonly advice?: Readonly<Partial<Record<RoomState, string>>>
}

const yes: StateVerdict = {allowed: 'yes'}
const no: StateVerdict = {allowed: 'no'}
const notMet: StateVerdict = {allowed: 'no', code: 'FAILED_PRECONDITION', undocumented: 'code'}
const everywhere = {RESERVED: yes, MEETING: yes, IDLE: yes, ENDED: yes}
const onlyMeeting = {RESERVED: no, MEETING: yes, IDLE: no, ENDED: no}
const silent: StateVerdict = {allowed: 'unknown', note: 'no state is named for it', undocumented: 'answer'}
const silentEverywhere = {RESERVED: silent, MEETING: silent, IDLE: silent, ENDED: silent}

/** Fields of an update that MEETING and IDLE rooms refuse (room, Operation validity by state). */
export const fixedOnceMet = ['reserved_start_time', 'reserved_end_time', 'is_joinable'] as const

/** The error table has U001 for the reserved times of a MEETING room alone. */
const exceptFixed = `except ${fixedOnceMet.join(', ')}`
const inMeeting: StateVerdict = {allowed: 'yes', note: `${exceptFixed} (code for is_joinable not documented)`}
const inIdle: StateVerdict = {allowed: 'yes', note: `${exceptFixed} (code not documented)`}

/** The state table (room, Operation validity by state), for every operation on a room that changes something. */
export const stateRules = {
  'room.update': {
    who: 'host',
    code: 'U001',
    source: 'room §4',
    in: {RESERVED: yes, MEETING: inMeeting, IDLE: inIdle, ENDED: no},
  },
  'room.delete': {
    who: 'host',
    code: 'D001',
    source: 'room §10',
    in: {
      RESERVED: yes,
      MEETING: {allowed: 'no', note: 'a MEETING room cannot be deleted'},
      IDLE: {
        allowed: 'unknown',
        note: 'it is not among the states that allow it, but only MEETING is refused',
        undocumented: 'answer',
      },
      ENDED: {
        allowed: 'unknown',
        note: 'one text allows it, the unified-version text allows only RESERVED',
        undocumented: 'answer',
      },
    },
    advice: {
      MEETING: 'roomctl room end {roomId}',
      IDLE: 'nothing: this service does not delete IDLE rooms, and only a MEETING room can be ended',
      ENDED: 'nothing: this service keeps ENDED rooms',
    },
  },
  'room.end': {
    who: 'host',
    code: 'ER001',
    source: 'room §11',
    in: onlyMeeting,
    advice: {RESERVED: 'roomctl room delete {roomId}', IDLE: 'roomctl room delete {roomId}'},
  },
  'room.delegate': {who: 'host', code: 'DH001', source: 'room §13', in: onlyMeeting},
  'room.presenter': {
    who: 'host',
    code: undefined,
    source: 'room §12',
    in: silentEverywhere,
  },
  'room.send': {
    who: 'anybody',
    code: undefined,
    source: 'room, Operations outside the list',
    in: silentEverywhere,
  },
  'attendee.add': {
    who: 'anybody',
    code: 'AA002',
    source: 'room §6',
    in: {...everywhere, ENDED: no},
  },
  'attendee.token': {
    who: 'application',
    code: 'T002',
    source: 'room §7',
    in: {...everywhere, ENDED: no},
  },
  'attendee.block': {who: 'host or creator', code: 'BR001', source: 'room §8', in: onlyMeeting},
  'attendee.restore': {
    who: 'host',
    code: 'BA001',
    source: 'room §9',
    in: {RESERVED: no, MEETING: yes, IDLE: yes, ENDED: no},
  },
  'record.start': {
    who: 'host',
    code: 'RE001',
    source: 'room §14',
    // RE001 is for ENDED and for a running recording; the other states only have the sample's code.
    in: {RESERVED: notMet, MEETING: yes, IDLE: notMet, ENDED: no},
  },
  'record.stop': {
    who: 'host',
    code: 'RE001',
    source: 'room §15',
    in: {
      RESERVED: {allowed: 'no', note: 'no recording can be running'},
      MEETING: {allowed: 'yes', note: 'while a recording is running'},
      IDLE: {allowed: 'unknown', note: 'refused unless a recording is running'},
      ENDED: no,
    },
  },
} as const satisfies Partial<Record<OperationId, StateRule>>

export type StatefulOperation = keyof typeof stateRules

/** Undefined where a room's state plays no part. */
export function stateRule(id: string): StateRule | undefined {
  return Object.hasOwn(stateRules, id) ? stateRules[id as StatefulOperation] : undefined
}

export function stateCodes(rule: StateRule): readonly (Code | undefined)[] {
  return [...new Set([rule.code, ...roomStates.map((state) => stateCode(rule, state))])]
}

/** The code of a refusal in a state; that of most states where it is not known. */
export function stateCode(rule: StateRule, state: RoomState | undefined): Code | undefined {
  return (state && rule.in[state].code) ?? rule.code
}

/** The reason for a state and what follows from it (room, States and transitions). */
export const stateSays: Readonly<Record<RoomState, string>> = {
  RESERVED: 'nobody has entered it yet',
  MEETING: 'people are in it now',
  IDLE: 'everybody has left; the service keeps the room until it is deleted or entered again',
  ENDED: 'it has ended, and an ENDED room cannot change',
}
