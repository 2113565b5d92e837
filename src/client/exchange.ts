import {readBody} from '../http/body.js'
import {backoffMs, type RetryPolicy} from '../http/retry.js'
import {type Transport, WireError} from '../http/transport.js'
import {type Envelope, readEnvelope} from './envelope.js'
import {isTemporary, type Refusal} from './refusal.js'
import type {PreparedRequest} from './request.js'

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

/** An answer read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What came of a call: what the envelope says, or the error that lost the answer. */
export type Exchanged =
  | {readonly kind: 'success'; readonly data: unknown; readonly status: number}
  | {readonly kind: 'refused'; readonly refusal: Refusal}
  | {readonly kind: 'broken'; readonly what: string; readonly status: number}
  | {readonly kind: 'lost'; readonly error: WireError}

/**
 * Sends a request until it is answered for good (product §5, Retries). A read is sent again after a connect failure, a
 * reset, 429, 502 to 504 and CE101; a change only when it certainly did not arrive or was refused as temporary.
 */
export async function exchange(
  transport: Transport,
  request: PreparedRequest,
  repeatable: boolean,
  options: ExchangeOptions,
): Promise<Exchanged> {
  const deadline = new Deadline(options)
  try {
    for (let attempt = 1; ; attempt += 1) {
      const {exchanged, retryAfter} = await once(transport, request, deadline)
      if (attempt > options.retry.retries || !mayRepeat(exchanged, repeatable)) return exchanged
      const wait = backoffMs(options.retry, attempt, retryAfter, options.now())
      if (!deadline.leaves(wait)) return exchanged
      await options.sleep(wait, deadline.signal)
      if (deadline.signal.aborted) return exchanged
    }
  } finally {
    deadline.clear()
  }
}

async function once(
  transport: Transport,
  request: PreparedRequest,
  deadline: Deadline,
): Promise<{exchanged: Exchanged; retryAfter?: string}> {
  try {
    const answer = await receive(transport, request, deadline.signal)
    const retryAfter = answer.headers['retry-after']
    return {exchanged: interpret(answer), ...(retryAfter === undefined ? {} : {retryAfter})}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {exchanged: {kind: 'lost', error: deadline.explain(error)}}
  }
}

/** One exchange, read to its end. Raises a WireError. */
export async function receive(transport: Transport, request: PreparedRequest, signal: AbortSignal): Promise<Answer> {
  const {method, url, headers, body} = request
  const answer = await transport({method, url, headers, signal, ...(body === undefined ? {} : {body})})
  const bytes = await readBody(answer, {maxBytes: maxAnswerBytes, signal})
  return {status: answer.status, headers: answer.headers, text: bytes.toString('utf8')}
}

function interpret({status, headers, text}: Answer): Exchanged {
  if (status >= 300 && status < 400) {
    return {kind: 'broken', status, what: `is a redirect (HTTP ${status}), which is not followed with a credential`}
  }
  const envelope: Envelope = readEnvelope(text, headers['content-type'])
  if (envelope.kind === 'success') return {kind: 'success', data: envelope.data, status}
  if (envelope.kind === 'fail')
    return {kind: 'refused', refusal: {status, code: envelope.code, message: envelope.message}}
  if (status >= 400) return {kind: 'refused', refusal: {status, broken: envelope.what}}
  return {kind: 'broken', what: envelope.what, status}
}

function mayRepeat(exchanged: Exchanged, repeatable: boolean): boolean {
  if (exchanged.kind === 'lost') return mayRepeatLost(exchanged.error, repeatable)
  if (exchanged.kind !== 'refused') return false
  if (isTemporary(exchanged.refusal)) return true
  const {code, status} = exchanged.refusal
  return repeatable && code === undefined && (status === 502 || status === 504)
}

function mayRepeatLost({problem, sent}: WireError, repeatable: boolean): boolean {
  const passing = problem === 'dns' || problem === 'refused' || problem === 'connect-timeout' || problem === 'reset'
  return passing && (repeatable || sent === 'no')
}

/** The time a call may take, and the caller's own wish to end it, as one signal. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #ends: number
  readonly #outer: AbortSignal
  readonly #abort = () => this.#controller.abort()
  readonly #timeoutMs: number
  #ranOut = false

  constructor({timeoutMs, signal}: ExchangeOptions) {
    this.#timeoutMs = timeoutMs
    this.#ends = performance.now() + timeoutMs
    this.#timer = setTimeout(() => {
      this.#ranOut = true
      this.#controller.abort()
    }, timeoutMs)
    this.#outer = signal
    if (signal.aborted) this.#controller.abort()
    else signal.addEventListener('abort', this.#abort, {once: true})
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  leaves(ms: number): boolean {
    return performance.now() + ms < this.#ends
  }

  /** An abort that this deadline caused is a timeout, and says so. */
  explain(error: WireError): WireError {
    if (!this.#ranOut) return error
    const seconds = this.#timeoutMs / 1000
    return new WireError('deadline', error.sent, `no complete answer within ${seconds} s`, {cause: error})
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#abort)
  }
}
