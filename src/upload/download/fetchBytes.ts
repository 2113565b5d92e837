import {createHash} from 'node:crypto'
import {isUncoded, streamBody} from '../../api/http/wire/message.js'
import {backoffMs, retryAfterMs} from '../../api/http/wire/retry.js'
import {WireError, type WireProblem, type WireResponse} from '../../api/http/wire/transport.js'
import {Failure, failureWith} from '../../failure.js'
import {
  type BytesLocation,
  type FetchContext,
  locateBytes,
  openBytes,
  type ResourcePath,
  responseFailure,
} from './openBytes.js'

const attempts = 5
/** A longer wait is left to the user. */
const longestAskedMs = 60_000

const temporaryProblems: ReadonlySet<WireProblem> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'headers-timeout',
  'reset',
  'broken',
])

/**
 * Reads bytes of any size into a sink, a few at a time; only silence ends it. After a broken connection it resumes if a strong entity
 * tag or the `digest` of the whole (sha256 in lower-case hex) proves that the rest is of the same content (RFC 9110 §15.3.7.3).
 * Throws Failure without the name of the file.
 */
export async function fetchBytes(
  context: FetchContext,
  place: BytesLocation,
  sink: ByteSink,
  digest?: string,
): Promise<Fetched> {
  const {signal, sleep, random} = context.runtime
  const policy = {retries: attempts - 1, baseMs: 250, capMs: 8000, random}
  const received = new ReceivedBytes(sink, digest)
  // The furthest offset of all attempts: reading from the beginning again is no progress.
  let furthest = 0
  for (let attemptsWithoutProgress = 1; ; attemptsWithoutProgress += 1) {
    const problem = await attemptFetch(context, place, received)
    if (problem === undefined) return received.fetched()
    if (received.resumable && received.size > furthest) attemptsWithoutProgress = 1
    furthest = Math.max(furthest, received.size)
    if (problem.passes && attemptsWithoutProgress < attempts) {
      await sleep(backoffMs(policy, attemptsWithoutProgress, problem.askedMs), signal)
      if (!signal.aborted) continue
    }
    throw fetchFailure(problem, signal)
  }
}

/** How many bytes the dataUrl of a resource has, by the length that its answer announces; undefined if nothing says it. */
export async function storedBytes(context: FetchContext, resource: ResourcePath): Promise<number | undefined> {
  const place = await locateBytes(context, resource).catch(() => undefined)
  if (place === undefined || place.ownForm) return undefined
  const opened = await openBytes(context, place, {'accept-encoding': 'identity', range: 'bytes=0-0'}).catch(
    () => undefined,
  )
  if (opened === undefined) return undefined
  const {answer} = opened
  answer.discard()
  if (responseFailure(opened, place) || !isUncoded(answer)) return undefined
  const length = answer.status === 206 ? rangeOf(answer).total : Number(answer.headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(length) ? length : undefined
}

interface FetchProblem {
  readonly error: WireError | Failure
  readonly passes: boolean
  readonly askedMs?: number | undefined
}

async function attemptFetch(
  context: FetchContext,
  place: BytesLocation,
  received: ReceivedBytes,
): Promise<FetchProblem | undefined> {
  let answer: WireResponse | undefined
  try {
    const opened = await openBytes(context, place, {'accept-encoding': 'identity', ...received.rest()})
    answer = opened.answer
    const refusal = responseFailure(opened, place)
    if (!refusal) {
      await receiveBody(answer, received)
      if (received.isProven) return undefined
      await received.startOver()
      return {error: new WireError('broken', 'maybe', 'the bytes changed while they were downloaded'), passes: true}
    }
    const outOfRange = answer.status === 416 && received.resumable
    if (outOfRange) await received.startOver()
    const askedMs = retryAfterMs(answer.headers, context.runtime.now())
    const passes = outOfRange || (refusal.facts.retryable === true && (askedMs ?? 0) <= longestAskedMs)
    return {error: refusal, passes, askedMs}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {error, passes: temporaryProblems.has(error.problem)}
  } finally {
    answer?.discard()
  }
}

/** Reads an answer to its end. Throws a `WireError` 'broken' if it is not exactly as long as it announced. */
async function receiveBody(answer: WireResponse, received: ReceivedBytes): Promise<void> {
  const announced = await received.begin(answer)
  let came = 0
  const counted = async function* () {
    for await (const chunk of answer.body) {
      came += chunk.length
      if (came > announced) return
      yield chunk
    }
  }
  for await (const chunk of streamBody({...answer, body: counted()})) {
    if (!(await received.add(chunk))) return
  }
  if (came > announced) throw await received.refuse('the answer with the bytes is longer than it announced')
  if (came < announced) throw await received.refuse('the answer with the bytes breaks off before its end')
}

function fetchFailure({error, passes}: FetchProblem, signal: AbortSignal): Failure {
  if (signal.aborted) {
    return failureWith('interrupted', 'interrupted', {}, {cause: error})
  }
  if (error instanceof Failure) return error
  const facts = {code: error.problem, why: 'the bytes are incomplete', retryable: passes}
  return failureWith('network', error.message, facts, {cause: error})
}

export interface ByteSink {
  /** Takes the next bytes; false once the reader is gone. */
  write(chunk: Uint8Array): Promise<boolean>
  /** Discards the received bytes, which are sent again from the first. Throws Failure if that is impossible. */
  restart(): Promise<void>
}

export interface Fetched {
  readonly bytes: number
  readonly sha256: string
}

/** The bytes of a file received by all attempts, and the request for the rest. */
export class ReceivedBytes {
  #hash = createHash('sha256')
  #size = 0
  /** A strong entity tag: it proves that a later answer is of the very same bytes (RFC 9110 §8.8.3). */
  #tag: string | undefined
  #total: number | undefined
  #isCombined = false

  constructor(
    private readonly sink: ByteSink,
    private readonly digest?: string,
  ) {}

  /** False if the bytes of several answers do not have the digest that is known. */
  get isProven(): boolean {
    return !this.#isCombined || this.digest === undefined || this.#hash.copy().digest('hex') === this.digest
  }

  get size(): number {
    return this.#size
  }

  get resumable(): boolean {
    return (this.#tag !== undefined || this.digest !== undefined) && this.#size > 0
  }

  rest(): Record<string, string> {
    if (!this.resumable) return {}
    return {range: `bytes=${this.#size}-`, ...(this.#tag === undefined ? {} : {'if-range': this.#tag})}
  }

  async startOver(): Promise<void> {
    if (this.#size > 0) await this.sink.restart()
    this.#hash = createHash('sha256')
    this.#size = 0
    this.#tag = undefined
    this.#total = undefined
    this.#isCombined = false
  }

  /** Starts over after an answer that contradicts itself; returns the error to throw. */
  async refuse(message: string): Promise<WireError> {
    await this.startOver()
    return new WireError('broken', 'maybe', message)
  }

  /** Gets ready for an answer, the rest or all of it; returns the announced length, or NaN. Throws a `WireError` 'broken' for another part. */
  async begin(answer: WireResponse): Promise<number> {
    const length = Number(answer.headers['content-length'] ?? Number.NaN)
    const hasOwnBytes = isUncoded(answer)
    const tag = hasOwnBytes ? strongTag(answer) : undefined
    if (answer.status !== 206) {
      await this.startOver()
      this.#tag = tag
      this.#total = hasOwnBytes && length >= 0 ? length : undefined
      return length
    }
    const {from, end, total} = rangeOf(answer)
    const isRest = this.resumable && hasOwnBytes && from === this.#size && end === total
    const isSame = tag === this.#tag && total === (this.#total ?? total)
    if (!isRest || !isSame || (length >= 0 && length !== end - from)) {
      throw await this.refuse('the answer is another part of the file than was asked for')
    }
    this.#isCombined = true
    this.#total = total
    return end - from
  }

  async add(chunk: Uint8Array): Promise<boolean> {
    const writing = this.sink.write(chunk)
    // The digest is computed while the system writes.
    this.#hash.update(chunk)
    const wanted = await writing
    this.#size += chunk.length
    return wanted
  }

  fetched(): Fetched {
    return {bytes: this.#size, sha256: this.#hash.digest('hex')}
  }
}

function strongTag({headers: {etag = ''}}: WireResponse): string | undefined {
  return /^"[^"\p{Cc}]*"$/u.test(etag) ? etag : undefined
}

/** `bytes 100-199/200`; NaN for any other form. */
function rangeOf({headers}: WireResponse): {readonly from: number; readonly end: number; readonly total: number} {
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/u.exec(headers['content-range']?.trim() ?? '')
  const [from = Number.NaN, last = Number.NaN, total = Number.NaN] = range?.slice(1).map(Number) ?? []
  return {from, end: last + 1, total}
}
