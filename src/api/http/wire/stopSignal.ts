import {monotonicMs} from '../../../text/time.js'
import {WireError} from './transport.js'

/** Calls `stop` when the signal is aborted, at once if it is already; returns a function that removes the listener. */
export function onStop(signal: AbortSignal | undefined, stop: () => void): () => void {
  signal?.addEventListener('abort', stop, {once: true})
  if (signal?.aborted) stop()
  return () => signal?.removeEventListener('abort', stop)
}

/** The result of some work, or the error that `stopped` makes of the signal's reason if it is aborted before. */
export async function unlessStopped<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  stopped: (reason: unknown) => unknown,
): Promise<T> {
  let release = () => {}
  const stop = new Promise<never>((_, reject) => {
    release = onStop(signal, () => reject(stopped(signal?.reason)))
  })
  return Promise.race([work, stop]).finally(release)
}

/** The time limit of a call and the caller's own abort, as one signal. `clear` releases the timer and the caller's signal. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #ends: number
  readonly #release: () => void
  readonly #timeoutMs: number
  #ranOut = false

  constructor({timeoutMs, signal}: {readonly timeoutMs: number; readonly signal: AbortSignal}) {
    this.#timeoutMs = timeoutMs
    this.#ends = monotonicMs() + timeoutMs
    this.#timer = setTimeout(() => {
      this.#ranOut = true
      this.#controller.abort()
    }, timeoutMs)
    this.#release = onStop(signal, () => this.#controller.abort())
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  leaves(ms: number): boolean {
    return monotonicMs() + ms < this.#ends
  }

  /** An abort by this deadline is a timeout. */
  explain(error: WireError): WireError {
    if (!this.#ranOut || error.problem !== 'aborted') return error
    const seconds = this.#timeoutMs / 1000
    return new WireError('deadline', error.sent, `no complete answer within ${seconds} s`, {cause: error})
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#release()
  }
}
