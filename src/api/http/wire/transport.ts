/** A request on the wire. Header names keep their case. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The reader of a streamed body may pass CHUNK_SENT to `next`. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
  /** How long this exchange may be silent, in milliseconds, if not the adapter's own time. */
  readonly silenceMs?: number
}

/**
 * Passed to `next` by the reader of a streamed body when the chunk before has left this process, so that its memory may be used
 * again. A reader that does not (`for await`) may keep the chunk.
 */
export const CHUNK_SENT = 'left'

/** An answer whose body is still to be read. Header names are lower case; repeated headers are joined by `, `. */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The raw bytes, compressed if `content-encoding` says so. Read at most once. */
  readonly body: AsyncIterable<Uint8Array>
  /** Whether the body is complete. Absent if that cannot be known. */
  readonly isWhole?: () => boolean
  /** Discards the rest of the body; harmless after it was read. */
  discard(): void
}

/** One exchange. Rejects with a `WireError`; any HTTP status is an answer, and no redirect is followed. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

export const wireProblems = [
  'dns',
  'refused',
  'connect-timeout',
  'headers-timeout',
  'deadline',
  'reset',
  'tls',
  'proxy',
  'too-large',
  'encoding',
  'broken',
  'aborted',
] as const

export type WireProblem = (typeof wireProblems)[number]

/** What is wrong with TLS: the CA file, or the peer's name, validity, signer, protocol, or another part of the handshake. */
export type TlsProblem = 'ca-file' | 'name' | 'expired' | 'not-yet-valid' | 'untrusted' | 'no-tls' | 'handshake'

export class WireError extends Error {
  override readonly name = 'WireError'
  readonly problem: WireProblem
  /** `no`: it certainly did not arrive. `maybe`: it may have arrived and may have been carried out. */
  readonly sent: 'no' | 'maybe'
  readonly tls: TlsProblem | undefined

  constructor(
    problem: WireProblem,
    sent: 'no' | 'maybe',
    message: string,
    options?: ErrorOptions & {readonly tls?: TlsProblem | undefined},
  ) {
    super(message, options)
    this.tls = options?.tls
    this.problem = problem
    this.sent = sent
  }
}

const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])
const NO_ROUTE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'])
const TOO_SLOW = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])
const HEADER_OVERFLOW = new Set(['HPE_HEADER_OVERFLOW', 'UND_ERR_HEADERS_OVERFLOW'])
const TLS = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_)/

/** `host:port` of a URL, the only part of it that a message names: path and query can hold what must stay secret. */
export function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`
}

export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}

/** The error of an attempt to connect, before the request. A `WireError` is unchanged. */
export function connectFailure(error: unknown, url: URL, connectMs: number): WireError {
  if (error instanceof WireError) return error
  const code = codeOf(error)
  const problem = connectProblem(code)
  const tls = problem === 'tls' ? tlsProblem(code, String(error)) : undefined
  const why = tls === undefined ? connectReason(problem, code) : tlsReason(tls, code)
  const message =
    problem === 'connect-timeout' ? noConnectionText(url, connectMs) : `cannot reach ${hostAndPort(url)}: ${why}`
  return new WireError(problem, 'no', message, {cause: error, tls})
}

export function noConnectionText(url: URL, connectMs: number): string {
  return `no connection to ${hostAndPort(url)} within ${seconds(connectMs)}`
}

export function noAnswerText(url: URL, headersMs: number): string {
  return `no answer from ${hostAndPort(url)} within ${seconds(headersMs)}`
}

/** The origins that have answered by HTTP in this process: they speak no TLS where they reset a connection. */
const answered = new Set<string>()

export function noteAnswer({origin}: URL): void {
  answered.add(origin)
}

/** The error of an exchange after the connection, before the answer's headers. A `WireError` is unchanged. */
export function exchangeFailure(error: unknown, url: URL, headersMs: number): WireError {
  if (error instanceof WireError) return error
  const at = hostAndPort(url)
  const code = codeOf(error)
  const fail = (problem: WireProblem, message: string) => new WireError(problem, 'maybe', message, {cause: error})
  if (HEADER_OVERFLOW.has(code)) return fail('too-large', `${at} answered with headers larger than 16 KiB`)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return fail('headers-timeout', noAnswerText(url, headersMs))
  if (TLS.test(code)) {
    const message = `${at} closed the TLS session (${code})`
    return new WireError('tls', 'maybe', message, {cause: error, tls: 'handshake'})
  }
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RE')) return invalidHttpFailure(url, error)
  if (RESET.has(code) || NO_ROUTE.has(code) || TOO_SLOW.has(code)) {
    const isUnknown = url.protocol === 'http:' && !answered.has(url.origin)
    const secure = isUnknown ? '; if it speaks TLS, its address begins with https' : ''
    return fail('reset', `the connection to ${at} was reset before an answer came${secure}`)
  }
  return fail('broken', `the exchange with ${at} failed (${code})`)
}

/** The error of an answer that is not HTTP, or does not match the request. */
export function invalidHttpFailure(url: URL, cause?: unknown): WireError {
  const what =
    url.protocol === 'http:' && isTls(cause) ? 'speaks TLS: its address begins with https' : 'sent invalid HTTP'
  return new WireError('broken', 'maybe', `${hostAndPort(url)} ${what}`, {cause})
}

/** Whether the parser met an alert of TLS, with which a server answers plain http. */
function isTls(cause: unknown): boolean {
  const {rawPacket, data} = {...(cause as {readonly rawPacket?: unknown; readonly data?: unknown})}
  const packet = rawPacket instanceof Uint8Array ? Buffer.from(rawPacket).toString('latin1') : data
  return typeof packet === 'string' && packet.startsWith('\u0015\u0003')
}

/** The error of an incomplete body. A `WireError` is unchanged. */
export function bodyFailure(error: unknown, url: URL): WireError {
  if (error instanceof WireError) return error
  if (codeOf(error) === 'UND_ERR_BODY_TIMEOUT') return silentBodyFailure(url)
  const message = `the answer of ${hostAndPort(url)} is incomplete: the connection ended in the middle`
  return new WireError('broken', 'maybe', message, {cause: error})
}

/** The error of a body that paused for longer than a connection may be silent. */
export function silentBodyFailure(url: URL): WireError {
  return new WireError('broken', 'maybe', `the answer of ${hostAndPort(url)} is incomplete: no more data arrived`)
}

/** The error of a request that its caller aborted, else the one of `other`. */
export function unlessGivenUp({url, signal}: WireRequest, sent: 'no' | 'maybe', other: () => WireError): WireError {
  if (!signal?.aborted) return other()
  return new WireError('aborted', sent, `the request to ${hostAndPort(url)} was cancelled`, {cause: signal.reason})
}

function connectProblem(code: string): WireProblem {
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns'
  if (code === 'ECONNREFUSED' || NO_ROUTE.has(code)) return 'refused'
  if (TOO_SLOW.has(code)) return 'connect-timeout'
  if (RESET.has(code)) return 'reset'
  return TLS.test(code) ? 'tls' : 'broken'
}

function connectReason(problem: WireProblem, code: string): string {
  if (problem === 'dns') return code === 'ENOTFOUND' ? 'unknown host' : 'temporary DNS failure'
  if (problem === 'refused') return code === 'ECONNREFUSED' ? 'connection refused' : `no route to host (${code})`
  return problem === 'reset' ? 'it closed the connection before anything was sent' : code
}

/** OpenSSL's numbers for a record of another version, one that is too long, and a request by plain http; Node has EPROTO for each. */
const notTls = /:error:0A(?:00010B|0000C6|00009C):/u

function tlsProblem(code: string, errorText: string): TlsProblem {
  if (notTls.test(errorText) || /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/u.test(code)) {
    return 'no-tls'
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'name'
  if (code === 'CERT_HAS_EXPIRED') return 'expired'
  if (code === 'CERT_NOT_YET_VALID') return 'not-yet-valid'
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') ? 'handshake' : 'untrusted'
}

function tlsReason(problem: TlsProblem, code: string): string {
  if (problem === 'no-tls') return 'it does not speak TLS'
  if (problem === 'name') return 'its certificate was issued for another name'
  if (problem === 'expired') return 'its certificate has expired'
  if (problem === 'not-yet-valid') return 'its certificate is not valid yet'
  return problem === 'handshake'
    ? `TLS handshake failed (${code})`
    : `its certificate is not signed by a trusted CA (${code})`
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'HTTPParserError' && !('code' in error && error.code))
    return 'HPE_UNKNOWN'
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason'
}
