import type {Socket} from 'node:net'
import type {PeerCertificate, SecureContext, TLSSocket} from 'node:tls'
import {Failure} from '../../api/contract/failure.js'
import type {Service} from '../../api/contract/operation.js'
import {
  AddressError,
  bareHost,
  checkAddress,
  isLoopback,
  loopbackAddresses,
  loopbackLookup,
} from '../../api/http/network/address.js'
import {isPlainLoopback, type ProxySettings, proxyFor, readProxy} from '../../api/http/network/proxy.js'
import {openTunnel} from '../../api/http/network/tunnel.js'
import {ADDRESS_ATTEMPT_MS} from '../../api/http/transports/direct.js'
import {connectFailure, hostAndPort, WireError} from '../../api/http/wire/transport.js'
import type {Environment} from '../../cli/runtime/runtime.js'
import {type Diagnosis, fail, ok, warn} from '../../view/tool/doctor.js'

/** Where a connection goes, and how. */
export interface ConnectionRoute {
  readonly url: URL
  readonly proxy: URL | undefined
  /** What is trusted; undefined for Node's own roots. */
  readonly secureContext: SecureContext | undefined
}

/** What a connection showed. Nothing was sent over it. */
export interface Connection {
  /** Milliseconds until it stood, TLS included. */
  readonly ms: number
  readonly tls?: TlsDetails
}

/** What TLS showed. */
export interface TlsDetails {
  readonly protocol: string
  /** The certificate of the service, and those above it as far as they are known. */
  readonly chain: readonly PeerCertificate[]
  /** Why it is not trusted, in words; undefined where it is. */
  readonly distrust: {readonly code: string; readonly message: string} | undefined
}

/**
 * Opens a connection as a call would, looks at its certificate and closes it; no byte of a request is sent, so it may look at
 * one that is not trusted. Raises a WireError where none stands, within the limit.
 */
export async function connect(route: ConnectionRoute, limit: TimeLimit): Promise<Connection> {
  const start = performance.now()
  const since = () => Math.round(performance.now() - start)
  const at = hostAndPort(route.url)
  let socket: Socket | undefined
  try {
    socket = await openSocket(route, limit, start)
    if (route.url.protocol === 'http:') return {ms: since()}
    const secure = await openTls(socket, route, {...limit, ms: remaining(limit, start)})
    socket = secure
    return {ms: since(), tls: tlsDetails(secure, at, limit.ms)}
  } catch (error) {
    throw connectFailure(error, at, limit.ms)
  } finally {
    socket?.on('error', () => undefined).destroy()
  }
}

function remaining({ms}: TimeLimit, start: number): number {
  return Math.max(1, ms - (performance.now() - start))
}

async function openSocket(
  {url, proxy, secureContext}: ConnectionRoute,
  limit: TimeLimit,
  start: number,
): Promise<Socket> {
  if (proxy) return openTunnel({proxy, target: url, connectMs: limit.ms, secureContext})
  const net = await import('node:net')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const host = bareHost(url.hostname)
  const lookup = loopbackLookup(url.hostname)
  const socket = net.connect({host, port, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS, ...lookup})
  return onceEvent(socket, 'connect', {...limit, ms: remaining(limit, start)})
}

async function openTls(socket: Socket, {url, secureContext}: ConnectionRoute, limit: TimeLimit): Promise<TLSSocket> {
  const [{isIP}, tls] = await Promise.all([import('node:net'), import('node:tls')])
  const host = bareHost(url.hostname)
  const options = {
    socket,
    host,
    ...(isIP(host) === 0 ? {servername: host} : {}),
    ...(secureContext ? {secureContext} : {}),
    // What is not trusted is to be looked at as well; the verdict stands in authorizationError.
    rejectUnauthorized: false,
  }
  return onceEvent(tls.connect(options), 'secureConnect', limit)
}

/** Waits for an event of a socket. Rejects with the socket's error, and with ETIMEDOUT when the time is up; Ctrl-C to stop. */
function onceEvent<S extends Socket>(socket: S, event: string, {ms, signal}: TimeLimit): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(errorOfCode('ETIMEDOUT')), ms)
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
      reject(errorOfCode('ECONNRESET'))
    })
  })
}

function errorOfCode(code: string): Error {
  return Object.assign(new Error(code), {code})
}

function tlsDetails(socket: TLSSocket, at: string, ms: number): TlsDetails {
  // Node's type says Error; what it holds is the code of the failed check as a text.
  const code = socket.authorized ? undefined : String(socket.authorizationError)
  const words = code === undefined ? undefined : connectFailure(errorOfCode(code), at, ms).message
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

/** How long one check may take, and what ends all of them. */
export interface TimeLimit {
  readonly ms: number
  /** Ctrl-C. */
  readonly signal: AbortSignal
}

/** What the work comes to; `late` where the time is up before. Raises a Failure (interrupted) when it is given up. */
export async function withTimeout<T>({ms, signal}: TimeLimit, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  const end = new Promise<'late'>((resolve, reject) => {
    timer = setTimeout(() => resolve('late'), ms)
    stop = () => reject(new Failure({exit: 'interrupted', message: 'interrupted'}))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, {once: true})
  })
  // What comes after the end is nobody's.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
    if (stop) signal.removeEventListener('abort', stop)
  }
}

/**
 * Looks a host name up, as a connection would. No line for an address in figures. `advice` where the name cannot be found.
 * Raises a Failure (interrupted).
 */
export async function checkName(check: string, host: string, advice: string, limit: TimeLimit): Promise<Diagnosis[]> {
  const [{isIP}, {lookup}] = await Promise.all([import('node:net'), import('node:dns/promises')])
  const name = bareHost(host)
  if (isIP(name) !== 0) return []
  const looking = isLoopback(name) ? Promise.resolve(loopbackAddresses) : lookup(name, {all: true})
  const looked = looking.catch((error: unknown) => connectFailure(error, name, limit.ms))
  const found = await withTimeout(limit, looked)
  if (found === 'late') {
    return [
      fail(
        check,
        `${name} could not be resolved within ${limit.ms / 1000} s`,
        'check the DNS settings of this machine',
      ),
    ]
  }
  if (found instanceof Error) return [fail(check, found.message, advice, {host: name})]
  const addresses = found.map(({address}) => address)
  return [ok(check, `${name} is ${addresses.slice(0, 4).join(', ')}`, {host: name, addresses})]
}

/** The address of a service, checked; `base` is undefined where it cannot be used. */
export function checkServiceAddress(
  service: Service,
  text: string,
  {allowHttp, source}: {readonly allowHttp: boolean; readonly source: string},
): {readonly base: URL | undefined; readonly found: Diagnosis} {
  const check = `${service} address`
  try {
    const base = checkAddress(text, {allowHttp})
    const details = {url: base.href, source}
    if (base.protocol === 'https:' || isLoopback(base.hostname)) return {base, found: ok(check, base.href, details)}
    const what = `${base.href} is plain http: the token can be read on the network (allowHttp is set)`
    return {base, found: warn(check, what, `roomctl config set ${service}.url https://HOST`, details)}
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const from = source === 'env' ? ` (from ROOMCTL_${service.toUpperCase()}_URL)` : ''
    return {
      base: undefined,
      found: fail(check, `${error.message}${from}`, `roomctl config set ${service}.url https://HOST`),
    }
  }
}

/** The proxy that a service is reached through; no line where no proxy is set for it. */
export function checkProxy(
  service: Service,
  base: URL,
  env: Environment,
): {readonly proxy: URL | undefined; readonly found: Diagnosis[]} {
  const check = `${service} proxy`
  const settings = readProxy(env)
  try {
    const proxy = proxyFor(base, settings)
    // Its user name and password are not shown.
    if (proxy)
      return {proxy, found: [ok(check, `through the proxy ${hostAndPort(proxy)}`, {proxy: hostAndPort(proxy)})]}
    return {proxy: undefined, found: isProxySet(base, settings) ? [ok(check, `none: ${exemption(base)}`)] : []}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {proxy: undefined, found: [fail(check, error.message, 'set it to http://host:port, or unset it')]}
  }
}

function exemption(base: URL): string {
  return isPlainLoopback(base) ? 'plain http to this machine is never proxied' : 'NO_PROXY exempts this host'
}

function isProxySet({protocol}: URL, {http, https}: ProxySettings): boolean {
  return (protocol === 'https:' ? https : http) !== undefined
}
