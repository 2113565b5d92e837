import {WireError} from '../http/wire/transport.js'

/** The time that a call may take, and the caller's own wish to end it, as one signal. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #ends: number
  readonly #underWay: Set<Deadline>
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
    this.#underWay = underWayOf(signal).add(this)
    if (signal.aborted) this.#controller.abort()
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

  /** Ends the call for its caller's sake. */
  abort(): void {
    this.#controller.abort()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#underWay.delete(this)
  }
}

const allUnderWay = new WeakMap<AbortSignal, Set<Deadline>>()

/**
 * The calls under way that end with a signal: one listener tells them all. Node keeps the listeners of a signal in a list, and
 * one for each call would be put into it and taken out again.
 */
function underWayOf(signal: AbortSignal): Set<Deadline> {
  const known = allUnderWay.get(signal)
  if (known) return known
  const underWay = new Set<Deadline>()
  const endAll = () => {
    for (const deadline of underWay) deadline.abort()
  }
  signal.addEventListener('abort', endAll, {once: true})
  allUnderWay.set(signal, underWay)
  return underWay
}
