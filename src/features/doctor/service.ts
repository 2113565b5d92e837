import type {Failure} from '../../api/contract/failure.js'
import type {Service} from '../../api/contract/operation.js'
import type {PushConfiguration} from '../../api/contract/push.js'
import {hostAndPort, noConnectionText, WireError} from '../../api/http/wire/transport.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {onceApi} from '../../cli/session/serviceClients.js'
import type {Session} from '../../cli/session/session.js'
import {tokenProblem} from '../../storage/profile/credential.js'
import type {StoredCredential} from '../../storage/profile/file.js'
import {daysText, wholeDaysUntil} from '../../text/time.js'
import {dateOf} from '../../view/push/configuration.js'
import {type Diagnosis, fail, hint, ok, warn} from '../../view/tool/doctor.js'
import {claimsOf} from '../attendee/jwt.js'
import {readWithToken} from '../config/tokenRead.js'
import {checkName, checkProxy, checkServiceAddress, connect, type TimeLimit, withTimeout} from './connection.js'
import {checkCertificate, type TrustedCertificates} from './tls.js'

/** What the checks of a service need. */
export interface ServiceCheck {
  readonly session: Session
  readonly trusted: TrustedCertificates
  readonly limit: TimeLimit
  /** The container to ask the asset service about. */
  readonly container: string | undefined
}

/**
 * Checks one service, step by step along a call: address, proxy, name, connection, token, answer. What cannot be reached past a
 * step that failed has no line. Raises a Failure (interrupted).
 */
export async function checkService(service: Service, context: ServiceCheck): Promise<Diagnosis[]> {
  const {session} = context
  const {resolved, runtime} = session
  if (resolved.isSandbox) return checkResponse(service, context)
  const key = `${service}.url` as const
  const text = resolved.values[key]
  if (text === undefined) return [hint(`${service} address`, 'none is set', `roomctl config set ${key} https://HOST`)]
  const source = resolved.source(key)
  const {base, found: address} = checkServiceAddress(service, text, {allowHttp: resolved.values.allowHttp, source})
  if (base === undefined) return [address]
  const kept = {inEnvironment: resolved.envToken(service), stored: resolved.credential(service)}
  const token = checkServiceToken(service, base.origin, kept, runtime.now())
  const reached = await checkConnection(service, base, context)
  const found = [address, ...reached, token]
  return found.some(({state}) => state === 'fail') ? found : [...found, ...(await checkResponse(service, context))]
}

/** The steps until a connection stands. */
async function checkConnection(
  service: Service,
  base: URL,
  {session, trusted, limit}: ServiceCheck,
): Promise<Diagnosis[]> {
  const {proxy, found} = checkProxy(service, base, session.runtime.env)
  if (found.some(({state}) => state === 'fail')) return found
  const advice = proxy ? 'check HTTPS_PROXY and HTTP_PROXY' : `check the address: roomctl config get ${service}.url`
  const name = await checkName(`${service} name`, (proxy ?? base).hostname, advice, limit)
  if (name.some(({state}) => state === 'fail')) return [...found, ...name]
  return [...found, ...name, ...(await checkSocket(service, {base, proxy}, {session, trusted, limit}))]
}

async function checkSocket(
  service: Service,
  {base, proxy}: {readonly base: URL; readonly proxy: URL | undefined},
  {session, trusted, limit}: Pick<ServiceCheck, 'session' | 'trusted' | 'limit'>,
): Promise<Diagnosis[]> {
  const check = `${service} connection`
  const advice = proxy
    ? `check the proxy, or exempt the host: NO_PROXY=${base.hostname}`
    : 'check the address, the network, and any firewall, VPN or proxy'
  try {
    const route = {url: base, proxy, secureContext: trusted.secureContext}
    const made = await withTimeout(limit, connect(route, limit))
    if (made === 'late') return [fail(check, noConnectionText(hostAndPort(base), limit.ms), advice)]
    const stands = ok(check, `${hostAndPort(base)} in ${made.ms} ms`, {ms: made.ms})
    if (made.tls === undefined) return [stands]
    const about = {host: base.hostname, now: session.runtime.now(), authorities: trusted.authorities}
    return [stands, checkCertificate(`${service} tls`, made.tls, about)]
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return [fail(check, error.message, advice, {problem: error.problem})]
  }
}

async function checkResponse(service: Service, {session, container, limit}: ServiceCheck): Promise<Diagnosis[]> {
  // The call keeps its own time; a keyring or a token command that waits for somebody does not.
  const patience = {...limit, ms: limit.ms + 500}
  const result = await withTimeout(patience, readFromService(session, service, container))
  if (result === 'late') {
    const advice = 'unlock the keyring, or run the token command by hand: it must not prompt'
    return [fail(`${service} answer`, `its token was not available within ${limit.ms / 1000} s`, advice)]
  }
  const {found, answer, configuration} = result
  const certificate = configuration === undefined ? [] : checkPushCertificate(configuration, session.runtime.now())
  if (answer === undefined || session.resolved.isSandbox) return [found, ...certificate]
  const headers = service === 'asset' ? [checkHeaderUnderscores(answer.headers)] : []
  return [found, ...checkClock(`${service} clock`, answer.headers, answer.at), ...headers, ...certificate]
}

/** What a service was asked and what came. */
export interface ServiceResponse {
  readonly found: Diagnosis
  /** The headers of the answer, and when it came; undefined where none did. */
  readonly answer: ResponseHead | undefined
  readonly configuration?: PushConfiguration | null
}

interface ResponseHead {
  readonly headers: Readonly<Record<string, string>>
  /** Half-way between question and answer. */
  readonly at: Date
}

/**
 * Asks a service by its smallest read, once: whether it answers and takes the credential (product §1). `container`: the one to
 * ask the asset service about. Raises a Failure (interrupted).
 */
export async function readFromService(
  session: Session,
  service: Service,
  container: string | undefined,
): Promise<ServiceResponse> {
  const check = `${service} answer`
  const {applicationId, bizId} = session.resolved.values
  const {api, head} = recordingApi(session)
  try {
    const {state, words, configuration} = await readWithToken(api, service, {applicationId, bizId, container})
    const advice = service === 'push' ? 'roomctl config set applicationId ID' : 'roomctl doctor --container CONTAINER'
    const found =
      state === 'unchecked'
        ? hint(check, `not checked: ${words}`, advice)
        : ok(check, `it accepts the credential: ${words}`)
    return {found, answer: head(), ...(configuration === undefined ? {} : {configuration})}
  } catch (error) {
    const failure = toFailure(error)
    if (failure.facts.exit === 'interrupted' || failure.facts.exit === 'bug') throw error
    const fromEnv = session.resolved.envToken(service) !== undefined
    return {found: refused(service, failure, fromEnv), answer: head()}
  }
}

function refused(service: Service, {facts}: Failure, fromEnv: boolean): Diagnosis {
  const check = `${service} answer`
  const {exit, message, why, httpStatus, code} = facts
  const details = {code: code ?? null, http_status: httpStatus ?? null}
  if (exit === 'unauthenticated') {
    const variable = `ROOMCTL_${service.toUpperCase()}_TOKEN`
    const advice = fromEnv ? `set ${variable} to a new one` : `get a new one: roomctl config login ${service}`
    return fail(check, `it does not accept the token: ${message}`, advice, details)
  }
  if (exit === 'forbidden') {
    const what = `it accepts the token but does not allow this: ${message}`
    return fail(check, what, 'ask the issuer of the token for permission', details)
  }
  return fail(check, why === undefined ? message : `${message} (${why})`, facts.try ?? 'roomctl config list', details)
}

/** The calls of the session, each sent once, with an ear for the headers of the answer. */
function recordingApi(session: Session) {
  const {now} = session.runtime
  let head: ResponseHead | undefined
  const api = onceApi(session, (access) => ({
    ...access,
    transport: async (request) => {
      const sent = now().getTime()
      const answer = await access.transport(request)
      head = {headers: answer.headers, at: new Date((sent + now().getTime()) / 2)}
      return answer
    },
  }))
  return {api, head: () => head}
}

/** The last second that Date can hold. */
const lastSecond = 8.64e12

/** Where the credential of a service is, as far as that is known without fetching it. */
export interface KnownCredential {
  /** The token of the environment. */
  readonly inEnvironment: string | undefined
  readonly stored: StoredCredential | undefined
}

/** Whether there is a credential for `origin`, and whether a token that is known can be sent and has not expired. */
export function checkServiceToken(
  service: Service,
  origin: string,
  {inEnvironment, stored}: KnownCredential,
  now: Date,
): Diagnosis {
  const check = `${service} token`
  const login = `roomctl config login ${service}`
  const variable = `ROOMCTL_${service.toUpperCase()}_TOKEN`
  if (inEnvironment !== undefined) {
    return (
      wrongToken(check, inEnvironment, `set ${variable} to a new one`, now) ??
      ok(check, `from ${variable}`, {source: 'env'})
    )
  }
  if (stored === undefined) return fail(check, `none for ${origin}, and ${variable} is not set`, login)
  if (stored.origin !== origin) {
    const what = `it is stored for ${stored.origin} and not sent to ${origin}`
    return fail(check, what, login, {source: stored.store, origin: stored.origin})
  }
  const details = {source: stored.store, origin}
  if (stored.store === 'keyring') return ok(check, `in the keyring, for ${origin}`, details)
  if (stored.store === 'command')
    return ok(check, `printed by ${stored.command[0] ?? 'a program'}, for ${origin}`, details)
  return wrongToken(check, stored.token, login, now) ?? ok(check, `in the profile, for ${origin}`, details)
}

function wrongToken(check: string, token: string, fix: string, now: Date): Diagnosis | undefined {
  const problem = tokenProblem(token)
  if (problem !== undefined) return fail(check, `it cannot be used: ${problem}`, fix)
  const end = expiryOf(token)
  if (end === undefined || end.getTime() > now.getTime()) return undefined
  return fail(check, `it expired on ${end.toISOString()}`, fix, {ended: end.toISOString()})
}

/** The end that a JSON web token tells of itself; undefined for any other token. */
function expiryOf(token: string): Date | undefined {
  const claims = claimsOf(token)
  const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
  return typeof exp === 'number' && Math.abs(exp) < lastSecond ? new Date(exp * 1000) : undefined
}

/** Milliseconds by which the clocks may differ: the header has whole seconds, and an answer takes its time. */
const clockTolerance = 90_000

/**
 * Compares this machine's clock with the Date header of an answer that came at `at`. No line where the header is missing, or
 * where a cache has kept the answer (Age), which then tells of another time.
 */
export function checkClock(check: string, headers: Readonly<Record<string, string>>, at: Date): Diagnosis[] {
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs) || Number(headers.age ?? 0) > 0) return []
  const ahead = at.getTime() - theirs
  const details = {ahead_seconds: Math.round(ahead / 1000), service_time: new Date(theirs).toISOString()}
  if (Math.abs(ahead) <= clockTolerance) return [ok(check, "this machine's clock matches the service's", details)]
  const what = `this machine's clock is ${lengthOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service's`
  const advice = 'sync it with network time (timedatectl set-ntp true): scheduled pushes and certificates depend on it'
  return [warn(check, what, advice, details)]
}

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

const headersCheck = 'asset headers'

/**
 * Uploads send headers with underscores in their names (asset, Upload), which nginx drops unless it is told to keep them. No
 * read shows whether they arrive; whether such a server stands in the way can show in an answer's headers.
 */
export function checkHeaderUnderscores(headers: Readonly<Record<string, string>>): Diagnosis {
  const {server = '', via = ''} = headers
  const said = [server, via].filter((value) => value !== '')
  const details = {server: server || null, via: via || null}
  if (!/nginx|openresty|tengine/iu.test(said.join(' ')) && via === '') {
    const what =
      'no sign of a proxy that drops headers with underscores; the first upload is read back and would show it'
    return ok(headersCheck, what, details)
  }
  const what = `the answer came through ${said.join(', ')}, which may drop upload headers with underscores; only an upload shows that`
  return hint(headersCheck, what, 'in nginx: underscores_in_headers on; an upload that loses its name says so', details)
}

const pushCertificateCheck = 'push certificate'
/** Days before its end from which a certificate is a finding (product: "warns me 30 days before it expires"). */
const soonDays = 30

/** Whether the iOS certificate that is registered expires. A key does not; no line where none is registered. */
export function checkPushCertificate(found: PushConfiguration | null, now: Date): Diagnosis[] {
  const {ios_apns_type: type, certificate_expiry_date: text} = found ?? {}
  if (type === 'TOKEN') return [ok(pushCertificateCheck, 'the iOS credential is a key, which does not expire')]
  if (type !== 'CERTIFICATE' && !text) return []
  const date = dateOf(text)
  const details = {expires: text ?? null}
  if (date === undefined) {
    const advice = 'roomctl push inspect FILE shows the expiry of the certificate itself'
    return [warn(pushCertificateCheck, 'the service does not show when the iOS certificate expires', advice, details)]
  }
  const days = wholeDaysUntil(date, now)
  const what = `the iOS certificate ${days < 0 ? 'expired' : 'expires'} on ${text}, ${daysText(days)}`
  const advice = 'create a new one at developer.apple.com/account, and register it with roomctl push ios-cert'
  if (days < 0) return [fail(pushCertificateCheck, what, advice, details)]
  return [days < soonDays ? warn(pushCertificateCheck, what, advice, details) : ok(pushCertificateCheck, what, details)]
}
