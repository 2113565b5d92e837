import {monotonicMs} from '../../../text/time.js'
import {proxyFor, readProxy} from '../network/address.js'
import {extraCaCertificates} from '../network/caCertificates.js'
import {headerOf} from '../wire/message.js'
import {type Transport, WireError, type WireRequest, type WireResponse} from '../wire/transport.js'
import {directTransport, type WireOptions} from './direct.js'
import {fixHeapSize} from './heapSize.js'

/** From this many requests at a time on, the pool's speed is worth the time that undici takes to load. */
const MANY = 16

/**
 * The transport for one run: pooled for a URL behind a proxy and for runs of many requests at a time (`concurrency`), else direct.
 * undici is loaded with the first request that needs it.
 */
export function selectTransport({
  env,
  concurrency = 1,
  ca = [],
  ...timeouts
}: Omit<WireOptions, 'proxy'> & {env: Readonly<NodeJS.ProcessEnv>; concurrency?: number}): Transport {
  const proxy = readProxy(env)
  const wire = {...timeouts, proxy, ...(ca.length === 0 ? {} : {ca: extraCaCertificates(ca, env)})}
  const direct = withResend(directTransport(wire))
  const isRun = concurrency >= MANY
  const open = async () => {
    // Not for a single call through a proxy, whose answer may be large.
    if (isRun) await fixHeapSize()
    const {pooledTransport} = await import('./pooled.js')
    return withResend(await pooledTransport(wire))
  }
  let pooled: Promise<Transport> | undefined
  return async (request) => {
    const pool = isRun || proxyFor(request.url, proxy) !== undefined
    if (!pool) return direct(request)
    pooled ??= open()
    return (await pooled)(request)
  }
}

/** The headers that carry a credential, and the one origin (`https://host:port`) they may go to. */
interface BoundCredential {
  readonly origin: string
  readonly header: () => Promise<Record<string, string>>
}

/**
 * Adds the credential's headers to each request, which has none of their names. A request to any other origin is refused
 * with a `WireError`, and the credential is not even read.
 */
export function withCredential(transport: Transport, credential: BoundCredential): Transport {
  return async (request) => {
    if (request.url.origin !== credential.origin) {
      const message = `nothing was sent to ${request.url.origin}: the credential is for ${credential.origin}`
      throw new WireError('aborted', 'no', message)
    }
    return transport({...request, headers: {...request.headers, ...(await credential.header())}})
  }
}

/**
 * Reports each exchange to `trace`, a line each: the request with its body, the answer's status and headers, its body once it has
 * been read, or the failure. Text is shown up to 2 KiB, other bodies by their size. Control characters are left to `trace`.
 */
export function withTrace(transport: Transport, trace: (line: string) => void, mask: TraceMask): Transport {
  return async (request) => {
    const start = monotonicMs()
    const sinceStart = () => `${Math.round(monotonicMs() - start)} ms`
    trace(requestLine(request, mask))
    try {
      const answer = await transport(request)
      trace(mask.mask(`< ${answer.status} in ${sinceStart()}${headerText(answer.headers)}`))
      const done = (seen: TappedBody) => trace(bodyLine(answer, seen, mask))
      return {...answer, body: tapBody(answer.body, done), discard: () => answer.discard()}
    } catch (error) {
      const why = error instanceof Error ? error.message : 'the exchange failed'
      trace(mask.mask(`! after ${sinceStart()}: ${why}`))
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

/**
 * Makes kept connections safe to use again. A server may close one between two requests, and a request on it then fails as if
 * the service had taken the request and said nothing. So before an origin is asked again, the event loop turns twice (once to leave
 * its present poll, once to poll again): a connection that was closed by now is noticed. A close that crosses the request remains:
 * then a safe request without a body is sent once more, and a change is reported as perhaps received.
 */
export function withResend(send: Transport): Transport {
  const answered = new Set<string>()
  return async (request) => {
    const {origin} = request.url
    if (answered.has(origin)) await twoTurns()
    const answer = await send(request).catch((error: unknown) => {
      if (answered.has(origin) && isReset(error) && isSafe(request)) return send(request)
      throw error
    })
    answered.add(origin)
    return answer
  }
}

function twoTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

function isReset(error: unknown): boolean {
  return error instanceof WireError && error.problem === 'reset' && error.sent === 'maybe'
}

function isSafe(request: WireRequest): boolean {
  return request.body === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
}

/** How much of a body is read for the trace, and how much of it is shown after masking. */
const LOOK_BYTES = 64 * 1024
const SHOW_CHARACTERS = 2 * 1024

/** Headers whose values are never shown. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])

type Headers = Readonly<Record<string, string>>

interface TraceMask {
  /** Out of the words of a service. */
  mask(text: string): string
  /** Out of an address or a form, by the names of their fields, too. */
  maskFields(text: string): string
  /** Out of headers or a value of JSON, by the names of their members, too. */
  maskIn(value: unknown): unknown
}

/** `> METHOD URL | name: value | body`. Secret fields are masked by their names before there is a line. */
function requestLine(request: WireRequest, mask: TraceMask): string {
  const headers = mask.maskIn(request.headers) as Headers // a text stays one
  return `> ${request.method} ${mask.maskFields(request.url.href)}${headerText(headers)}${requestBody(request, mask)}`
}

interface TappedBody {
  readonly size: number
  readonly beginning: Buffer
  readonly whole: boolean
}

/** `< body, 123 bytes: text`, from the beginning of a body; only the size if it is not text. */
function bodyLine(answer: WireResponse, {size, beginning, whole}: TappedBody, mask: TraceMask): string {
  const line = `< body, ${size} bytes`
  if (!isText(answer.headers)) return line
  const shown = mask.mask(beginning.toString())
  return `${line}: ${whole && size === beginning.length ? beginningOf(shown) : `${shown.slice(0, SHOW_CHARACTERS)}…`}`
}

function headerText(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => ` | ${name}: ${SECRET_HEADERS.has(name.toLowerCase()) ? '***' : value}`)
    .join('')
}

function requestBody({body, headers}: WireRequest, mask: TraceMask): string {
  if (body === undefined) return ''
  if (typeof body === 'string') return ` | ${beginningOf(maskedBody(body, mask))}`
  if (!(body instanceof Uint8Array)) return ' | a streamed body'
  if (!isText(headers)) return ` | ${body.length} bytes`
  return ` | ${beginningOf(maskedBody(Buffer.from(body).toString(), mask))}`
}

/** A JSON body by its members, any other as a form. */
function maskedBody(body: string, mask: TraceMask): string {
  try {
    return JSON.stringify(mask.maskIn(JSON.parse(body)))
  } catch {
    return mask.maskFields(body)
  }
}

function isText(headers: Headers): boolean {
  const coding = headerOf(headers, 'content-encoding') ?? 'identity'
  return coding === 'identity' && /json|^text\/|urlencoded|xml/.test(headerOf(headers, 'content-type') ?? '')
}

/** To be masked before, so that no half of a secret is left at the end. */
function beginningOf(masked: string): string {
  return masked.length > SHOW_CHARACTERS ? `${masked.slice(0, SHOW_CHARACTERS)}…` : masked
}
