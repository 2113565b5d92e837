import {Readable} from 'node:stream'
import {WireError, type WireRequest} from '../../api/http/wire/transport.js'
import {givenUp} from '../wire/fault.js'

/** What is to happen in the middle of a body, once so many bytes of it have come. */
export interface Interruption {
  readonly kind: 'cut' | 'stall'
  readonly after: number
}

type Body = NonNullable<WireRequest['body']>

/**
 * The bytes of a request body. However they end, `bytes` ends without an error, so that what came before is kept as a real
 * service keeps it; `failure` says afterwards why they were not all there, `length` of them.
 */
export class Incoming {
  failure: WireError | undefined
  readonly #request: WireRequest
  readonly #length: number
  readonly #interruption: Interruption | undefined

  constructor(request: WireRequest, length: number, interruption?: Interruption) {
    this.#request = request
    this.#length = length
    this.#interruption = interruption
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    const {body, signal} = this.#request
    const source = sourceOf(body ?? '')
    let left = this.#interruption?.after ?? Number.POSITIVE_INFINITY
    let seen = 0
    try {
      for (let part = await nextOf(source, signal); part !== undefined; part = await nextOf(source, signal)) {
        // A copy: who sends may use the same block again for what comes next.
        const bytes = Buffer.from(part.subarray(0, left))
        left -= bytes.length
        seen += bytes.length
        if (bytes.length > 0) yield bytes
        if (left === 0) return await this.#interrupt()
      }
      if (seen < this.#length) this.failure = broken('the request body ended early')
    } catch (error) {
      this.failure =
        error instanceof WireError ? error : broken('the connection broke in the middle of the request', error)
    } finally {
      letGo(body, source)
    }
  }

  async #interrupt(): Promise<void> {
    if (this.#interruption?.kind === 'stall') await gone(this.#request.signal)
    this.failure = broken('the sandbox was asked to break the connection')
  }
}

function broken(message: string, cause?: unknown): WireError {
  return new WireError('reset', 'maybe', message, {cause})
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function sourceOf(body: Body): AsyncIterator<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return (bytes instanceof Uint8Array ? once(bytes) : bytes)[Symbol.asyncIterator]()
}

/** The next part, or undefined at the end. Rejects when the caller gives up: a body may be silent for ever. */
function nextOf(source: AsyncIterator<Uint8Array>, signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(givenUp(signal, 'maybe'))
    const stop = () => signal && reject(givenUp(signal, 'maybe'))
    signal?.addEventListener('abort', stop, {once: true})
    source
      .next()
      .then(({done, value}) => resolve(done ? undefined : value), reject)
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}

/** Rejects when the caller gives up; until then nothing is read. */
function gone(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(givenUp(signal, 'maybe'))
    else signal?.addEventListener('abort', () => reject(givenUp(signal, 'maybe')), {once: true})
  })
}

/**
 * Tells a sender in this process that no more is wanted. A connection is left as it is: it would be destroyed, and the
 * answer with it.
 */
function letGo(body: WireRequest['body'], source: AsyncIterator<Uint8Array>): void {
  if (body instanceof Readable) return
  source.return?.().catch(() => undefined)
}
