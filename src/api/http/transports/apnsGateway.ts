import type {TLSSocket} from 'node:tls'
import {bareHost, isLoopback, loopbackLookup, type ProxySettings, proxyFor} from '../network/address.js'
import {type ClientCertificate, createTrustContext} from '../network/caCertificates.js'
import {openTunnel} from '../network/tunnel.js'
import {onStop, unlessStopped} from '../wire/stopSignal.js'
import {
  connectFailure,
  exchangeFailure,
  hostAndPort,
  noAnswerText,
  noConnectionText,
  silentBodyFailure,
  type Transport,
  unlessGivenUp,
  WireError,
  type WireRequest,
  type WireResponse,
} from '../wire/transport.js'
import {ADDRESS_ATTEMPT_MS} from './direct.js'

export interface GatewayOptions {
  /** How long one try may take in milliseconds: connection, request and answer. */
  readonly tryMs: number
  readonly ca: readonly string[]
  readonly proxy: ProxySettings
  /** The credential of a provider that authenticates by TLS, not by a token. */
  readonly client?: ClientCertificate | undefined
}

/** The gateway speaks HTTP/2 and ended the exchange by a frame (RFC 9113 §6.4 and §6.8) without a status. */
export class GatewayClosed extends WireError {
  readonly frame: 'goaway' | 'rst-stream'
  /** The debug data of GOAWAY, in which APNs may give a reason. */
  readonly data: string
  /** Whether the request was certainly not processed (RFC 9113 §6.8), so that it may be sent once more. */
  readonly refused: boolean

  constructor(url: URL, frame: 'goaway' | 'rst-stream', {data = '', refused = false} = {}) {
    super('broken', 'maybe', `${hostAndPort(url)} ended the request without an answer (${frame})`)
    this.frame = frame
    this.data = data
    this.refused = refused
  }
}

/** An answer of APNs is one line of JSON: reject longer ones. */
const maxBodyBytes = 4096

/**
 * The transport to APNs: HTTP/2 over TLS, one connection for each request, through the proxy of the environment by CONNECT; this
 * machine itself is reached without one. A request that a GOAWAY refused is sent once more. The body is read before the answer is
 * returned; one that is cut off or too long throws a WireError when it is read.
 */
export function apnsGateway(options: GatewayOptions): Transport {
  return async (request) => {
    try {
      return await attempt(request, options)
    } catch (error) {
      if (error instanceof GatewayClosed && error.refused) return attempt(request, options)
      throw error
    }
  }
}

async function attempt(request: WireRequest, options: GatewayOptions): Promise<WireResponse> {
  const {url, signal} = request
  const {tryMs} = options
  const deadline = new AbortController()
  const ended = deadline.signal
  const timer = setTimeout(() => deadline.abort(), tryMs)
  const release = onStop(signal, () => deadline.abort())
  try {
    const socket = await openTls(url, options, ended).catch((error: unknown) => {
      const late = () => new WireError('connect-timeout', 'no', noConnectionText(url, tryMs))
      throw unlessGivenUp(request, 'no', () => (ended.aborted ? late() : connectFailure(error, url, tryMs)))
    })
    return await exchange(await import('node:http2'), socket, request, {ended, tryMs})
  } finally {
    clearTimeout(timer)
    release()
  }
}

/** A TLS connection that speaks HTTP/2 by ALPN. The client certificate is shown to the gateway alone, not to a proxy that speaks TLS. */
async function openTls(url: URL, {ca, proxy, client, tryMs}: GatewayOptions, ended: AbortSignal): Promise<TLSSocket> {
  const [{isIP}, tls] = await Promise.all([import('node:net'), import('node:tls')])
  const host = bareHost(url.hostname)
  const by = isLoopback(url.hostname) ? undefined : proxyFor(url, proxy)
  const trust = await createTrustContext(ca)
  const secureContext = client ? await createTrustContext(ca, client) : trust
  const opening = by && openTunnel({proxy: by, target: url, connectMs: tryMs, secureContext: trust})
  // A socket that connects later would keep the program from ending.
  opening?.then((socket) => ended.aborted && socket.destroy()).catch(() => undefined)
  const tunnel = opening && (await unlessStopped(opening, ended, () => new Error('the time is up')))
  const secure = tls.connect({
    host,
    port: Number(url.port || 443),
    ...(tunnel
      ? {socket: tunnel}
      : {autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS, ...loopbackLookup(url.hostname)}),
    ...(isIP(host) === 0 ? {servername: host} : {}),
    ...(secureContext ? {secureContext} : {}),
    ALPNProtocols: ['h2'],
    minVersion: 'TLSv1.2',
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the check off.
    rejectUnauthorized: true,
  })
  await connected(secure, ended)
  if (secure.alpnProtocol === 'h2') return secure
  secure.destroy()
  throw new WireError('broken', 'no', `${hostAndPort(url)} does not speak HTTP/2`)
}

function connected(socket: TLSSocket, ended: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = onStop(ended, () => socket.destroy(new Error('the time is up')))
    socket.once('secureConnect', () => {
      release()
      resolve()
    })
    socket.on('error', reject)
    socket.once('close', () => reject(Object.assign(new Error('closed'), {code: 'ECONNRESET'})))
  })
}

type Http2 = typeof import('node:http2')

interface Exchange {
  /** Aborted by the deadline of the try, and by the caller. */
  readonly ended: AbortSignal
  readonly tryMs: number
}

function exchange(http2: Http2, socket: TLSSocket, request: WireRequest, own: Exchange): Promise<WireResponse> {
  const {ended, tryMs} = own
  const {url, method, headers, body, signal} = request
  return new Promise((resolve, reject) => {
    // In one turn of the event loop: the session has no listener in between.
    const session = http2.connect(url.origin, {createConnection: () => socket, settings: {enablePush: false}})
    let goaway: Closed['goaway']
    let failure: unknown
    let answer: Pick<WireResponse, 'status' | 'headers'> | undefined
    const read = {pieces: [] as Buffer[], size: 0, isWhole: false}
    const keep = (error: unknown) => {
      failure ??= error
    }
    session.on('error', keep).on('goaway', (_, last, data) => {
      // A second frame, by which a shutdown ends, seldom repeats the reason of the first.
      goaway = {last, data: Buffer.from(data ?? []).toString('utf8') || (goaway?.data ?? '')}
    })
    const stream = session.request({
      ':method': method,
      ':path': `${url.pathname}${url.search}`,
      ...headers,
      // HPACK keeps it out of its tables.
      [http2.sensitiveHeaders]: ['authorization'],
    })
    const isTooLong = () => read.size > maxBodyBytes
    stream
      .on('response', (received) => {
        answer = {status: Number(received[':status']), headers: textHeaders(received)}
      })
      .on('data', (piece: Buffer) => {
        read.size += piece.length
        if (isTooLong()) stream.close()
        else read.pieces.push(piece)
      })
      // Node ends the stream of a destroyed session, too.
      .on('end', () => {
        read.isWhole = stream.rstCode === 0 && !isTooLong() && !ended.aborted
      })
      .on('error', keep)
      // GOAWAY is reported a turn after the end of the streams that it refuses.
      .on('close', () => setImmediate(settle))
    stream.end(body)
    const release = onStop(ended, () => session.destroy())

    function settle(): void {
      release()
      const closed = {goaway, failure, id: stream.id, isLost: session.closed || session.destroyed, tryMs}
      const late = () => new WireError('headers-timeout', 'maybe', noAnswerText(url, tryMs))
      if (answer && !signal?.aborted) resolve({...answer, body: bodyOf(read, url), discard: () => undefined})
      else reject(unlessGivenUp(request, 'maybe', () => (ended.aborted ? late() : closedFailure(url, closed))))
      session.destroy()
      // After a GOAWAY the session ends its side only, and waits for a peer that may stay open.
      socket.destroy()
    }
  })
}

interface Closed {
  readonly goaway: {readonly last: number; readonly data: string} | undefined
  readonly failure: unknown
  /** The stream's; undefined if none was opened. */
  readonly id: number | undefined
  /** Whether the connection ended with the stream. */
  readonly isLost: boolean
  readonly tryMs: number
}

/** Why a stream ended without an answer: GOAWAY, RST_STREAM, or a connection that is gone. */
function closedFailure(url: URL, {goaway, failure, id, isLost, tryMs}: Closed): WireError {
  if (goaway) {
    return new GatewayClosed(url, 'goaway', {data: goaway.data, refused: id === undefined || id > goaway.last})
  }
  if (!isLost) return new GatewayClosed(url, 'rst-stream')
  return exchangeFailure(failure ?? Object.assign(new Error('closed'), {code: 'ECONNRESET'}), url, tryMs)
}

async function* bodyOf(
  {pieces, isWhole}: {readonly pieces: readonly Uint8Array[]; readonly isWhole: boolean},
  url: URL,
): AsyncGenerator<Uint8Array> {
  if (!isWhole) throw silentBodyFailure(url)
  yield* pieces
}

function textHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}

/** The TLS alert about a client certificate (RFC 8446 §6.2) that came in place of an answer; undefined for any other failure. */
export function certificateAlert({cause}: WireError): 'expired' | 'revoked' | 'other' | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (/^ERR_SSL_.*ALERT_CERTIFICATE_EXPIRED$/u.test(code)) return 'expired'
  if (/^ERR_SSL_.*ALERT_CERTIFICATE_REVOKED$/u.test(code)) return 'revoked'
  return /^ERR_SSL_.*ALERT_(?:.*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)/u.test(code)
    ? 'other'
    : undefined
}
