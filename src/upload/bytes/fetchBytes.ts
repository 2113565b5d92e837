import {createHash} from 'node:crypto'
import {Failure} from '../../api/contract/failure.js'
import {codingOf, streamBody} from '../../api/http/wire/message.js'
import {backoffMs} from '../../api/http/wire/retry.js'
import {WireError, type WireProblem, type WireResponse} from '../../api/http/wire/transport.js'
import {type BytesLocation, type FetchContext, openBytes, responseFailure} from './openBytes.js'

/** Attempts in a row that bring the file no further, before it is given up. */
const attempts = 5

const temporaryProblems: ReadonlySet<WireProblem> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'headers-timeout',
  'reset',
  'broken',
])

/**
 * Reads bytes of any size into a sink, holding a few of them at a time. It takes as long as it takes: only silence ends it. A
 * connection that breaks is received up where it broke, where the service gives a strong entity tag to do so by, and otherwise
 * at the beginning. What comes is whole: as long as it was announced. Raises a Failure that does not say which file it was.
 */
export async function fetchBytes(context: FetchContext, place: BytesLocation, sink: ByteSink): Promise<Fetched> {
  const {signal, sleep, now, random} = context.runtime
  const policy = {retries: attempts - 1, baseMs: 250, capMs: 8000, random}
  const received = new ReceivedBytes(sink)
  for (let attemptsWithoutProgress = 1; ; attemptsWithoutProgress += 1) {
    const before = received.size
    const problem = await attemptFetch(context, place, received)
    if (problem === undefined) return received.fetched()
    if (received.resumable && received.size > before) attemptsWithoutProgress = 1
    if (!problem.passes || attemptsWithoutProgress >= attempts || signal.aborted) throw fetchFailure(problem, signal)
    await sleep(backoffMs(policy, attemptsWithoutProgress, problem.retryAfter, now()), signal)
    if (signal.aborted) throw fetchFailure(problem, signal)
  }
}

/** Why the bytes did not come whole, and whether that may pass. */
interface FetchProblem {
  readonly error: WireError | Failure
  readonly passes: boolean
  readonly retryAfter?: string | undefined
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
      await received.begin(answer)
      await receiveBody(answer, received)
      return undefined
    }
    const outOfRange = answer.status === 416 && received.resumable
    if (outOfRange) received.forgetTag()
    const passes = outOfRange || refusal.facts.retryable === true
    return {error: refusal, passes, retryAfter: answer.headers['retry-after']}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {error, passes: temporaryProblems.has(error.problem)}
  } finally {
    answer?.discard()
  }
}

/** Takes an answer to its end. Raises a `WireError` 'broken' where it is not as long as it announced. */
async function receiveBody(answer: WireResponse, received: ReceivedBytes): Promise<void> {
  const announced = Number(answer.headers['content-length'] ?? Number.NaN)
  let came = 0
  const counted = async function* () {
    for await (const chunk of answer.body) {
      came += chunk.length
      if (came > announced) throw cutOff('is longer than it announced')
      yield chunk
    }
  }
  for await (const chunk of await streamBody({...answer, body: counted()})) {
    if (!(await received.add(chunk))) return
  }
  if (came < announced) throw cutOff('breaks off before its end')
}

function cutOff(how: string): WireError {
  return new WireError('broken', 'maybe', `the answer with the bytes ${how}`)
}

function fetchFailure({error, passes}: FetchProblem, signal: AbortSignal): Failure {
  if (signal.aborted) {
    return new Failure({exit: 'interrupted', message: 'interrupted'}, {cause: error})
  }
  if (error instanceof Failure) return error
  const facts = {exit: 'network', code: error.problem, message: error.message, retryable: passes} as const
  return new Failure({...facts, why: 'the bytes did not come whole'}, {cause: error})
}

/** Where bytes go that are read from a service. */
export interface ByteSink {
  /** Takes the next bytes; false when nobody wants more of them. */
  write(chunk: Uint8Array): Promise<boolean>
  /** Forgets what it took: the bytes come again, from the first. Raises a Failure where that cannot be. */
  restart(): Promise<void>
}

/** What came: its size, and its digest in hex. */
export interface Fetched {
  readonly bytes: number
  readonly sha256: string
}

/** What has been received of a file so far, through all attempts to read it, and how the rest of it can be asked for. */
export class ReceivedBytes {
  readonly #sink: ByteSink
  #hash = createHash('sha256')
  #size = 0
  /** A strong entity tag: it proves that a later answer is of the very same bytes (RFC 9110 §8.8.3). */
  #tag: string | undefined

  constructor(sink: ByteSink) {
    this.#sink = sink
  }

  get size(): number {
    return this.#size
  }

  /** Whether the next attempt can go on where this one ended. */
  get resumable(): boolean {
    return this.#tag !== undefined && this.#size > 0
  }

  /** The headers that ask for what is missing; none where all is to come again. */
  rest(): Record<string, string> {
    if (this.#tag === undefined || this.#size === 0) return {}
    return {range: `bytes=${this.#size}-`, 'if-range': this.#tag}
  }

  /** Has the next attempt ask for the whole file. */
  forgetTag(): void {
    this.#tag = undefined
  }

  /**
   * Gets ready for the bytes of an answer: the rest of the file, or all of it again. Raises a `WireError` 'broken' for a part that
   * was not asked for.
   */
  async begin(answer: WireResponse): Promise<void> {
    if (answer.status === 206) {
      if (codingOf(answer) === 'identity' && isRest(answer.headers['content-range'] ?? '', this.#size)) return
      this.#tag = undefined
      throw new WireError('broken', 'maybe', 'the answer is another part of the file than was asked for')
    }
    if (this.#size > 0) await this.#sink.restart()
    this.#hash = createHash('sha256')
    this.#size = 0
    const tag = answer.headers.etag ?? ''
    this.#tag = codingOf(answer) === 'identity' && /^"[^"\p{Cc}]*"$/u.test(tag) ? tag : undefined
  }

  /** Hands bytes on; false when nobody wants more of them. */
  async add(chunk: Uint8Array): Promise<boolean> {
    const writing = this.#sink.write(chunk)
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

/** `bytes 100-199/200`: from that offset to the very end. */
function isRest(range: string, offset: number): boolean {
  const [, from, last, size] = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/u.exec(range.trim()) ?? []
  return Number(from) === offset && Number(last) + 1 === Number(size)
}
