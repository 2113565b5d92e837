import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import type {Socket} from 'node:net'
import type {PeerCertificate, TLSSocket} from 'node:tls'
import {bareHost, checkAddress, loopbackLookup, proxyFor, readProxy} from '../../api/http/network/address.js'
import {createTrustContext, extraCaCertificates} from '../../api/http/network/caCertificates.js'
import {openTunnel} from '../../api/http/network/tunnel.js'
import {connectFailure} from '../../api/http/wire/transport.js'
import type {Environment} from '../../cli/runtime/runtime.js'
import {counted} from '../../text/text.js'
import {wholeDaysUntil} from '../../text/time.js'
import {type Diagnosis, fail, ok, warn} from '../../view/system/doctor.js'

/** Days before expiry from which a certificate is a finding (product: "warns me 30 days before it expires"). */
const soonDays = 30

export interface TlsPlace {
  readonly address: string
  readonly caFile: string | undefined
  readonly env: Environment
  readonly now: Date
  readonly ms: number
  readonly signal: AbortSignal
}

/** Issuer, expiry and trust of a service, without sending anything. No connection is no finding: the read of the service reports that. */
export async function checkCertificate(check: string, place: TlsPlace): Promise<Diagnosis[]> {
  const {address} = place
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:') return []
  const base = new URL(address)
  let socket: TLSSocket | undefined
  try {
    socket = await openTls(checkAddress(address, {allowHttp: false}), place)
    return [certificateLine(check, socket, base, place)]
  } catch {
    return []
  } finally {
    socket?.on('error', () => undefined).destroy()
  }
}

function certificateLine(check: string, socket: TLSSocket, base: URL, {now, ms}: TlsPlace): Diagnosis {
  const own = socket.getPeerCertificate()
  const protocol = socket.getProtocol() ?? 'TLS'
  // Typed as Error, but it is the code as a string.
  const code = socket.authorized ? undefined : String(socket.authorizationError)
  const days = wholeDaysUntil(new Date(own.valid_to), now)
  const details = {
    protocol,
    subject: nameOf(own, 'subject'),
    names: own.subjectaltname ?? null,
    issuer: nameOf(own, 'issuer'),
    valid_from: timeOf(own.valid_from),
    valid_to: timeOf(own.valid_to),
    days_left: days,
    reason: code ?? null,
  }
  if (code !== undefined) {
    const {message} = connectFailure(Object.assign(new Error(code), {code}), base, ms)
    return fail(check, message, adviceOn(code, own), details)
  }
  const what = `${protocol}, certificate of ${details.subject} by ${details.issuer}, ${counted(days, 'day')} left`
  return days >= soonDays
    ? ok(check, what, details)
    : warn(check, what, 'have the certificate of the service renewed', details)
}

function adviceOn(code: string, {subjectaltname: names, valid_to: end}: PeerCertificate): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `use a name it is valid for: ${names ?? 'none'}`
  if (code === 'CERT_HAS_EXPIRED') return `have it renewed (it expired ${timeOf(end)}), or correct this machine's clock`
  if (code === 'CERT_NOT_YET_VALID') return "correct this machine's clock, or have the certificate reissued"
  return 'trust its CA: roomctl config set caFile FILE; an incomplete chain must be fixed by the operator of the service'
}

function nameOf(certificate: PeerCertificate, whose: 'subject' | 'issuer'): string {
  // Typed as strings, but parts may be missing or repeated.
  const name: Readonly<Record<string, unknown>> = {...certificate[whose]}
  return String(name.CN ?? name.O ?? Object.values(name)[0] ?? 'nobody')
}

function timeOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

/** Connects as a call would, but also to an untrusted service. Throws an Error. */
async function openTls(base: URL, {caFile, env, ms, signal}: TlsPlace): Promise<TLSSocket> {
  const [{isIP, connect}, tls] = await Promise.all([import('node:net'), import('node:tls')])
  const secureContext =
    caFile === undefined
      ? undefined
      : await createTrustContext(extraCaCertificates([readFileSync(caFile, 'utf8')], env))
  const proxy = proxyFor(base, readProxy(env))
  const host = bareHost(base.hostname)
  const target = {host, port: Number(base.port || 443), ...loopbackLookup(base.hostname)}
  const socket: Socket = proxy ? await openTunnel({proxy, target: base, connectMs: ms, secureContext}) : connect(target)
  const servername = isIP(host) === 0 ? {servername: host} : {}
  const trust = secureContext ? {secureContext} : {}
  const secured = tls.connect({socket, host, ...servername, ...trust, rejectUnauthorized: false})
  try {
    await once(secured, 'secureConnect', {signal: AbortSignal.any([signal, AbortSignal.timeout(ms)])})
    return secured
  } catch (error) {
    secured.on('error', () => undefined).destroy()
    throw error
  }
}
