import {type OutgoingMessage, validateHeaderName, validateHeaderValue} from 'node:http'
import {CHUNK_SENT, WireError, type WireRequest} from './transport.js'
import {abortedFailure, hostAndPort} from './wireFailure.js'

/**
 * The headers that go over the wire: those of the request, and the length of a body whose length is known (Node leaves it
 * out for DELETE, and the service would see no body). Raises a `WireError` that was not sent for a header that HTTP forbids.
 */
export function outgoingHeaders({headers, body, url}: WireRequest): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value, url)
  const length = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : undefined
  if (length === undefined || headerOf(headers, 'content-length') !== undefined) return {...headers}
  return {...headers, 'Content-Length': String(length)}
}

/** The value of a header in whatever case its name was written; undefined when it is not there. */
export function headerOf(headers: Readonly<Record<string, string>>, lowerName: string): string | undefined {
  for (const name in headers) {
    // Few names are as long as the one that is sought; the others are not turned to lower case.
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) return headers[name]
  }
  return undefined
}

/** An answer's headers as `WireAnswer` has them: lower-case names, repeated headers joined by `, `. */
export function incomingHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(headers)) {
    joined[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return joined
}

/**
 * The chunks of a streamed request body. Its own failure comes out as a `WireError` with the failure as its cause; so does a
 * body that is not as long as its Content-Length said (a file that changes meanwhile), which would leave both sides waiting.
 */
export async function* streamedBody(
  body: AsyncIterable<Uint8Array>,
  request: WireRequest,
): AsyncGenerator<Uint8Array, void, typeof CHUNK_SENT | undefined> {
  const announced = Number(headerOf(request.headers, 'content-length') ?? Number.NaN)
  const chunks = body[Symbol.asyncIterator]()
  let size = 0
  try {
    for (let step = await chunks.next(); !step.done; ) {
      size += step.value.length
      if (size > announced) throw unsent(request, 'grew while it was read')
      step = await chunks.next(yield step.value)
    }
    if (size < announced) throw unsent(request, 'shrank while it was read')
  } catch (error) {
    throw error instanceof WireError ? error : unsent(request, 'could not be read', error)
  } finally {
    await chunks.return?.()
  }
}

/** Writes a body at the pace at which it is taken; stops reading it when the other side hangs up. */
export async function writeBody(body: ReturnType<typeof streamedBody>, outgoing: OutgoingMessage): Promise<void> {
  for (let step = await body.next(); !step.done; step = await body.next(CHUNK_SENT)) {
    if (!outgoing.destroyed) await written(outgoing, step.value)
    if (outgoing.destroyed) {
      await body.return()
      return
    }
  }
  outgoing.end()
}

/** An answer's body whose failures are turned by `explain`; a caller who gave up (`signal`) gets the problem 'aborted'. */
export async function* responseBody(
  body: AsyncIterable<Uint8Array>,
  request: WireRequest,
  explain: (error: unknown) => WireError,
): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw request.signal?.aborted
      ? abortedFailure('maybe', hostAndPort(request.url), request.signal.reason)
      : explain(error)
  }
}

function unsent(request: WireRequest, why: string, cause?: unknown): WireError {
  return new WireError('aborted', 'maybe', `the request to ${hostAndPort(request.url)} was given up: its body ${why}`, {
    cause,
  })
}

/** Waits until a chunk has been handed to the system, or the connection is gone. */
function written(outgoing: OutgoingMessage, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('close', go)
      resolve()
    }
    outgoing.on('close', go)
    outgoing.write(chunk, go)
  })
}

/** The last value of each header that was found sound: a run of many requests has the same ones. */
const sound = new Map<string, string>()

function checkHeader(name: string, value: string, url: URL): void {
  if (sound.get(name) === value) return
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    sound.set(name, value)
  } catch (error) {
    const message = `nothing was sent to ${hostAndPort(url)}: the header ${JSON.stringify(name)} holds characters that HTTP does not allow`
    throw new WireError('broken', 'no', message, {cause: error})
  }
}
