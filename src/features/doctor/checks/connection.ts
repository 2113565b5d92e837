import type {Socket} from 'node:net'
import type {PeerCertificate, SecureContext, TLSSocket} from 'node:tls'
import {openTunnel} from '../../../api/http/network/tunnel.js'
import {ADDRESS_ATTEMPT_MS} from '../../../api/http/transports/wireOptions.js'
import {connectFailure, hostAndPort} from '../../../api/http/wire/wireFailure.js'
import type {Bound} from './bounded.js'

/** Where a connection goes, and how. */
export interface Way {
  readonly url: URL
  readonly proxy: URL | undefined
  /** What is trusted; undefined for Node's own roots. */
  readonly secureContext: SecureContext | undefined
}

/** What a connection showed. Nothing was sent over it. */
export interface Connection {
  /** Milliseconds until it stood, TLS included. */
  readonly ms: number
  readonly tls?: SeenTls
}

/** What TLS showed. */
export interface SeenTls {
  readonly protocol: string
  /** The certificate of the service, and those above it as far as they are known. */
  readonly chain: readonly PeerCertificate[]
  /** Why it is not trusted, in words; undefined where it is. */
  readonly distrust: {readonly code: string; readonly message: string} | undefined
}

/**
 * Opens a connection as a call would, looks at its certificate and closes it; no byte of a request is sent, so it may look at
 * one that is not trusted. Raises a WireError where none stands, within the bound.
 */
export async function connect(way: Way, bound: Bound): Promise<Connection> {
  const start = performance.now()
  const since = () => Math.round(performance.now() - start)
  const at = hostAndPort(way.url)
  let socket: Socket | undefined
  try {
    socket = await reach(way, bound, start)
    if (way.url.protocol === 'http:') return {ms: since()}
    const secure = await secured(socket, way, {...bound, ms: remaining(bound, start)})
    socket = secure
    return {ms: since(), tls: seen(secure, at, bound.ms)}
  } catch (error) {
    throw connectFailure(error, at, bound.ms)
  } finally {
    socket?.on('error', () => undefined).destroy()
  }
}

function remaining({ms}: Bound, start: number): number {
  return Math.max(1, ms - (performance.now() - start))
}

async function reach({url, proxy, secureContext}: Way, bound: Bound, start: number): Promise<Socket> {
  if (proxy) return openTunnel({proxy, target: url, connectMs: bound.ms, secureContext})
  const net = await import('node:net')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const socket = net.connect({host: bare(url), port, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS})
  return within(socket, 'connect', {...bound, ms: remaining(bound, start)})
}

async function secured(socket: Socket, {url, secureContext}: Way, bound: Bound): Promise<TLSSocket> {
  const [{isIP}, tls] = await Promise.all([import('node:net'), import('node:tls')])
  const host = bare(url)
  const options = {
    socket,
    host,
    ...(isIP(host) === 0 ? {servername: host} : {}),
    ...(secureContext ? {secureContext} : {}),
    // What is not trusted is to be looked at as well; the verdict stands in authorizationError.
    rejectUnauthorized: false,
  }
  return within(tls.connect(options), 'secureConnect', bound)
}

/** Waits for an event of a socket. Rejects with the socket's error, and with ETIMEDOUT when the time is up; Ctrl-C ends it. */
function within<S extends Socket>(socket: S, event: string, {ms, signal}: Bound): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(coded('ETIMEDOUT')), ms)
    const stop = () => socket.destroy()
    signal.addEventListener('abort', stop, {once: true})
    const settled = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    socket.once(event, () => {
      settled()
      resolve(socket)
    })
    socket.once('error', (error) => {
      settled()
      reject(error)
    })
    socket.once('close', () => {
      settled()
      reject(coded('ECONNRESET'))
    })
  })
}

function coded(code: string): Error {
  return Object.assign(new Error(code), {code})
}

function seen(socket: TLSSocket, at: string, ms: number): SeenTls {
  // Node's type says Error; what it holds is the code of the failed check as a text.
  const code = socket.authorized ? undefined : String(socket.authorizationError)
  const words = code === undefined ? undefined : connectFailure(coded(code), at, ms).message
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    chain: chainOf(socket.getPeerCertificate(true)),
    distrust: code === undefined || words === undefined ? undefined : {code, message: words},
  }
}

/** From the certificate of the service upwards; Node lets the last one be its own issuer. */
function chainOf(first: PeerCertificate & {readonly issuerCertificate?: PeerCertificate}): PeerCertificate[] {
  const chain: PeerCertificate[] = []
  let one: (PeerCertificate & {readonly issuerCertificate?: PeerCertificate}) | undefined = first
  while (one?.raw && !chain.some(({fingerprint256}) => fingerprint256 === one?.fingerprint256)) {
    chain.push(one)
    one = one.issuerCertificate
  }
  return chain
}

function bare({hostname}: URL): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1')
}
