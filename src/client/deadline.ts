import {WireError} from '../http/transport.js'

/** The time that a call may take, and the caller's own wish to end it, as one signal. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #ends: number
  readonly #outer: AbortSignal
  readonly #abort = () => this.#controller.abort()
  readonly #timeoutMs: number
  #ranOut = false

  /** Begins to run at once; `clear` lets go of the timer and of the outer signal. */
  constructor({timeoutMs, signal}: {readonly timeoutMs: number; readonly signal: AbortSignal}) {
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

  /** Whether that many milliseconds are left. */
  leaves(ms: number): boolean {
    return performance.now() + ms < this.#ends
  }

  /** An abort that this deadline caused is a timeout, and says so. */
  explain(error: WireError): WireError {
    if (!this.#ranOut || error.problem !== 'aborted') return error
    const seconds = this.#timeoutMs / 1000
    return new WireError('deadline', error.sent, `no complete answer within ${seconds} s`, {cause: error})
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#abort)
  }
}
