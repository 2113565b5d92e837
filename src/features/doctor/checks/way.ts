import type {Service} from '../../../api/contract/operation.js'
import {AddressError, checkAddress, isLoopback} from '../../../api/http/network/address.js'
import {type ProxySettings, proxyFor, readProxy} from '../../../api/http/network/proxy.js'
import {WireError} from '../../../api/http/wire/transport.js'
import {hostAndPort} from '../../../api/http/wire/wireFailure.js'
import type {Environment} from '../../../cli/runtime/runtime.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, ok, warn} from './finding.js'

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
    const what = `${base.href} is plain http: the token can be read on the way (allowHttp is set)`
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
    return {proxy: undefined, found: isSet(base, settings) ? [ok(check, 'none: NO_PROXY exempts this host')] : []}
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return {proxy: undefined, found: [fail(check, error.message, 'set it to http://host:port, or unset it')]}
  }
}

function isSet({protocol}: URL, {http, https}: ProxySettings): boolean {
  return (protocol === 'https:' ? https : http) !== undefined
}
