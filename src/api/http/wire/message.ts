import {type OutgoingMessage, validateHeaderName, validateHeaderValue} from 'node:http'
import {pipeline} from 'node:stream'
import {unlessStopped} from './stopSignal.js'
import {CHUNK_SENT, hostAndPort, WireError, type WireRequest, type WireResponse} from './transport.js'

/**
 * The headers of a request, with the length of its body if known (Node omits it for DELETE, and the service would see
 * no body). Throws a `WireError` that was not sent for a header that HTTP forbids.
 */
export function outgoingHeaders({headers, body, url}: WireRequest): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value, url)
  const length = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : undefined
  if (length === undefined || headerOf(headers, 'content-length') !== undefined) return {...headers}
  return {'Content-Length': String(length), ...headers}
}

export function headerOf(headers: Readonly<Record<string, string>>, lowerName: string): string | undefined {
  for (const name in headers) {
    // Few names have the length of the wanted one; the others are not turned to lower case.
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) return headers[name]
  }
  return undefined
}

/** Lower-case names; repeated headers are joined by `, `. */
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
 * The chunks of a streamed request body. A body that fails, or is not as long as its Content-Length (a file that changes meanwhile),
 * throws a `WireError`; both sides would wait otherwise.
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

/** Writes a body at the pace of its reader; stops when the other side hangs up. */
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

/** A body with its failures translated. */
export async function* translated(
  body: AsyncIterable<Uint8Array>,
  explain: (error: unknown) => WireError,
): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw explain(error)
  }
}

function unsent(request: WireRequest, why: string, cause?: unknown): WireError {
  return new WireError(
    'aborted',
    'maybe',
    `the request to ${hostAndPort(request.url)} was cancelled: its body ${why}`,
    {
      cause,
    },
  )
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

function checkHeader(name: string, value: string, url: URL): void {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch (error) {
    const message = `nothing was sent to ${hostAndPort(url)}: the header ${JSON.stringify(name)} contains characters that HTTP does not allow`
    throw new WireError('broken', 'no', message, {cause: error})
  }
}

interface BodyLimits {
  readonly maxBytes: number
  /** Ends the reading: a timeout as 'deadline', anything else as 'aborted'. */
  readonly signal: AbortSignal
}

/**
 * Reads an answer's body whole, decompressed (gzip, deflate, br). Throws a `WireError`: 'too-large' beyond the cap, 'encoding' for an
 * unknown or wrong coding, 'broken' for truncated bytes, 'deadline' or 'aborted' by the signal; the rest of the answer is discarded then.
 */
export async function readBody(answer: WireResponse, limits: BodyLimits): Promise<Buffer> {
  try {
    const body = collect(answer, limits.maxBytes)
    // A body that is complete needs no signal to end the wait for it.
    return answer.isWhole?.() ? await body : await unlessStopped(body, limits.signal, stopped)
  } catch (error) {
    answer.discard()
    throw error
  }
}

/** An answer's body as it comes, decompressed. Its reader gets a `WireError` as from `readBody`. */
export function streamBody(answer: WireResponse): AsyncIterable<Uint8Array> {
  return isUncoded(answer) ? answer.body : decoded(answer)
}

/**
 * The body in pieces; `signal` may end the wait for the next one. Throws a `WireError` as `readBody`; if the
 * reader stops before the end, the rest is discarded.
 */
export async function* bodyPieces(answer: WireResponse, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const pieces = streamBody(answer)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const piece = await unlessStopped(pieces.next(), signal, stopped)
      if (piece.done) return
      yield piece.value
    }
  } finally {
    answer.discard()
  }
}

/** Whether the bytes of an answer's body are sent as they are. */
export function isUncoded(answer: Pick<WireResponse, 'headers'>): boolean {
  return codingsOf(answer).length === 0
}

/** The codings of an answer's body in lower case, in the order in which they were applied. */
function codingsOf({headers}: Pick<WireResponse, 'headers'>): readonly string[] {
  const names = headers['content-encoding']?.toLowerCase().split(',') ?? []
  return names.map((name) => name.trim()).filter((name) => !plainCodings.has(name))
}

/** `none` is no name of the standard, but means the same where it is sent. */
const plainCodings: ReadonlySet<string> = new Set(['', 'identity', 'none'])

async function collect(answer: WireResponse, maxBytes: number): Promise<Buffer> {
  if (isUncoded(answer) && Number(answer.headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
  return gather(streamBody(answer), maxBytes)
}

async function gather(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** Each takes memory of its own. */
const mostCodings = 3

/** An empty body, as of 204 or an answer to HEAD, has no coding, whatever its header says. */
async function* decoded(answer: WireResponse): AsyncGenerator<Uint8Array> {
  const pieces = answer.body[Symbol.asyncIterator]()
  let first = await pieces.next()
  while (first.done !== true && first.value.length === 0) first = await pieces.next()
  if (first.done) return
  const beginning = first.value
  const zlib = await import('node:zlib')
  const decoders = new Map([
    ['gzip', zlib.createGunzip],
    ['x-gzip', zlib.createGunzip],
    ['deflate', zlib.createInflate],
    ['br', zlib.createBrotliDecompress],
  ])
  const codings = codingsOf(answer)
  const chosen = codings.flatMap((coding) => decoders.get(coding) ?? [])
  if (chosen.length < codings.length || codings.length > mostCodings) throw unknownCoding(codings)
  const rest = {[Symbol.asyncIterator]: () => pieces}
  const whole: AsyncIterable<Uint8Array> = (async function* () {
    yield beginning
    yield* rest
  })()
  const plain = chosen.reduceRight((body, create) => pipeline(body, create(), () => {}), whole)
  yield* translated(plain, (cause) => damaged(cause, codings))
}

function unknownCoding(codings: readonly string[]): WireError {
  const message = `the answer has a Content-Encoding that cannot be decoded: ${shownCodings(codings)}`
  return new WireError('encoding', 'maybe', message)
}

function shownCodings(codings: readonly string[]): string {
  return codings
    .join(', ')
    .replace(/[^\w, *+.-]/g, '?')
    .slice(0, 60)
}

/** The error of zlib: the answer ends too early, or its Content-Encoding is wrong, for example after a proxy decoded it. */
function damaged(cause: unknown, codings: readonly string[]): WireError {
  if (cause instanceof WireError) return cause
  const isCut = cause instanceof Error && 'code' in cause && cause.code === 'Z_BUF_ERROR'
  if (isCut) return new WireError('broken', 'maybe', 'the answer cannot be decompressed: it is incomplete', {cause})
  const message = `the answer is damaged, or not in its Content-Encoding: ${shownCodings(codings)}`
  return new WireError('encoding', 'maybe', message, {cause})
}

function stopped(reason: unknown): WireError {
  if (reason instanceof WireError) return reason
  const late = reason instanceof Error && reason.name === 'TimeoutError'
  if (late) return new WireError('deadline', 'maybe', 'the answer did not complete in time', {cause: reason})
  return new WireError('aborted', 'maybe', 'reading the answer was cancelled', {cause: reason})
}

function tooLarge(maxBytes: number): WireError {
  return new WireError('too-large', 'maybe', `the answer is larger than ${Math.ceil(maxBytes / 1024 / 1024)} MiB`)
}
