import type {Advice} from '../../advice.js'
import type {Code} from './codes.js'

/** room, Enumerations. */
export const roomStates = ['RESERVED', 'MEETING', 'IDLE', 'ENDED'] as const
export type RoomState = (typeof roomStates)[number]

/** `anybody`: any requester; `none`: no requester is named. */
export type Who = 'host' | 'host or creator' | 'anybody' | 'none'

/** `unknown`: the documents disagree or are silent, or the deciding fact is not shown. */
export type Answer = 'yes' | 'no' | 'unknown'

/** Undocumented, or contradictory in the documents: the answer, or only the code of a refusal. */
export type Undocumented = 'answer' | 'code'

/** The documented verdict on an operation in a state; `unknown` has a note. */
interface StateVerdict {
  readonly allowed: Answer
  readonly note?: string
  /** The code of a refusal, if it differs from the other states. */
  readonly code?: Code
  readonly undocumented?: Undocumented
}

/** The documented verdicts on an operation in each state (room, Operation validity by state). */
export interface StateTable {
  /** The code of a refusal for the state. */
  readonly code: Code | undefined
  readonly in: Readonly<Record<RoomState, StateVerdict>>
  /** Advice if the state refuses it. */
  readonly advice?: Readonly<Partial<Record<RoomState, Advice>>>
}

export interface StateRule extends StateTable {
  readonly who: Who
  readonly source: string
}

export const yes: StateVerdict = {allowed: 'yes'}
export const no: StateVerdict = {allowed: 'no'}
export const notMet: StateVerdict = {allowed: 'no', code: 'FAILED_PRECONDITION', undocumented: 'code'}
export const everywhere = {RESERVED: yes, MEETING: yes, IDLE: yes, ENDED: yes}
export const onlyMeeting = {RESERVED: no, MEETING: yes, IDLE: no, ENDED: no}
const silent: StateVerdict = {allowed: 'unknown', note: 'no state is named for it', undocumented: 'answer'}
export const silentEverywhere = {RESERVED: silent, MEETING: silent, IDLE: silent, ENDED: silent}

/** Fields of an update that MEETING and IDLE rooms refuse (room, Operation validity by state). */
export const fixedOnceMet = ['reserved_start_time', 'reserved_end_time', 'is_joinable'] as const

/** The error table has U001 for the reserved times of a MEETING room alone. */
const exceptFixed = `except ${fixedOnceMet.join(', ')}`
export const inMeeting: StateVerdict = {allowed: 'yes', note: `${exceptFixed} (code for is_joinable not documented)`}
export const inIdle: StateVerdict = {allowed: 'yes', note: `${exceptFixed} (code not documented)`}

/** Advice if MEETING is needed and may still be reached. */
export const onceMeeting = 'wait until a user has entered the room, then run the same command again'
export const waiting = {RESERVED: onceMeeting, IDLE: onceMeeting}

export function stateCodes(rule: StateRule): readonly (Code | undefined)[] {
  return [...new Set([rule.code, ...roomStates.map((state) => stateCode(rule, state))])]
}

/** The code of a refusal in a state; the rule's default if the state is unknown. */
export function stateCode(rule: StateRule, state: RoomState | undefined): Code | undefined {
  return (state && rule.in[state].code) ?? rule.code
}
