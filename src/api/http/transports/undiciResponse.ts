import type {Dispatcher} from 'undici'

/** Beyond this many unread bytes of a body the connection is paused. */
const MOST_WAITING = 64 * 1024

type Controller = Dispatcher.DispatchController

interface Callbacks {
  readonly begun: (status: number, headers: Readonly<Record<string, string | readonly string[] | undefined>>) => void
  /** No answer came. `started`: the request was being sent. */
  readonly failed: (error: unknown, started: boolean) => void
  readonly ended: () => void
  /** The error that the reader of the body is to see. */
  readonly explain: (error: unknown) => Error
}

/**
 * Takes one answer from undici's dispatcher, and is its body. A stream of Node's would do the same, and take longer than all the
 * rest of a small exchange.
 */
export class UndiciResponse implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array> {
  readonly #waiting: Uint8Array[] = []
  #controller: Controller | undefined
  #waitingBytes = 0
  #state: 'unanswered' | 'begun' | 'ended' = 'unanswered'
  #error: {readonly reason: unknown} | undefined
  #wake: (() => void) | undefined

  constructor(private readonly callbacks: Callbacks) {}

  get isWhole(): boolean {
    return this.#state === 'ended' && !this.#error
  }

  abort(reason: unknown): void {
    if (this.#state === 'ended') return
    if (this.#controller) this.#controller.abort(toError(reason))
    // Nothing was sent yet, so there is no connection to wait for.
    else this.onResponseError(undefined, reason)
  }

  discard(): void {
    this.#waiting.length = 0
    this.abort('read no further')
  }

  taken(): Uint8Array[] {
    return this.#waiting.splice(0)
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.#waiting.shift()
    if (chunk) {
      this.#waitingBytes -= chunk.length
      if (this.#waiting.length === 0 && this.#state !== 'ended') this.#controller?.resume()
      return Promise.resolve({value: chunk, done: false})
    }
    if (this.#error) return Promise.reject(this.callbacks.explain(this.#error.reason))
    if (this.#state === 'ended') return Promise.resolve({value: undefined, done: true})
    return new Promise<void>((resolve) => {
      this.#wake = resolve
    }).then(() => this.next())
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.abort('read no further')
    return Promise.resolve({value: undefined, done: true})
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#error) controller.abort(toError(this.#error.reason))
  }

  onRequestUpgrade(): void {
    throw new Error('the service switched to another protocol')
  }

  onResponseStart(_: Controller, status: number, headers: Parameters<Callbacks['begun']>[1]): void {
    // Informational (1xx).
    if (status < 200) return
    this.#state = 'begun'
    this.callbacks.begun(status, headers)
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes >= MOST_WAITING) controller.pause()
    this.#wake?.()
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_: Controller | undefined, reason: unknown): void {
    if (this.#state === 'ended') return
    this.#error = {reason}
    if (this.#state === 'unanswered') this.callbacks.failed(reason, this.#controller !== undefined)
    this.#end()
  }

  #end(): void {
    this.#state = 'ended'
    this.callbacks.ended()
    this.#wake?.()
  }
}

/** undici wants an Error; a signal can be aborted with anything. */
function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('given up', {cause: reason})
}
