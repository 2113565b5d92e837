import {pipeline} from 'node:stream'
import {WireError, type WireResponse} from './transport.js'

/** The bounds within which an answer is read. */
export interface BodyLimits {
  /** The most bytes that are taken, counted after decompression. */
  readonly maxBytes: number
  /** Ends the reading: a timeout as 'deadline', anything else as 'aborted'. */
  readonly signal: AbortSignal
}

/**
 * Reads an answer's body whole and decompresses it (gzip, deflate, br). Raises a `WireError`: 'too-large' beyond the cap,
 * 'broken' for damaged or truncated bytes or a coding that is not known, 'deadline' or 'aborted' when the signal ends it; the
 * rest of the answer is let go then.
 */
export async function readBody(answer: WireResponse, limits: BodyLimits): Promise<Buffer> {
  try {
    // What is here already is not waited for, so nothing need be able to end the waiting.
    const isHere = answer.isWhole?.() === true && codingOf(answer) === 'identity'
    const body = collect(answer, limits.maxBytes)
    return isHere ? await body : await untilStopped(body, limits.signal)
  } catch (error) {
    answer.discard()
    throw error
  }
}

/**
 * An answer's body as it comes, decompressed (gzip, deflate, br): bytes of any number, of which only a few are held. Its
 * reading raises a `WireError` 'broken' for damaged or truncated bytes; so does a coding that is not known.
 */
export async function streamBody(answer: WireResponse): Promise<AsyncIterable<Uint8Array>> {
  const coding = codingOf(answer)
  return coding === 'identity' ? answer.body : decompressed(answer, coding)
}

/** The coding of an answer's body, in lower case; `identity` where it has none. */
export function codingOf({headers}: Pick<WireResponse, 'headers'>): string {
  return (headers['content-encoding'] ?? '').trim().toLowerCase() || 'identity'
}

async function collect(answer: WireResponse, maxBytes: number): Promise<Buffer> {
  if (codingOf(answer) !== 'identity') return gather(await streamBody(answer), maxBytes)
  const length = Number(answer.headers['content-length'])
  if (!Number.isSafeInteger(length) || length < 0) return gather(answer.body, maxBytes)
  if (length > maxBytes) throw tooLarge(maxBytes)
  return fill(answer.body, length)
}

/** The length is known: one buffer, and nothing is copied twice. A shorter body (to HEAD) gives a shorter buffer. */
async function fill(body: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(length)
  let filled = 0
  for await (const chunk of body) {
    if (filled + chunk.length > length) throw new WireError('broken', 'maybe', 'the answer is longer than it announced')
    whole.set(chunk, filled)
    filled += chunk.length
  }
  return whole.subarray(0, filled)
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

async function decompressed(answer: WireResponse, coding: string): Promise<AsyncIterable<Uint8Array>> {
  const zlib = await import('node:zlib')
  const decoders: Record<string, () => import('node:stream').Transform> = {
    gzip: () => zlib.createGunzip(),
    'x-gzip': () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  }
  const create = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (!create) throw new WireError('broken', 'maybe', 'the answer is compressed in a way that was not asked for')
  return explained(pipeline(answer.body, create(), () => {}))
}

async function* explained(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    if (error instanceof WireError) throw error
    throw new WireError('broken', 'maybe', 'the answer cannot be decompressed: it is damaged or incomplete', {
      cause: error,
    })
  }
}

/** What comes of the reading, unless the signal ends it before. */
async function untilStopped<T>(reading: Promise<T>, signal: AbortSignal): Promise<T> {
  let release = () => {}
  const stop = new Promise<never>((_, reject) => {
    const end = () => reject(stopped(signal.reason))
    if (signal.aborted) end()
    signal.addEventListener('abort', end, {once: true})
    release = () => signal.removeEventListener('abort', end)
  })
  try {
    return await Promise.race([reading, stop])
  } finally {
    release()
  }
}

function stopped(reason: unknown): WireError {
  if (reason instanceof WireError) return reason
  const late = reason instanceof Error && reason.name === 'TimeoutError'
  if (late) return new WireError('deadline', 'maybe', 'the answer did not come to its end in time', {cause: reason})
  return new WireError('aborted', 'maybe', 'the reading of the answer was given up', {cause: reason})
}

function tooLarge(maxBytes: number): WireError {
  return new WireError('too-large', 'maybe', `the answer is larger than ${Math.ceil(maxBytes / 1024 / 1024)} MiB`)
}
