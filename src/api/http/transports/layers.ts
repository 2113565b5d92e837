import {headerOf} from '../wire/message.js'
import {type Transport, WireError} from '../wire/transport.js'
import {hostAndPort, seconds} from '../wire/wireFailure.js'
import {
  bodyLine,
  LOOK_BYTES,
  requestLine,
  responseLine,
  type Shown,
  type TappedBody,
  tracedFailureLine,
} from './traceLines.js'

/** The headers that carry a credential, and the one origin (`https://host:port`) they may go to. */
export interface BoundCredential {
  readonly origin: string
  readonly header: () => Promise<Record<string, string>>
}

/**
 * Adds the credential's headers to each request; they win over headers of the same name. A request to any other origin is
 * refused with a `WireError` 'aborted' that was not sent, and the credential is not even read.
 */
export function withCredential(transport: Transport, credential: BoundCredential): Transport {
  return async (request) => {
    if (request.url.origin !== credential.origin) {
      const message = `nothing was sent to ${request.url.origin}: the credential is bound to ${credential.origin}`
      throw new WireError('aborted', 'no', message)
    }
    const added = await credential.header()
    const headers = {...request.headers}
    for (const name of Object.keys(headers)) if (headerOf(added, name.toLowerCase()) !== undefined) delete headers[name]
    return transport({...request, headers: Object.assign(headers, added)})
  }
}

/**
 * Ends an exchange `ms` milliseconds after it began, its body included, with a `WireError` 'deadline'. Unlike a limit on
 * silence it cannot be held off by a service that sends a byte now and then.
 */
export function withDeadline(transport: Transport, ms: number): Transport {
  return async (request) => {
    const limit = startLimit(ms, request.signal)
    const explain = (error: unknown) => {
      if (!limit.expired() || !(error instanceof WireError) || error.problem !== 'aborted') return error
      const message = `no complete answer from ${hostAndPort(request.url)} within ${seconds(ms)}`
      return new WireError('deadline', error.sent, message, {cause: error})
    }
    try {
      const answer = await transport({...request, signal: limit.signal})
      const discard = () => {
        limit.release()
        answer.discard()
      }
      return {...answer, body: watched(answer.body, explain, limit.release), discard}
    } catch (error) {
      limit.release()
      throw explain(error)
    }
  }
}

/**
 * Reports each exchange to `trace`, a line each: the request with its body, the answer's status and headers as they come, its
 * body once nobody reads on, or the failure. Bodies of text are shown up to 2 KiB, others by their size. Everything shown has
 * gone through `shown`.
 */
export function withTrace(transport: Transport, trace: (line: string) => void, shown: Shown): Transport {
  return async (request) => {
    const start = performance.now()
    trace(requestLine(request, shown))
    try {
      const answer = await transport(request)
      trace(responseLine(answer, performance.now() - start, shown))
      const done = (seen: TappedBody) => trace(bodyLine(answer, seen, shown))
      return {...answer, body: tapBody(answer.body, done), discard: () => answer.discard()}
    } catch (error) {
      trace(tracedFailureLine(error, performance.now() - start, shown))
      throw error
    }
  }
}

async function* tapBody(body: AsyncIterable<Uint8Array>, done: (seen: TappedBody) => void): AsyncIterable<Uint8Array> {
  const seen: Uint8Array[] = []
  let size = 0
  let whole = false
  try {
    for await (const chunk of body) {
      if (size < LOOK_BYTES) seen.push(chunk.subarray(0, LOOK_BYTES - size))
      size += chunk.length
      yield chunk
    }
    whole = true
  } finally {
    done({size, beginning: Buffer.concat(seen), whole})
  }
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  explain: (error: unknown) => unknown,
  release: () => void,
): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw explain(error)
  } finally {
    release()
  }
}

/** A signal that ends with the outer one or when the time is up; `release` lets go of the timer and of the outer signal. */
function startLimit(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let expired = false
  const timer = setTimeout(() => {
    expired = true
    controller.abort()
  }, ms)
  timer.unref()
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, {once: true})
  const release = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', follow)
  }
  return {signal: controller.signal, expired: () => expired, release}
}
