import {type Advice, adviceAfter, adviceText} from '../../../advice.js'
import {type Effect, Failure, type FailureFacts} from '../../../failure.js'
import {shortly} from '../../../text/text.js'
import {isCode} from '../../contract/codes.js'
import {errorCatalog, meaningOf} from '../../contract/errorCatalog.js'
import {meaningOfStatus} from '../../contract/httpStatusMeanings.js'
import type {Meaning} from '../../contract/meanings.js'
import {
  fillAdvice,
  fillText,
  type Operation,
  parametersOf,
  type RawRequest,
  type Values,
} from '../../contract/operation.js'
import {stateRule} from '../../contract/stateRules.js'
import {type RoomState, roomStates} from '../../contract/states.js'
import {type Route, routeText} from '../../http/route/route.js'
import {isRefusedByState} from '../../rules/predict.js'
import type {RefusalExplanation} from '../../rules/rule.js'
import {exitOfStatus, type Refusal} from '../response/refusalKind.js'

export interface RefusedCall {
  readonly operation: Operation | RawRequest
  readonly values: Values
  /** The method and path that were called, if they differ from the operation's own. */
  readonly route?: Route | undefined
  readonly roomState?: string | undefined
  readonly explanation?: RefusalExplanation | undefined
}

export function failureOf(refusal: Refusal, call: RefusedCall, outcome: Effect = 'none'): Failure {
  const facts = factsOf(refusal, call)
  const message = `cannot ${fillText(call.operation.action, call.values)}: ${facts.message}`
  const {status: httpStatus, retryAfterMs, body, message: serviceMessage} = refusal
  return new Failure({
    ...facts,
    message,
    why: [facts.why, askedWait(retryAfterMs)].filter((part) => part !== undefined).join('; ') || undefined,
    cause: facts.message,
    serviceMessage,
    httpStatus,
    body,
    outcome,
    ...(retryAfterMs === undefined ? {} : {retryAfterMs}),
  })
}

/** Of a wait that is too long. */
export function askedWait(ms = 0): string | undefined {
  return ms === 0 ? undefined : `the service asks to wait ${Math.ceil(ms / 1000)} s`
}

function factsOf(refusal: Refusal, call: RefusedCall): FailureFacts {
  const {operation} = call
  const isBare = operation.route !== undefined && (operation.responseFormat ?? 'envelope') !== 'envelope'
  if (isBare) return byStatus(refusal, {...call, operation})
  return refusal.code === undefined ? withoutCode(refusal, call) : withCode(refusal.code, refusal, call)
}

function withCode(code: string, refusal: Refusal, call: RefusedCall): FailureFacts {
  if (!isCode(code)) {
    const exit = exitOfStatus(refusal.status)
    return {
      exit,
      code,
      retryable: exit === 'temporary',
      message: refusal.message ?? 'the service refused it and gave no message',
      why: `the code ${code} is not in the service's document`,
    }
  }
  const {exit} = errorCatalog[code]
  const meaning = meaningOf(code, call.operation.id)
  const byState = stateExplanation(code, call, meaning)
  const {why, try: advice} = byState ?? meaning
  // A request of the user's own has no values to fill in.
  const hasNoValues = call.operation.route === undefined && advice && adviceText(advice).includes('{')
  const {explanation} = call
  return {
    exit,
    code,
    retryable: exit === 'temporary',
    message: byState?.message ?? refusal.message ?? meaning.condition,
    why: explanation?.why ?? why,
    try: explanation?.try ?? (advice === undefined || hasNoValues ? undefined : fillAdvice(advice, call.values)),
  }
}

/** The reason for a state and its consequence (room, States and transitions). */
const stateSays: Readonly<Record<RoomState, string>> = {
  RESERVED: 'nobody has entered it yet',
  MEETING: 'people are in it now',
  IDLE: 'everybody has left; the service keeps the room until it is deleted or entered again',
  ENDED: 'it has ended, and an ENDED room cannot change',
}

/** `it is IDLE, only a MEETING room can be ended`, when the state explains the refusal. */
function stateExplanation(code: string, call: RefusedCall, meaning: Meaning) {
  const rule = stateRule(call.operation.id)
  const state = roomStates.find((known) => known === call.roomState)
  if (!rule || !state || !isRefusedByState(call.operation.id, code, state)) return undefined
  return {
    message: `it is ${state}, ${meaning.inState ?? rule.in[state].note ?? meaning.why ?? meaning.condition}`,
    why: stateSays[state],
    try: rule.advice?.[state] ?? meaning.try,
  }
}

function withoutCode(refusal: Refusal, {operation, route}: RefusedCall): FailureFacts {
  const {status, broken} = refusal
  const exit = exitOfStatus(status)
  const said = broken === undefined ? refusal.message : undefined
  const bare = broken === undefined ? 'the service answered FAIL' : answered(refusal)
  const message = said ?? `${bare}${saidBy(refusal)}`
  const retryable = exit === 'temporary'
  if (operation.route !== undefined && (status === 404 || status === 405)) {
    return {exit, message, retryable, ...routeHint(operation, route)}
  }
  if (exit === 'unauthenticated') {
    return {
      exit,
      message,
      why: 'probably the service did not accept the token',
      try: {command: ['config login', operation.service]},
    }
  }
  if (exit === 'temporary') return {exit, message, retryable, try: 'wait a moment, then run the same command again'}
  return {exit, message, retryable, why: broken && `the answer ${broken}`}
}

function answered({status, isForeign}: Refusal): string {
  return `the ${isForeign ? 'answer was' : 'service answered'} HTTP ${status}`
}

/** An answer without an envelope, after its status: its message, or all of its text. */
function saidBy({status, message, body = ''}: Refusal): string {
  const text = `${message ?? shortly(body)} `
  // The title of a proxy's page begins with the status.
  const said = (text.startsWith(`${status} `) ? text.slice(`${status} `.length) : text).trim()
  return said === '' ? '' : `: ${said}`
}

const foreign = 'something in front of the service may have answered'

/** For a service without codes: its own words, and what HTTP says (asset, Errors; push, Errors). */
function byStatus(
  refusal: Refusal,
  {operation, values, route}: RefusedCall & {readonly operation: Operation},
): FailureFacts {
  const {status, message} = refusal
  const exit = exitOfStatus(status)
  const {condition, why, try: advice = ''} = meaningOfStatus(status, operation)
  return {
    exit,
    message: message ?? `${answered(refusal)}, ${condition}${saidBy(refusal)}`,
    retryable: exit === 'temporary',
    why: refusal.isForeign && exit === 'refused' ? foreign : why,
    try: fillAdvice(advice, values),
    ...(status === 404 || status === 405 ? placeHint(operation, route, refusal) : {}),
  }
}

interface Hint {
  readonly why: string
  readonly try: Advice
}

/** A 404 or 405 without a code is more often a wrong path than a missing room, so the hint names the setting of the path. */
export function routeHint(operation: Operation, called: Route | undefined): Hint {
  const own = `${operation.method} ${operation.route}`
  const set = routeSet(operation, called)
  if (set) {
    const why = `nothing answers at ${set.method} ${set.path}, the route set for ${operation.id}`
    return {why, try: setting(operation, own)}
  }
  const other = operation.route.startsWith('/media/') ? `${operation.method} ${operation.route.slice(6)}` : own
  const why = operation.assumed
    ? `the document does not show this operation's method and path; ${own} is assumed`
    : `nothing answers at the documented ${own} under the service's address`
  const advice = other === own ? askOperator(operation) : setting(operation, other)
  return {why, try: operation.assumed ? advice : adviceAfter('check the path of the address; if it is right,', advice)}
}

/**
 * A 404 or 405 of a service without codes may mean a wrong path (asset, Errors). A service that says something, or refuses the
 * method, was reached, unless its route was changed or is undocumented: then anything may have answered.
 */
export function placeHint(
  operation: Operation,
  called: Route | undefined,
  {status, message}: {readonly status: number; readonly message?: string | undefined},
): Partial<Hint> {
  if (operation.assumed !== undefined) return assumedHint(operation, called, status)
  if (routeSet(operation, called)) return routeHint(operation, called)
  if (status === 405 || message !== undefined) return {}
  const own = `${operation.method} ${operation.route}`
  return {
    why: `it does not exist, or nothing answers at ${own} under the service's address`,
    try: adviceAfter('check the path; if it is right,', askOperator(operation)),
  }
}

/** Either the path is wrong or the object is missing: only the service knows, so name both. */
function assumedHint(operation: Operation, called: Route | undefined, status: number): Hint {
  const {why, try: advice} = routeHint(operation, called)
  const namesApplication = parametersOf(operation).some(({name}) => name === 'application_id')
  if (status === 405 || !namesApplication) return {why, try: advice}
  return {
    why: `${why}${routeSet(operation, called) ? ',' : '; either that is wrong,'} or the service does not know the application`,
    try: adviceAfter('check the application id; if it is right,', advice),
  }
}

/** The route that was called, if it is not the operation's own. */
function routeSet({method, route}: Operation, called: Route | undefined): Route | undefined {
  return called && routeText(called) !== `${method} ${route}` ? called : undefined
}

/** For the route that has just failed no other is known. */
function askOperator({id, route}: Operation): Advice {
  return {
    sentence: 'ask the operator of the service for its method and path, and set them',
    command: ['config set', `route.${id}`, `METHOD ${route}`],
  }
}

function setting({id}: Operation, text: string): Advice {
  return {sentence: 'set the path your service uses', command: ['config set', `route.${id}`, text]}
}
