import {type Effect, type Exit, Failure, type FailureFacts, failureWith} from '../../../failure.js'
import {shortly} from '../../../text/text.js'
import {info as containerInfo} from '../../contract/asset.js'
import {listAttendees} from '../../contract/attendee.js'
import {
  fillAdvice,
  fillText,
  type Input,
  type Operation,
  type Output,
  type Service,
  type Values,
} from '../../contract/operation.js'
import {show as showPush} from '../../contract/push.js'
import {getRoom} from '../../contract/room.js'
import type {WireError, WireProblem} from '../../http/wire/transport.js'
import {consequencesOf, type Probe, type Readers, settlingMs, settlingPausesMs} from '../../rules/consequences.js'
import {explainFromArguments, explainFromRoom, isRefusedByState, roomPlaysPart} from '../../rules/predict.js'
import {stateOf} from '../../rules/room.js'
import type {RefusalExplanation} from '../../rules/rule.js'
import {objectWords} from '../response/errorBody.js'
import {type CallFailure, isTemporary, isTooMuch, isUncertain} from '../response/response.js'
import {failureOf, type RefusedCall} from './refusal.js'

type Read = <O extends Operation>(operation: O, input: Input<O>) => Promise<Output<O>>

export interface FollowUp {
  readonly read: Read
  readonly interrupted: () => boolean
  /** Waits between two reads; shorter once the program is interrupted. */
  readonly wait: (ms: number) => Promise<void>
  readonly now: () => Date
}

/**
 * The outcome of a change that did not succeed (product §5, §11). Where the exchange leaves it open, it is read: `applied` where
 * that shows the change, `none` where reads over three seconds agree that it does not, and neither the answer nor the service's
 * silence contradicts.
 */
export async function outcomeAfter(call: RefusedCall, failed: CallFailure, followUp: FollowUp): Promise<Effect> {
  const {operation, values} = call
  if (operation.effect === 'read' || (certainlyNotMade(failed) && !mayBeMadeBefore(operation, failed))) return 'none'
  const probe = consequencesOf(operation.id)?.evidence
  if (probe === undefined) return 'unknown'
  const outcome = await reconcile(probe, values, followUp)
  return outcome === 'none' && (isAcknowledged(failed) || mayStillRun(failed)) ? 'unknown' : outcome
}

export async function failureAfter(
  call: RefusedCall,
  failed: CallFailure,
  outcome: Effect,
  {read, interrupted}: Pick<FollowUp, 'read' | 'interrupted'>,
): Promise<Failure> {
  if (failed.kind !== 'refused' || outcome !== 'none') return unansweredFailure(call, failed, outcome, interrupted())
  return failureOf(failed.refusal, await explained(call, failed.refusal.code, readersBy(read)))
}

/** What in an answer of success differs from the document: the member, or the whole answer. */
interface Malformed {
  readonly place: string
  readonly whole: unknown
}

export function malformedReply(
  {operation, values}: RefusedCall,
  host: string,
  status: number,
  {place, whole}: Malformed,
): Failure {
  const reads = operation.effect === 'read'
  return new Failure({
    exit: 'network',
    code: 'broken-answer',
    message: `cannot ${fillText(operation.doing, values)}: the answer of ${host} is not what the document describes`,
    why: `${place} is missing or has another type than the document shows${describeObject(whole)}`,
    serviceMessage: objectWords(whole),
    try: reads ? 'run the command again with --debug to see the response' : unknownOutcomeAdvice(operation, values),
    httpStatus: status,
    outcome: reads ? 'none' : 'applied',
  })
}

const membersNamed = 5

/** An object in place of the documented reply: the names of its members, and its words, if any. */
function describeObject(whole: unknown): string {
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return ''
  const names = Object.keys(whole)
  if (names.length === 0) return ': it is an empty object'
  const more = names.length > membersNamed ? ` and ${names.length - membersNamed} more` : ''
  const words = objectWords(whole)
  const said = words === undefined ? '' : `: ${words}`
  return `: it has ${names
    .slice(0, membersNamed)
    .map((name) => shortly(name, 40))
    .join(', ')}${more}${said}`
}

function unknownOutcomeAdvice({id}: Operation, values: Values): string | undefined {
  const advice = consequencesOf(id)?.ifUnknown
  return advice === undefined ? undefined : fillAdvice(advice, values)
}

const passing: ReadonlySet<WireProblem> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'headers-timeout',
  'deadline',
  'reset',
  'proxy',
])

/**
 * Whether the exchange alone shows that a change was not made: it did not arrive, the service refused it, or a redirect sent it
 * elsewhere unchanged (307 and 308).
 */
function certainlyNotMade(exchanged: CallFailure): boolean {
  if (exchanged.kind === 'refused') return !isUncertain(exchanged.refusal)
  if (exchanged.kind === 'lost') return exchanged.error.sent === 'no'
  return exchanged.status === 307 || exchanged.status === 308
}

/**
 * Whether an earlier attempt may have made the change: the refusal of this one may be its effect (product §11, Outcome). A creation
 * that makes another each time is never refused for the first one.
 */
function mayBeMadeBefore({id, effect}: Operation, {earlier, ...failed}: CallFailure): boolean {
  if (earlier === undefined) return false
  const canFollow = effect === 'state' || onlyOnce.has(id)
  return isUncertain(earlier) || (canFollow && failed.kind === 'refused' && !isTemporary(failed.refusal))
}

/** Creations that are refused if the thing exists, by whatever code. */
const onlyOnce: ReadonlySet<string> = new Set(['appConfig.create', 'asset.create', 'push.register'])

/** Whether the status of the answer is one of success: reads may lag, and never show that nothing was done (product §11). */
function isAcknowledged(exchanged: CallFailure): boolean {
  if (exchanged.kind === 'refused') return false
  return exchanged.status !== undefined && exchanged.status >= 200 && exchanged.status < 300
}

/**
 * Whether the service may still be working on the request. It is not when it answered, or when it, or a gateway whose connection to
 * it broke (502, 503), ended the connection.
 */
function mayStillRun(exchanged: CallFailure): boolean {
  if (exchanged.kind === 'broken') return false
  if (exchanged.kind === 'lost') return exchanged.status === undefined && exchanged.error.problem !== 'reset'
  const {status} = exchanged.refusal
  return status >= 500 && ![500, 502, 503].includes(status)
}

const tooMuch = 'ask for less, or read this answer with another program, such as curl'

const adviceOn: Partial<Record<WireError['problem'], string>> = {
  tls: 'run roomctl doctor to see what is wrong with the certificate; for a private CA, add --ca-file FILE',
  'too-large': tooMuch,
}

function unansweredFailure(call: RefusedCall, exchanged: CallFailure, outcome: Effect, interrupted: boolean) {
  const told = (failure: Failure) => withUnknownOutcome(failure, call, exchanged)
  if (exchanged.kind === 'refused') return told(failureOf(exchanged.refusal, call, outcome))
  const cannot = `cannot ${fillText(call.operation.doing, call.values)}`
  if (exchanged.kind === 'broken') return told(brokenFailure(cannot, exchanged, outcome, call))
  const {problem, message} = exchanged.error
  if (problem === 'aborted' && interrupted) {
    return told(failureWith('interrupted', `${cannot}: interrupted`, {outcome}))
  }
  const failure = failureWith('network', `${cannot}: ${message}`, {
    code: problem,
    why: whyLost(exchanged.error, call),
    try: adviceOn[problem] ?? 'check the address and the network: roomctl config list shows the address in use',
    retryable: passing.has(problem),
    httpStatus: exchanged.status,
    outcome,
  })
  return told(failure)
}

/** For a change that may have been made: why that is open, what shows it, and that a creation must not simply be repeated. */
function withUnknownOutcome(failure: Failure, {operation, values}: RefusedCall, failed: CallFailure): Failure {
  const {facts} = failure
  if (facts.outcome !== 'unknown') return failure
  const advice = unknownOutcomeAdvice(operation, values)
  const foreign = failed.kind === 'refused' && failed.refusal.isForeign
  return new Failure({
    ...facts,
    ...(foreign ? foreignFacts(facts, advice) : {why: whyUnknown(failed), try: advice ?? facts.try}),
    serviceMessage: facts.serviceMessage ?? failed.earlier?.message,
    retryable: facts.retryable === true && operation.effect !== 'create',
  })
}

function whyUnknown({kind, earlier}: CallFailure): string {
  if (earlier === undefined)
    return 'the request was sent but no definite answer came back, so it may have been carried out'
  const before = `an earlier attempt was answered with ${earlier.code ?? `HTTP ${earlier.status}`} and may have been carried out`
  return kind === 'refused' ? `${before}, which can be why this one was refused` : before
}

/** Exits that a script takes for facts about the room: another server's answer proves none of them. */
const exitsOfService: ReadonlySet<Exit> = new Set(['missing', 'state', 'refused'])

/** Keeps what another server in front of the service says about the connection, beside what shows the outcome. */
function foreignFacts({exit, why, try: hint}: FailureFacts, advice: string | undefined): Partial<FailureFacts> {
  const open = 'something in front of the service may have answered, even after the change was made'
  const isOnTheWay = exit === 'unauthenticated' || exit === 'forbidden' || exit === 'missing'
  return {
    exit: exitsOfService.has(exit) ? 'network' : exit,
    why: [why, open].filter((one) => one !== undefined).join('; '),
    try: [advice, ...(isOnTheWay ? [hint] : [])].filter((one) => one !== undefined).join('; ') || hint,
  }
}

function brokenFailure(
  cannot: string,
  {what, status, message: serviceMessage}: Extract<CallFailure, {kind: 'broken'}>,
  outcome: Effect,
  {operation}: RefusedCall,
): Failure {
  const expected = (operation.answers ?? 'envelope') === 'envelope' ? 'with an envelope' : 'as its document describes'
  return failureWith('network', `${cannot}: the answer ${what}`, {
    code: 'broken-answer',
    ...(what.startsWith(isTooMuch)
      ? {why: readsNoMore, try: tooMuch}
      : {
          why: `the service, or something in front of it, did not answer ${expected}`,
          try: 'check the address with roomctl config list, or the response with --debug',
        }),
    serviceMessage,
    httpStatus: status,
    outcome,
  })
}

const readsNoMore = 'roomctl reads no more of one answer; only a list of rooms may be of any length'

function whyLost({problem, sent}: WireError, {operation}: RefusedCall): string {
  if (sent === 'no') return 'the request did not reach the service'
  if (operation.effect === 'read') {
    return problem === 'too-large' ? readsNoMore : 'the answer did not arrive, or was incomplete'
  }
  return `the answer was lost, and the ${shown[operation.service]}, read again for 3 s, does not show the change`
}

const shown: Readonly<Record<Service, string>> = {room: 'room', asset: 'container', push: 'push configuration'}

/** Reads to reconcile or to explain the outcome of another call; one call of `read` each. */
function readersBy(read: Read): Readers {
  return {
    room: async ({roomId}) => {
      try {
        return await read(getRoom, {path: {roomId: String(roomId)}})
      } catch (error) {
        if (error instanceof Failure && error.facts.code === 'CE002') return 'missing'
        throw error
      }
    },
    attendees: ({roomId}) => read(listAttendees, {path: {roomId: String(roomId)}}),
    container: ({container}) => read(containerInfo, {path: {container: String(container)}, query: {type: 'meta'}}),
    pushConfiguration: ({application_id: id}) => read(showPush, {query: {application_id: String(id)}}),
  }
}

/**
 * The outcome of a state change whose answer was lost: `applied` as soon as a read shows it; `none` where every read agrees that it
 * was not made; else unknown.
 */
async function reconcile(probe: Probe, values: Values, {read, interrupted, wait, now}: FollowUp): Promise<Effect> {
  const lostAt = now().getTime()
  try {
    for (const pauseMs of settlingPausesMs) {
      await wait(pauseMs)
      if (interrupted()) return 'unknown'
      const evidence = await probe(readersBy(read), values)
      if (evidence !== 'absent') return evidence === 'shown' ? 'applied' : 'unknown'
    }
  } catch {
    return 'unknown'
  }
  return now().getTime() - lostAt >= settlingMs ? 'none' : 'unknown'
}

/**
 * A refused call with the reason for its code: by its own values, else by the room and its attendees, which are read. A failing read
 * explains nothing.
 */
async function explained(refused: RefusedCall, code: string | undefined, readers: Readers): Promise<RefusedCall> {
  if (code === undefined) return refused
  const {operation, values} = refused
  const explanation = explainFromArguments(operation.id, code, values)
  if (explanation) return {...refused, explanation}
  const part = roomPlaysPart(operation.id, code, values)
  if (part === 'none') return refused
  try {
    const room = await readers.room(values)
    if (room === 'missing') return part === 'state' ? refused : {...refused, explanation: noRoom(values)}
    if (isRefusedByState(operation.id, code, stateOf(room)))
      return {...refused, roomState: room.room_status ?? undefined}
    if (part === 'state') return refused
    const attendees = room.attendees ?? [...(await readers.attendees(values))]
    return {...refused, explanation: explainFromRoom(operation.id, code, {...room, attendees}, {values})}
  } catch {
    return refused
  }
}

function noRoom(values: Values): RefusalExplanation {
  const why = 'room {roomId} does not exist: the id is wrong, it was deleted, or it belongs to another application'
  return {why: fillText(why, values), try: 'roomctl room list'}
}
