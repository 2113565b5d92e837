import {Failure} from '../../api/contract/failure.js'
import {streamBody} from '../../api/http/wire/message.js'
import {backoffMs} from '../../api/http/wire/retry.js'
import {WireError, type WireProblem, type WireResponse} from '../../api/http/wire/transport.js'
import type {BytesPlace} from './bytesPlace.js'
import type {FetchContext} from './fetchContext.js'
import {openBytes, refusalOf} from './openBytes.js'
import {type ByteSink, type Fetched, Taken} from './taken.js'

/** Attempts in a row that bring the file no further, before it is given up. */
const attempts = 5

const passing: ReadonlySet<WireProblem> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'headers-timeout',
  'reset',
  'broken',
])

/**
 * Reads bytes of any size into a sink, holding a few of them at a time. It takes as long as it takes: only silence ends it. A
 * connection that breaks is taken up where it broke, where the service gives a strong entity tag to do so by, and otherwise
 * at the beginning. What comes is whole: as long as it was announced. Raises a Failure that does not say which file it was.
 */
export async function fetchBytes(context: FetchContext, place: BytesPlace, sink: ByteSink): Promise<Fetched> {
  const {signal, sleep, now, random} = context
  const policy = {retries: attempts - 1, baseMs: 250, capMs: 8000, random}
  const taken = new Taken(sink)
  for (let fruitless = 1; ; fruitless += 1) {
    const before = taken.size
    const problem = await attempt(context, place, taken)
    if (problem === undefined) return taken.fetched()
    if (taken.resumable && taken.size > before) fruitless = 1
    if (!problem.passes || fruitless >= attempts || signal.aborted) throw failureOf(problem, signal)
    await sleep(backoffMs(policy, fruitless, problem.retryAfter, now()), signal)
    if (signal.aborted) throw failureOf(problem, signal)
  }
}

/** Why the bytes did not come whole, and whether that may pass. */
interface Problem {
  readonly error: WireError | Failure
  readonly passes: boolean
  readonly retryAfter?: string | undefined
}

async function attempt(context: FetchContext, place: BytesPlace, taken: Taken): Promise<Problem | undefined> {
  let answer: WireResponse | undefined
  try {
    const opened = await openBytes(context, place, {'accept-encoding': 'identity', ...taken.rest()})
    answer = opened.answer
    const refusal = refusalOf(opened, place)
    if (!refusal) {
      await taken.begin(answer)
      await take(answer, taken)
      return undefined
    }
    const outOfRange = answer.status === 416 && taken.resumable
    if (outOfRange) taken.forgetTag()
    const passes = outOfRange || refusal.facts.retryable === true
    return {error: refusal, passes, retryAfter: answer.headers['retry-after']}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {error, passes: passing.has(error.problem)}
  } finally {
    answer?.discard()
  }
}

/** Takes an answer to its end. Raises a `WireError` 'broken' where it is not as long as it announced. */
async function take(answer: WireResponse, taken: Taken): Promise<void> {
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
    if (!(await taken.add(chunk))) return
  }
  if (came < announced) throw cutOff('breaks off before its end')
}

function cutOff(how: string): WireError {
  return new WireError('broken', 'maybe', `the answer with the bytes ${how}`)
}

function failureOf({error, passes}: Problem, signal: AbortSignal): Failure {
  if (signal.aborted) {
    return new Failure({exit: 'interrupted', message: 'interrupted'}, {cause: error})
  }
  if (error instanceof Failure) return error
  const facts = {exit: 'network', code: error.problem, message: error.message, retryable: passes} as const
  return new Failure({...facts, why: 'the bytes did not come whole'}, {cause: error})
}
