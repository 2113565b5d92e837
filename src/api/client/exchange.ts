import type {Answers, Operation} from '../contract/operation.js'
import {bodyPieces, readBody} from '../http/wire/message.js'
import {backoffMs, type RetryPolicy, retryAfterMs} from '../http/wire/retry.js'
import type {StopSignal} from '../http/wire/stopSignal.js'
import {type Transport, WireError, type WireResponse} from '../http/wire/transport.js'
import {Deadline} from './deadline.js'
import type {PreparedRequest} from './request/request.js'
import {ListSplitter} from './response/listStream.js'
import type {ApiResponse, CallFailure, CallResult, Refusal} from './response/response.js'
import {
  errorBodyOf,
  isClientError,
  isGatewayFault,
  isTemporary,
  isUncertain,
  parseResponseJson,
  readBareResponse,
  readEnvelope,
} from './response/response.js'

/** What is read of an answer at most, after decompression. */
const maxAnswerBytes = 64 * 1024 * 1024

export interface ExchangeOptions {
  readonly retry: RetryPolicy
  /** Milliseconds for the whole call, its retries included. */
  readonly timeoutMs: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => Date
  /** Ends the call: Ctrl-C. */
  readonly signal: AbortSignal
}

/** Reads what an answer says. Raises a `WireError` where it does not come whole. */
export type ResponseReader<T> = (
  head: WireResponse,
  request: PreparedRequest,
  signal: StopSignal,
) => Promise<CallResult<T>>

/**
 * Sends a request until it is answered for good (product §5, Retries; §11, Outcome). A read is sent again after a connect failure,
 * a reset, 429, 502 to 504 and CE101; a change only when it certainly did not arrive, and on CE101, 429 or 503 with Retry-After.
 */
export async function exchange<T>(
  transport: Transport,
  request: PreparedRequest,
  {effect, read}: Pick<Operation, 'effect'> & {readonly read: ResponseReader<T>},
  options: ExchangeOptions,
): Promise<CallResult<T>> {
  const repeatable = effect === 'read'
  const deadline = new Deadline(options)
  let earlier: Refusal | undefined
  try {
    for (let attempt = 1; ; attempt += 1) {
      const {exchanged: received, retryAfter} = await attemptOnce(transport, request, read, deadline)
      const exchanged = withEarlier(withRetryAfter(received, retryAfter, options.now()), earlier)
      if (attempt > options.retry.retries || !mayRepeat(exchanged, repeatable)) return exchanged
      const wait = backoffMs(options.retry, attempt, retryAfter, options.now())
      if (!deadline.leaves(wait)) return exchanged
      await options.sleep(wait, deadline.native())
      earlier = mostDoubtful(earlier, exchanged)
      if (options.signal.aborted) return withEarlier({kind: 'lost', error: givenUpBetween(exchanged)}, earlier)
      if (deadline.signal.aborted) return exchanged
    }
  } finally {
    deadline.clear()
  }
}

/** What the service asks of those it refuses, for callers who come again after a call was given up. */
function withRetryAfter<T>(result: CallResult<T>, retryAfter: string | undefined, now: Date): CallResult<T> {
  const askedMs = result.kind === 'refused' ? retryAfterMs(retryAfter, now) : undefined
  if (result.kind !== 'refused' || askedMs === undefined) return result
  return {...result, refusal: {...result.refusal, retryAfterMs: askedMs}}
}

/** The answer of the attempts so far that leaves most open whether one of them was carried out. */
function mostDoubtful(earlier: Refusal | undefined, exchanged: CallResult): Refusal | undefined {
  return exchanged.kind !== 'refused' || (earlier && isUncertain(earlier)) ? earlier : exchanged.refusal
}

/** An earlier attempt may have been carried out, whatever became of the last one. */
function withEarlier<T>(result: CallResult<T>, earlier: Refusal | undefined): CallResult<T> {
  return earlier === undefined || result.kind === 'success' ? result : {...result, earlier}
}

/** The next request was not sent; what the earlier ones did is for `earlier` to say. */
function givenUpBetween(exchanged: CallResult): WireError {
  const cause = exchanged.kind === 'lost' ? exchanged.error : undefined
  return new WireError('aborted', 'no', 'given up before it was sent again', {cause})
}

async function attemptOnce<T>(
  transport: Transport,
  request: PreparedRequest,
  read: ResponseReader<T>,
  deadline: Deadline,
): Promise<{exchanged: CallResult<T>; retryAfter?: string | undefined}> {
  let head: WireResponse | undefined
  try {
    head = await send(transport, request, deadline.signal)
    return {exchanged: await read(head, request, deadline.signal), retryAfter: head.headers['retry-after']}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {exchanged: callFailureOf(deadline.explain(error), head), retryAfter: head?.headers['retry-after']}
  }
}

/** An answer whose status says no is a refusal, though the rest of it never came; nothing shows then that it is the service's own. */
function callFailureOf(error: WireError, head: WireResponse | undefined): CallFailure {
  if (!head) return {kind: 'lost', error}
  const {status} = head
  if (error.problem === 'aborted' || status < 400) return {kind: 'lost', error, status}
  return {kind: 'refused', refusal: {status, broken: 'could not be read completely', isForeign: isClientError(status)}}
}

/** One exchange, read to its end. Raises a WireError. */
export async function receive(
  transport: Transport,
  request: PreparedRequest,
  signal: StopSignal,
): Promise<ApiResponse> {
  return readWhole(await send(transport, request, signal), request, signal)
}

/** Reads an answer to its end; its result stands where the operation has it. `onResponseText` is told all that can be a part of it. */
export function wholeResponseReader(
  answers: Answers = 'envelope',
  onResponseText?: (text: string) => void,
): ResponseReader<unknown> {
  return async (head, request, signal) => {
    const answer = await readWhole(head, request, signal)
    onResponseText?.(answers === 'headers' ? `${headerText(answer)}\n${answer.text}` : answer.text)
    return interpret(answer, answers)
  }
}

/** Elements that are parsed and checked together. */
const listPage = 500

/** A list that is too long to be held: its answer has begun, and is read as its pages are asked for. */
export class LongList {
  readonly #head: WireResponse
  readonly #pieces: AsyncIterable<Uint8Array>
  readonly #onText: ((text: string) => void) | undefined

  constructor(head: WireResponse, pieces: AsyncIterable<Uint8Array>, onText?: (text: string) => void) {
    this.#head = head
    this.#pieces = pieces
    this.#onText = onText
  }

  /** Some hundred elements at a time, in their order, and in the end what the envelope says, with an empty list; or a failure. */
  async *results(): AsyncGenerator<CallResult> {
    const {status, headers} = this.#head
    const splitter = new ListSplitter()
    try {
      for await (const page of this.#pages(splitter)) yield this.#parsed(page)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      yield {kind: 'lost', error, status}
      return
    }
    const text = splitter.end()
    this.#onText?.(text)
    yield interpret({status, headers, text}, 'envelope')
  }

  async *#pages(splitter: ListSplitter): AsyncGenerator<readonly string[]> {
    const decoder = new TextDecoder()
    let page: string[] = []
    for await (const piece of this.#pieces) {
      for (const text of splitter.take(decoder.decode(piece, {stream: true}))) page.push(text)
      if (page.length < listPage) continue
      yield page
      page = []
    }
    yield page
  }

  #parsed(page: readonly string[]): CallResult {
    const {status} = this.#head
    const data = page.map((text) => {
      this.#onText?.(text)
      return parseResponseJson(text)
    })
    return data.includes(undefined)
      ? {kind: 'broken', what: 'holds an element that is not JSON', status}
      : {kind: 'success', data, status}
  }
}

/** How much is held of an answer of unknown length before its list is taken for a long one. */
const heldBytes = 8 * 1024 * 1024

/**
 * Reads an answer with a list: whole where it is of usual size, else its data is a `LongList`, which is to be read while `signal`
 * lets: by then the time limit of the call, which is that of the beginning, is over.
 */
export function listReader(signal: AbortSignal, onResponseText?: (text: string) => void): ResponseReader<unknown> {
  const readAll = wholeResponseReader('envelope', onResponseText)
  return async (head, request, callSignal) => {
    const {status, headers} = head
    if (status >= 300 || Number(headers['content-length'] ?? Number.NaN) <= maxAnswerBytes) {
      return readAll(head, request, callSignal)
    }
    let limit: StopSignal = callSignal
    const pieces = bodyPieces(head, () => limit)
    const held: Uint8Array[] = []
    for (let size = 0; size <= heldBytes; ) {
      const piece = await pieces.next()
      if (piece.done) {
        const text = Buffer.concat(held).toString('utf8')
        onResponseText?.(text)
        return interpret({status, headers, text}, 'envelope')
      }
      held.push(piece.value)
      size += piece.value.length
    }
    limit = signal
    return {kind: 'success', status, data: new LongList(head, both(held, pieces), onResponseText)}
  }
}

/** What is held, which is let go piece by piece, and then the rest. */
async function* both(held: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let piece = held.shift(); piece; piece = held.shift()) yield piece
  yield* rest
}

/** The names and values of an answer's headers, line by line. */
export function headerText({headers}: Pick<ApiResponse, 'headers'>): string {
  return Object.entries(headers)
    .map((header) => header.join(': '))
    .join('\n')
}

function send(transport: Transport, request: PreparedRequest, signal: StopSignal): Promise<WireResponse> {
  const {method, url, headers, body} = request
  return transport({method, url, headers, signal, ...(body === undefined ? {} : {body})})
}

async function readWhole(answer: WireResponse, {method}: PreparedRequest, signal: StopSignal): Promise<ApiResponse> {
  // An answer to HEAD announces the length and the coding of a body that does not come.
  if (method === 'HEAD') {
    // A connection that nobody lets go of keeps the program from ending.
    answer.discard()
    return {status: answer.status, headers: answer.headers, text: ''}
  }
  const bytes = await readBody(answer, {maxBytes: maxAnswerBytes, signal})
  return {status: answer.status, headers: answer.headers, text: bytes.toString('utf8')}
}

/** What an answer is that sends the client elsewhere; undefined for any other. */
export function redirectFailure(status: number): CallFailure | undefined {
  if (status < 300 || status >= 400) return undefined
  return {kind: 'broken', status, what: `is a redirect (HTTP ${status}), which is not followed with a credential`}
}

function interpret(answer: ApiResponse, answers: Answers): CallResult {
  const {status, headers, text} = answer
  const elsewhere = redirectFailure(status)
  if (elsewhere) return elsewhere
  if (answers !== 'envelope') return readBareResponse(answer, answers)
  const envelope = readEnvelope(text, headers['content-type'])
  if (envelope.kind === 'success') return {kind: 'success', data: envelope.data, status}
  if (envelope.kind === 'fail') {
    const {code, message = errorBodyOf(text).message} = envelope
    return {kind: 'refused', refusal: {status, code, message}}
  }
  if (status >= 400) {
    const refusal = {status, broken: envelope.what, isForeign: isClientError(status), ...errorBodyOf(text)}
    return {kind: 'refused', refusal}
  }
  return {kind: 'broken', what: envelope.what, status}
}

function mayRepeat(exchanged: CallResult, repeatable: boolean): boolean {
  if (exchanged.kind === 'lost') return mayRepeatLost(exchanged.error, repeatable)
  if (exchanged.kind !== 'refused') return false
  return isTemporary(exchanged.refusal) || (repeatable && isGatewayFault(exchanged.refusal))
}

function mayRepeatLost({problem, sent}: WireError, repeatable: boolean): boolean {
  const passing = problem === 'dns' || problem === 'refused' || problem === 'connect-timeout' || problem === 'reset'
  return passing && (repeatable || sent === 'no')
}
