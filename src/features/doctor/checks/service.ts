import type {Service} from '../../../api/contract/operation.js'
import {WireError} from '../../../api/http/wire/transport.js'
import {hostAndPort, noConnectionText} from '../../../api/http/wire/wireFailure.js'
import type {Session} from '../../../cli/session/session.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {askService} from './answer.js'
import type {Trusted} from './authorities.js'
import {type Bound, bounded} from './bounded.js'
import {checkCertificate} from './certificate.js'
import {checkClock} from './clock.js'
import {connect} from './connection.js'
import {fail, hint, ok} from './finding.js'
import {checkName} from './lookUp.js'
import {checkPushCertificate} from './pushCertificate.js'
import {checkToken} from './token.js'
import {checkUnderscores} from './underscores.js'
import {checkProxy, checkServiceAddress} from './way.js'

/** What the checks of a service need. */
export interface Patient {
  readonly session: Session
  readonly trusted: Trusted
  readonly bound: Bound
  /** The container to ask the asset service about. */
  readonly container: string | undefined
}

/**
 * Checks one service, step by step along a call: address, proxy, name, connection, token, answer. What cannot be reached past a
 * step that failed has no line. Raises a Failure (interrupted).
 */
export async function checkService(service: Service, patient: Patient): Promise<Diagnosis[]> {
  const {session} = patient
  const {resolved, runtime} = session
  if (resolved.isSandbox) return asked(service, patient)
  const key = `${service}.url` as const
  const text = resolved.values[key]
  if (text === undefined) return [hint(`${service} address`, 'none is set', `roomctl config set ${key} https://HOST`)]
  const source = resolved.source(key)
  const {base, found: address} = checkServiceAddress(service, text, {allowHttp: resolved.values.allowHttp, source})
  if (base === undefined) return [address]
  const kept = {inEnvironment: resolved.envToken(service), stored: resolved.credential(service)}
  const token = checkToken(service, base.origin, kept, runtime.now())
  const reached = await reach(service, base, patient)
  const found = [address, ...reached, token]
  return found.some(({state}) => state === 'fail') ? found : [...found, ...(await asked(service, patient))]
}

/** The steps until a connection stands. */
async function reach(service: Service, base: URL, {session, trusted, bound}: Patient): Promise<Diagnosis[]> {
  const {proxy, found} = checkProxy(service, base, session.runtime.env)
  if (found.some(({state}) => state === 'fail')) return found
  const advice = proxy ? 'check HTTPS_PROXY and HTTP_PROXY' : `check the address: roomctl config get ${service}.url`
  const name = await checkName(`${service} name`, (proxy ?? base).hostname, advice, bound)
  if (name.some(({state}) => state === 'fail')) return [...found, ...name]
  return [...found, ...name, ...(await connected(service, {base, proxy}, {session, trusted, bound}))]
}

async function connected(
  service: Service,
  {base, proxy}: {readonly base: URL; readonly proxy: URL | undefined},
  {session, trusted, bound}: Pick<Patient, 'session' | 'trusted' | 'bound'>,
): Promise<Diagnosis[]> {
  const check = `${service} connection`
  const advice = proxy
    ? `check the proxy, or exempt the host: NO_PROXY=${base.hostname}`
    : 'check the address, the network and what stands between: firewall, VPN, proxy'
  try {
    const way = {url: base, proxy, secureContext: trusted.secureContext}
    const made = await bounded(bound, connect(way, bound))
    if (made === 'late') return [fail(check, noConnectionText(hostAndPort(base), bound.ms), advice)]
    const stands = ok(check, `${hostAndPort(base)} in ${made.ms} ms`, {ms: made.ms})
    if (made.tls === undefined) return [stands]
    const about = {host: base.hostname, now: session.runtime.now(), authorities: trusted.authorities}
    return [stands, checkCertificate(`${service} tls`, made.tls, about)]
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return [fail(check, error.message, advice, {problem: error.problem})]
  }
}

async function asked(service: Service, {session, container, bound}: Patient): Promise<Diagnosis[]> {
  // The call keeps its own time; a keyring or a token command that waits for somebody does not.
  const patience = {...bound, ms: bound.ms + 500}
  const come = await bounded(patience, askService(session, service, container))
  if (come === 'late') {
    const advice = 'unlock the keyring, or run the token command by hand: it must not ask anything'
    return [fail(`${service} answer`, `its token did not come within ${bound.ms / 1000} s`, advice)]
  }
  const {found, answer, configuration} = come
  const certificate = configuration === undefined ? [] : checkPushCertificate(configuration, session.runtime.now())
  if (answer === undefined || session.resolved.isSandbox) return [found, ...certificate]
  const headers = service === 'asset' ? [checkUnderscores(answer.headers)] : []
  return [found, ...checkClock(`${service} clock`, answer.headers, answer.at), ...headers, ...certificate]
}
