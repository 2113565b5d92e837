import {catalogue, type Meaning, meaningOf} from '../contract/catalogue.js'
import {isCode} from '../contract/codes.js'
import type {Exit} from '../contract/exits.js'
import {Failure, type FailureFacts, type Outcome} from '../contract/failure.js'
import type {Operation} from '../contract/operation.js'
import type {OperationId} from '../contract/operations.js'
import {type RoomState, roomStates} from '../contract/room.js'
import {stateAdvice, stateRule, stateSays} from '../contract/states.js'

/** A service's `no`, as it came. */
export interface Refusal {
  readonly status: number
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** What the answer was instead of an envelope, where it was none. */
  readonly broken?: string | undefined
}

/** What the explanation of a refusal may use. */
export interface RefusedCall {
  readonly operation: Operation
  /** The call's own values by their document names: path, query and body. */
  readonly values: Readonly<Record<string, unknown>>
  /** The room's state, where it is known. */
  readonly roomState?: string | undefined
}

/** Puts the call's values into a text of the contract: `{roomId}`; a list becomes `ann, ben`. */
export function fillText(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return Array.isArray(value) ? value.join(', ') : String(value)
  })
}

/** The exit that an HTTP status stands for, where no known code says more (product §3). */
export function exitOfStatus(status: number): Exit {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 405 || status === 410) return 'missing'
  if (status === 409 || status === 412) return 'state'
  if (status === 429 || status >= 500) return 'temporary'
  if (status >= 400) return 'refused'
  return 'refused'
}

/** Whether the service itself said "not now": such a change was not carried out and may be sent again (product §5). */
export function isTemporary(refusal: Refusal): boolean {
  if (refusal.code !== undefined) return refusal.code === 'CE101'
  return refusal.status === 429 || refusal.status === 503
}

/** Whether a gateway answered for a service that may have carried the request out. */
export function isGatewayFault(refusal: Refusal): boolean {
  return refusal.code === undefined && (refusal.status === 502 || refusal.status === 504)
}

/** The Failure that tells a person, and a script, what a refusal means for this call. */
export function failureOf(refusal: Refusal, call: RefusedCall, outcome: Outcome = 'none'): Failure {
  const cannot = `cannot ${fillText(call.operation.doing, call.values)}`
  const facts = refusal.code === undefined ? withoutCode(refusal, call) : withCode(refusal.code, refusal, call)
  const why = facts.why === undefined ? undefined : fillText(facts.why, call.values)
  const advice = facts.try === undefined ? undefined : fillText(facts.try, call.values)
  return new Failure({
    ...facts,
    message: `${cannot}: ${facts.message}`,
    why,
    try: advice,
    httpStatus: refusal.status,
    outcome,
  })
}

function withCode(code: string, refusal: Refusal, call: RefusedCall): FailureFacts {
  if (!isCode(code)) {
    return {
      exit: exitOfStatus(refusal.status),
      code,
      message: refusal.message ?? 'the service refused it and gave no message',
      why: `the code ${code} is not in the service's document`,
    }
  }
  const {exit, retryable} = catalogue[code]
  const meaning = meaningOf(code, call.operation.id)
  const byState = stateExplanation(code, call, meaning)
  const said = refusal.message ?? meaning.condition
  return {
    exit,
    code,
    retryable,
    message: byState?.message ?? said,
    why: byState?.why ?? meaning.why,
    try: byState?.try ?? meaning.try,
  }
}

/** `it is IDLE, only a MEETING room can be ended`, when the state explains the refusal. */
function stateExplanation(code: string, call: RefusedCall, meaning: Meaning) {
  const rule = stateRule(call.operation.id)
  const state = roomStates.find((known) => known === call.roomState)
  if (!rule || !state || rule.code !== code || rule.in[state].allowed === 'yes') return undefined
  return {
    message: `it is ${state}, ${meaning.why ?? meaning.condition}`,
    why: stateSays[state],
    try: adviceFor(call.operation.id, state) ?? meaning.try,
  }
}

function adviceFor(id: string, state: RoomState): string | undefined {
  return stateAdvice[id as OperationId]?.[state]
}

function withoutCode(refusal: Refusal, {operation}: RefusedCall): FailureFacts {
  const {status} = refusal
  const exit = exitOfStatus(status)
  const message = refusal.message ?? `the service answered HTTP ${status}`
  const retryable = exit === 'temporary'
  if (status === 404 || status === 405) return {exit, message, retryable, ...routeHint(operation)}
  if (exit === 'unauthenticated') {
    return {
      exit,
      message,
      why: 'the service did not accept the token',
      try: `roomctl config login ${operation.service}`,
    }
  }
  if (exit === 'temporary') return {exit, message, retryable, try: 'wait a moment, then run the same command again'}
  return {exit, message, retryable, why: refusal.broken && `the answer ${refusal.broken}`}
}

/** A 404 without a code is more often a wrong path than a missing room: say which setting changes it (product §9). */
function routeHint(operation: Operation): {why: string; try: string} {
  const route = `${operation.method} ${operation.route}`
  const why = operation.assumed
    ? `the document does not show this operation's method and path; ${route} is assumed`
    : `nothing answers at the documented ${route} under the service's address`
  const other = operation.route.startsWith('/media/') ? `${operation.method} ${operation.route.slice(6)}` : route
  return {why, try: `roomctl config route set ${operation.id} '${other}', with the path that your service has`}
}
