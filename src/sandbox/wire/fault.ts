import {Readable} from 'node:stream'
import {setTimeout as pause} from 'node:timers/promises'
import {onStop, type StopSignal, unlessStopped} from '../../api/http/wire/stopSignal.js'
import {WireError, type WireRequest, type WireResponse} from '../../api/http/wire/transport.js'
import type {FailRule} from '../world/choices.js'
import {once, textResponse} from './service.js'

const statusTexts: Readonly<Record<number, string>> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The rule that strikes this request, if one does; each is drawn for itself, the first that strikes wins. */
export function drawFault(rules: readonly FailRule[], random: () => number): FailRule | undefined {
  return rules.find((rule) => random() * 100 < rule.percent)
}

/** An HTTP failure as a proxy in front of the service answers it: a page, no envelope. */
export function proxyErrorResponse(status: number, now: Date): WireResponse {
  const title = `${status} ${statusTexts[status] ?? 'Error'}`
  const wait = status === 429 || status === 503 ? {'retry-after': '1'} : undefined
  const page = `<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`
  return textResponse(status, {'content-type': 'text/html', ...wait}, page, now)
}

/** The error of a caller who has given the request up; a deadline says so itself. */
export function abortError({reason}: Pick<StopSignal, 'reason'>, sent: 'no' | 'maybe'): WireError {
  return reason instanceof WireError
    ? reason
    : new WireError('aborted', sent, 'the request was given up', {cause: reason})
}

/** Waits the sandbox's latency. Rejects with a WireError when the caller gives up meanwhile. */
export async function waitLatency(ms: number, signal?: StopSignal): Promise<void> {
  const controller = new AbortController()
  const release = onStop(signal, () => controller.abort())
  await pause(ms, undefined, {signal: controller.signal}).catch((error: unknown) => {
    throw signal ? abortError(signal, 'maybe') : error
  })
  release()
}

/** What is to happen in the middle of a body, once that many bytes of it have come. */
export interface Interruption {
  readonly kind: 'cut' | 'stall'
  readonly after: number
}

type Body = NonNullable<WireRequest['body']>

/**
 * The bytes of a request body. However they end, `bytes` ends without an error, so that what came before is kept as a real
 * service keeps it; `failure` says afterwards why they were not all there, `length` of them.
 */
export class InterruptibleBody {
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
      // A body may be silent for ever.
      const next = () => whileWanted(source.next(), signal)
      for (let part = await next(); !part.done; part = await next()) {
        // A copy: who sends may use the same block again for what comes next.
        const bytes = Buffer.from(part.value.subarray(0, left))
        left -= bytes.length
        seen += bytes.length
        if (bytes.length > 0) yield bytes
        if (left === 0) return await this.#interrupt()
      }
      if (seen < this.#length) this.failure = brokenBody('the request body ended early')
    } catch (error) {
      this.failure =
        error instanceof WireError ? error : brokenBody('the connection broke in the middle of the request', error)
    } finally {
      closeSource(body, source)
    }
  }

  async #interrupt(): Promise<void> {
    if (this.#interruption?.kind === 'stall') await whileWanted(new Promise(() => {}), this.#request.signal)
    this.failure = brokenBody('the sandbox was asked to break the connection')
  }
}

function brokenBody(message: string, cause?: unknown): WireError {
  return new WireError('reset', 'maybe', message, {cause})
}

function sourceOf(body: Body): AsyncIterator<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return (bytes instanceof Uint8Array ? once(bytes) : bytes)[Symbol.asyncIterator]()
}

/** The result of some work; rejects when the caller gives up. */
function whileWanted<T>(work: Promise<T>, signal: StopSignal | undefined): Promise<T> {
  return unlessStopped(work, signal, (reason) => abortError({reason}, 'maybe'))
}

/**
 * Tells a sender in this process that no more is wanted. A connection is left as it is: it would be destroyed, and the
 * answer with it.
 */
function closeSource(body: WireRequest['body'], source: AsyncIterator<Uint8Array>): void {
  if (body instanceof Readable) return
  source.return?.().catch(() => undefined)
}
