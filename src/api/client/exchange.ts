import type {Operation} from '../contract/operation.js'
import {backoffMs, type RetryPolicy, retryAfterMs} from '../http/wire/retry.js'
import {Deadline} from '../http/wire/stopSignal.js'
import {type Transport, WireError, type WireResponse} from '../http/wire/transport.js'
import type {PreparedRequest} from './request/request.js'
import {isClientError, isTemporary, isUncertain, type Refusal} from './response/refusalKind.js'
import {type CallFailure, type CallResult, type ResponseReader, unreadFailure} from './response/response.js'

export interface ExchangeOptions {
  readonly retry: RetryPolicy
  /** Milliseconds for the whole call, its retries included. */
  readonly timeoutMs: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => Date
  /** Ends the call: Ctrl-C. */
  readonly signal: AbortSignal
}

/**
 * Sends a request until it has a final answer (docs/reliability.md). A read is sent again after a connect failure, a reset,
 * 429, 502 to 504 and CE101; a change only if it certainly did not arrive, and on CE101 and 429; one that a read can settle,
 * on 503 with Retry-After, too.
 */
export async function exchange<T>(
  transport: Transport,
  request: PreparedRequest,
  {effect, read}: Pick<Operation, 'effect'> & {readonly read: ResponseReader<T>},
  options: ExchangeOptions,
): Promise<CallResult<T>> {
  const deadline = new Deadline(options)
  const sentAtMs = options.now().getTime()
  let earlier: Refusal | undefined
  try {
    for (let attempt = 1; ; attempt += 1) {
      const {exchanged: received, headers} = await attemptOnce(transport, request, read, deadline)
      const askedMs = retryAfterMs(headers, options.now())
      const exchanged = withEarlier(withRetryAfter(received, askedMs), earlier, sentAtMs)
      if (attempt > options.retry.retries || !mayRepeat(exchanged, effect)) return exchanged
      const wait = backoffMs(options.retry, attempt, askedMs)
      if (!deadline.leaves(wait)) return exchanged
      await options.sleep(wait, deadline.signal)
      earlier = mostDoubtful(earlier, exchanged)
      if (options.signal.aborted) {
        return withEarlier({kind: 'lost', error: givenUpBetween(exchanged)}, earlier, sentAtMs)
      }
      if (deadline.signal.aborted) return exchanged
    }
  } finally {
    deadline.clear()
  }
}

/** The wait that a refusal asks for, for callers who retry later. */
function withRetryAfter<T>(result: CallResult<T>, askedMs: number | undefined): CallResult<T> {
  if (result.kind !== 'refused' || askedMs === undefined) return result
  return {...result, refusal: {...result.refusal, retryAfterMs: askedMs}}
}

/** The answer that leaves most doubt whether one of the attempts was carried out. */
function mostDoubtful(earlier: Refusal | undefined, exchanged: CallResult): Refusal | undefined {
  return exchanged.kind !== 'refused' || (earlier && isUncertain(earlier)) ? earlier : exchanged.refusal
}

/** An earlier attempt may have been carried out, whatever the last one shows. */
function withEarlier<T>(result: CallResult<T>, earlier: Refusal | undefined, sentAtMs: number): CallResult<T> {
  if (result.kind === 'success') return result
  return earlier === undefined ? {...result, sentAtMs} : {...result, earlier, sentAtMs}
}

/** The next request was not sent; `earlier` says what the others may have done. */
function givenUpBetween(exchanged: CallResult): WireError {
  const cause = exchanged.kind === 'lost' ? exchanged.error : undefined
  return new WireError('aborted', 'no', 'retries exhausted', {cause})
}

async function attemptOnce<T>(
  transport: Transport,
  request: PreparedRequest,
  read: ResponseReader<T>,
  deadline: Deadline,
): Promise<{exchanged: CallResult<T>; headers: WireResponse['headers']}> {
  let head: WireResponse | undefined
  try {
    head = await send(transport, request, deadline.signal)
    return {exchanged: await read(head, request, deadline.signal), headers: head.headers}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {exchanged: callFailureOf(deadline.explain(error), head), headers: head?.headers ?? {}}
  } finally {
    // A connection on which an answer is left would keep the program from ending.
    head?.discard()
  }
}

/** The failure of an answer whose body was lost: its status decides. Without the body it counts as a stranger's. */
function callFailureOf(error: WireError, head: WireResponse | undefined): CallFailure {
  if (!head) return {kind: 'lost', error}
  const {status} = head
  if (error.problem === 'aborted') return {kind: 'lost', error, status}
  if (status < 400) return unreadFailure(head) ?? {kind: 'lost', error, status}
  return {kind: 'refused', refusal: {status, broken: 'could not be read completely', isForeign: isClientError(status)}}
}

function send(transport: Transport, request: PreparedRequest, signal: AbortSignal): Promise<WireResponse> {
  const {method, url, headers, body} = request
  return transport({method, url, headers, signal, ...(body === undefined ? {} : {body})})
}

function mayRepeat(exchanged: CallResult, effect: Operation['effect']): boolean {
  if (exchanged.kind === 'lost') return mayRepeatLost(exchanged.error, effect)
  return exchanged.kind === 'refused' && isTemporary(exchanged.refusal, effect)
}

function mayRepeatLost({problem, sent}: WireError, effect: Operation['effect']): boolean {
  const isTransient = problem === 'dns' || problem === 'refused' || problem === 'connect-timeout' || problem === 'reset'
  return isTransient && (effect === 'read' || sent === 'no')
}
