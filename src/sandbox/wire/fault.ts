import {Readable} from 'node:stream'
import {setTimeout as pause} from 'node:timers/promises'
import {unlessStopped} from '../../api/http/wire/stopSignal.js'
import {WireError, type WireRequest} from '../../api/http/wire/transport.js'
import {once} from './service.js'

/** The error of a caller who gave the request up; a deadline is an error of its own. */
export function abortError({reason}: Pick<AbortSignal, 'reason'>, sent: 'no' | 'maybe'): WireError {
  return reason instanceof WireError
    ? reason
    : new WireError('aborted', sent, 'the request was given up', {cause: reason})
}

export async function waitLatency(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, {signal}).catch((error: unknown) => {
    throw signal ? abortError(signal, 'maybe') : error
  })
}

/** The bytes of a request body. `bytes` always ends without an error, to keep the received part, as a real service does; `failure` is the reason. */
export class InterruptibleBody {
  failure: WireError | undefined

  constructor(
    private readonly request: WireRequest,
    private readonly length: number,
  ) {}

  async *bytes(): AsyncGenerator<Uint8Array> {
    const {body, signal} = this.request
    const source = sourceOf(body)
    let seen = 0
    try {
      // A body may be silent for ever.
      const next = () => whileWanted(source.next(), signal)
      for (let part = await next(); !part.done; part = await next()) {
        // A copy: the sender may use the same block again.
        const bytes = Buffer.from(part.value)
        seen += bytes.length
        if (bytes.length > 0) yield bytes
      }
      if (seen < this.length) this.failure = brokenBody('the request body ended early')
    } catch (error) {
      this.failure =
        error instanceof WireError ? error : brokenBody('the connection broke in the middle of the request', error)
    } finally {
      closeSource(body, source)
    }
  }
}

function brokenBody(message: string, cause?: unknown): WireError {
  return new WireError('reset', 'maybe', message, {cause})
}

function sourceOf(body: WireRequest['body'] = ''): AsyncIterator<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return (bytes instanceof Uint8Array ? once(bytes) : bytes)[Symbol.asyncIterator]()
}

function whileWanted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return unlessStopped(work, signal, (reason) => abortError({reason}, 'maybe'))
}

/** Ends a source in this process. A connection is left open: closing it would close the answer with it. */
function closeSource(body: WireRequest['body'], source: AsyncIterator<Uint8Array>): void {
  if (body instanceof Readable) return
  source.return?.().catch(() => undefined)
}
