import type {RoomDetail, RoomState} from '../contract/room.js'
import {roomStates} from '../contract/room.js'
import {type StateRule, stateRule} from '../contract/states.js'
import {foresee} from './predictForesee.js'
import {hostOf} from './room.js'

/** What the documents let expect of an operation on a room as it is now. The service decides. */
export interface Prediction {
  readonly allowed: 'yes' | 'no' | 'unclear'
  /** The code that the service would refuse with, where the document names one. */
  readonly code?: string
  readonly why: string
}

/**
 * Reads the state table for a room (room, Operation validity by state), who may ask (room §4 to §15), and what the values
 * of the request let expect.
 */
export function predict(
  operation: string,
  room: RoomDetail,
  requester?: string,
  values: Readonly<Record<string, unknown>> = {},
): Prediction {
  const rule = stateRule(operation)
  if (!rule) return {allowed: 'yes', why: 'the state of the room plays no part'}
  const state = roomStates.find((known) => known === room.room_status)
  if (!state) return {allowed: 'unclear', why: 'the service does not say what state the room is in'}
  const byState = inState(rule, state)
  if (byState.allowed === 'no') return byState
  if (requester !== undefined && !mayAct(rule, room, requester)) {
    return {allowed: 'no', code: 'CE003', why: notPermitted(rule, requester)}
  }
  const refused = foresee(operation, room, values)
  return refused ? {allowed: 'no', ...refused} : byState
}

function inState(rule: StateRule, state: RoomState): Prediction {
  const {allowed, note} = rule.in[state]
  if (allowed === 'no') {
    const where = roomStates.filter((other) => rule.in[other].allowed === 'yes').join(' and ')
    return {allowed, why: `the room is ${state}; it is allowed in ${where}`, ...(rule.code ? {code: rule.code} : {})}
  }
  if (allowed === 'unclear') return {allowed, why: `the room is ${state}: ${note ?? 'the documents do not say'}`}
  return {allowed, why: note ? `the room is ${state}: ${note}` : `the room is ${state}`}
}

function mayAct({who}: StateRule, room: RoomDetail, requester: string): boolean {
  if (who === 'anybody' || who === 'application') return true
  if (who === 'host or creator' && room.created_by === requester) return true
  const host = hostOf(room)
  return host === undefined || host === requester
}

function notPermitted({who, source}: StateRule, requester: string): string {
  return `${requester} is not the ${who} of the room (${source})`
}
