import {type Advice, joinAdvice} from '../../../advice.js'
import {type Effect, Failure, type FailureFacts, failureWith} from '../../../failure.js'
import {listAttendees} from '../../contract/attendee.js'
import {fillAdvice, fillText, type Service, type Values} from '../../contract/operation.js'
import type {TlsProblem, WireError, WireProblem} from '../../http/wire/transport.js'
import {
  explainAllowed,
  explainFromArguments,
  explainFromRoom,
  isRefusedByState,
  roomPlaysPart,
} from '../../rules/predict.js'
import {stateOf} from '../../rules/room.js'
import type {RefusalExplanation} from '../../rules/rule.js'
import {objectWords} from '../response/errorBody.js'
import type {CallFailure} from '../response/response.js'
import {type FollowUp, readFoundRoom, type Verdict} from './outcome.js'
import {failureOf, type RefusedCall} from './refusal.js'

/** The Failure of a call by its verdict (outcome.ts). */
export async function failureAfter(
  call: RefusedCall,
  failed: CallFailure,
  verdict: Verdict,
  {read, interrupted}: Pick<FollowUp, 'read' | 'interrupted'>,
): Promise<Failure> {
  if (failed.kind !== 'refused' || verdict.outcome !== 'none') {
    return unansweredFailure(call, failed, verdict, interrupted())
  }
  const {code} = failed.refusal
  const isExplained = code !== undefined && call.operation.route !== undefined
  return failureOf(failed.refusal, isExplained ? await explained(call, code, read) : call)
}

export function malformedReply(
  {operation, values}: RefusedCall,
  host: string,
  {status, place, data}: {readonly status: number; readonly place: string; readonly data: unknown},
): Failure {
  const reads = operation.effect === 'read'
  const cause = `the answer of ${host} is not what the document describes`
  return new Failure({
    exit: 'network',
    code: 'broken-answer',
    message: `cannot ${fillText(operation.action, values)}: ${cause}`,
    cause,
    why: `${place} is missing or has another type than the document shows`,
    serviceMessage: objectWords(data),
    try: reads ? 'run the command again with --debug to see the response' : unknownOutcomeAdvice(operation, values),
    httpStatus: status,
    outcome: reads ? 'none' : 'applied',
  })
}

function unknownOutcomeAdvice({change}: RefusedCall['operation'], values: Values): Advice | undefined {
  const advice = change?.ifUnknown
  return advice === undefined ? undefined : fillAdvice(advice, values)
}

const retryableProblems: ReadonlySet<WireProblem> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'headers-timeout',
  'deadline',
  'reset',
  'proxy',
])

const tooMuch = 'ask for less, or read this answer with another program, such as curl'

const seeResponse: Advice = {sentence: 'see the response with --debug, or check the address', command: ['config list']}

const seeAddress: Advice = {sentence: 'check the host and port of the address', command: ['config list']}

const tlsAdvice: Record<TlsProblem, Advice> = {
  'ca-file': 'name a file of whole PEM certificates with --ca-file, ROOMCTL_CA_FILE or the setting caFile',
  name: seeAddress,
  expired: 'the service needs a new certificate, unless the clock of this machine is wrong',
  'not-yet-valid': 'check the clock of this machine',
  untrusted: 'for a private CA, name its certificate with --ca-file',
  'no-tls': seeAddress,
  handshake: seeAddress,
}

const adviceOn: Partial<Record<WireProblem, Advice>> = {
  'too-large': tooMuch,
  encoding: seeResponse,
}

function unansweredFailure(call: RefusedCall, exchanged: CallFailure, verdict: Verdict, interrupted: boolean) {
  const {outcome, seen} = verdict
  const withOutcome = (failure: Failure) => withUnknownOutcome(failure, call, exchanged, verdict)
  if (exchanged.kind === 'refused') return withOutcome(failureOf(exchanged.refusal, call, outcome))
  const cannot = `cannot ${fillText(call.operation.action, call.values)}`
  if (exchanged.kind === 'broken') return withOutcome(brokenFailure(cannot, exchanged, outcome, call))
  const {problem, message, tls} = exchanged.error
  if (problem === 'aborted' && interrupted) {
    return withOutcome(failureWith('interrupted', `${cannot}: interrupted`, {cause: 'interrupted', outcome}))
  }
  const failure = failureWith('network', `${cannot}: ${message}`, {
    cause: message,
    code: problem,
    why: whyLost(exchanged.error, call, seen),
    try: (tls ? tlsAdvice[tls] : adviceOn[problem]) ?? {
      sentence: 'check the network, and the address',
      command: ['config list'],
    },
    retryable: retryableProblems.has(problem),
    httpStatus: exchanged.status,
    outcome,
  })
  return withOutcome(failure)
}

/**
 * For a change that may have been made: that it may have been, why that is open, what reads showed, the command that shows it, and
 * that a creation must not simply be repeated.
 */
function withUnknownOutcome(
  failure: Failure,
  {operation, values}: RefusedCall,
  failed: CallFailure,
  {seen}: Verdict,
): Failure {
  const {facts} = failure
  const {change} = operation
  if (facts.outcome !== 'unknown' || change === undefined) return failure
  const advice = fillAdvice(change.ifUnknown, values)
  const open = failed.kind === 'refused' ? openRefusal(facts, failed, advice) : {why: whyUnknown(failed), try: advice}
  const {cause = facts.message} = facts
  const isLost = failed.kind === 'lost' && failed.error.sent !== 'no' && facts.exit !== 'interrupted'
  return new Failure({
    ...facts,
    exit: facts.exit === 'interrupted' ? facts.exit : 'network',
    ...open,
    message: `${fillText(change.mayHave, values)}: ${isLost ? 'the answer was lost' : cause}`,
    why: [...(isLost ? [cause] : []), open.why, seen].filter((part) => part !== undefined).join('; '),
    cause: undefined,
    serviceMessage: facts.serviceMessage ?? failed.earlier?.message,
    retryable: facts.retryable === true && operation.effect !== 'create',
  })
}

function whyUnknown({kind, earlier}: CallFailure): string {
  if (earlier === undefined) {
    return 'the request was sent but no definite answer came back, so it may have been carried out'
  }
  const before = `an earlier attempt was answered with ${earlier.code ?? `HTTP ${earlier.status}`} and may have been carried out`
  return kind === 'refused' ? `${before}, which can be why this one was refused` : before
}

/** Keeps what a proxy, or a service without a documented code, says about the connection, beside what shows the outcome. */
function openRefusal(
  {exit, why, try: hint}: FailureFacts,
  failed: Extract<CallFailure, {kind: 'refused'}>,
  advice: Advice,
): Pick<FailureFacts, 'why' | 'try'> {
  const {isForeign, isUndocumented} = failed.refusal
  if (!isForeign && !isUndocumented) return {why: whyUnknown(failed), try: advice}
  const open = isForeign
    ? 'something in front of the service may have answered, even after the change was made'
    : 'no document has a refusal without a known code, so it may have been carried out'
  const isOnTheWay = exit === 'unauthenticated' || exit === 'forbidden' || exit === 'missing'
  return {
    why: why === undefined || (isForeign && exit === 'refused') ? open : `${why}; ${open}`,
    try: isOnTheWay ? joinAdvice(hint, advice) : advice,
  }
}

function brokenFailure(
  cannot: string,
  {what, isTooMuch, status, message: serviceMessage, why}: Extract<CallFailure, {kind: 'broken'}>,
  outcome: Effect,
  {operation}: RefusedCall,
): Failure {
  const expected =
    (operation.responseFormat ?? 'envelope') === 'envelope' ? 'with an envelope' : 'as its document describes'
  const cause = `the answer ${what}`
  return failureWith('network', `${cannot}: ${cause}`, {
    cause,
    code: 'broken-answer',
    ...(isTooMuch
      ? {why: readsNoMore, try: tooMuch}
      : {
          why: why ?? (operation.route && `the service, or something in front of it, did not answer ${expected}`),
          try: seeResponse,
        }),
    serviceMessage,
    httpStatus: status,
    outcome,
  })
}

const otherEncoding =
  'roomctl reads gzip, br and deflate; something in front of the service may have changed the answer'

const readsNoMore = 'roomctl reads no more of one answer'

function whyLost({problem, sent}: WireError, {operation}: RefusedCall, seen: string | undefined): string {
  if (sent === 'no') return 'the request did not reach the service'
  if (operation.effect === 'read') {
    if (problem === 'encoding') return otherEncoding
    return problem === 'too-large' ? readsNoMore : 'the answer did not arrive, or was incomplete'
  }
  if (seen !== undefined) return `the answer was lost; ${seen}`
  return `the answer was lost, and the ${shown[operation.service]}, read again for 3 s, does not show the change`
}

const shown: Readonly<Record<Service, string>> = {room: 'room', asset: 'container', push: 'push configuration'}

/**
 * A refused call with the reason for its code: by its own values, else by the room and its attendees, which are read. A failing read
 * explains nothing.
 */
async function explained(refused: RefusedCall, code: string, read: FollowUp['read']): Promise<RefusedCall> {
  const {operation, values} = refused
  const explanation = explainFromArguments(operation.id, code, values)
  if (explanation) return {...refused, explanation}
  const part = roomPlaysPart(operation.id, code, values)
  if (part === 'none') return refused
  try {
    const room = await readFoundRoom(read, values)
    if (room === 'missing') return part === 'state' ? refused : {...refused, explanation: noRoom(values)}
    if (isRefusedByState(operation.id, code, stateOf(room)))
      return {...refused, roomState: room.room_status ?? undefined}
    const allowed = explainAllowed(operation.id, code, stateOf(room), values)
    if (part === 'state') return {...refused, explanation: allowed}
    const attendees = room.attendees ?? (await read(listAttendees, {path: {roomId: String(values.roomId)}}))
    return {...refused, explanation: explainFromRoom(operation.id, code, {...room, attendees}, {values}) ?? allowed}
  } catch {
    return refused
  }
}

function noRoom(values: Values): RefusalExplanation {
  const why = 'room {roomId} does not exist: the id is wrong, it was deleted, or it belongs to another application'
  return {why: fillText(why, values), try: {command: ['room list']}}
}
