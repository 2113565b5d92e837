import type {ExchangeOptions} from '../../api/client/exchange.js'
import type {Runtime} from '../runtime/runtime.js'

/** A run of many calls. */
export interface RunSize {
  /** How many are expected: many are worth a transport that takes longer to load. */
  readonly calls: number
}

/** Milliseconds between two attempts: the longest wait before the second, and before any. */
const backoff = {baseMs: 250, capMs: 8000}

/** How calls are ended and repeated. */
type Limits = Pick<ExchangeOptions, 'retry' | 'sleep' | 'signal'>

/** For single calls: Ctrl-C ends them. */
export function singleLimits({random, sleep, signal}: Runtime, retries: number): Limits {
  return {retry: {retries, ...backoff, random}, sleep, signal}
}

/**
 * For the calls of a run: Ctrl-C lets those that are under way come to their end, so that it is known what became of them, and
 * no request is sent again or waited for after it (product §5).
 */
export function runLimits({random, sleep, signal}: Runtime, retries: number): Limits {
  return {
    retry: {
      get retries() {
        return signal.aborted ? 0 : retries
      },
      ...backoff,
      random,
    },
    sleep: (ms, deadline) => sleep(ms, AbortSignal.any([deadline, signal])),
    signal: new AbortController().signal,
  }
}
