import {connectFailure} from '../../../api/http/wire/wireFailure.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {type Bound, bounded} from './bounded.js'
import {fail, ok} from './finding.js'

/**
 * Looks a host name up, as a connection would. No line for an address in figures. `advice` where the name cannot be found.
 * Raises a Failure (interrupted).
 */
export async function checkName(check: string, host: string, advice: string, bound: Bound): Promise<Diagnosis[]> {
  const [{isIP}, {lookup}] = await Promise.all([import('node:net'), import('node:dns/promises')])
  const name = host.replace(/^\[(.*)\]$/u, '$1')
  if (isIP(name) !== 0) return []
  const looked = lookup(name, {all: true}).catch((error: unknown) => connectFailure(error, name, bound.ms))
  const found = await bounded(bound, looked)
  if (found === 'late') {
    return [
      fail(check, `${name} was not looked up within ${bound.ms / 1000} s`, 'check the name server of this machine'),
    ]
  }
  if (found instanceof Error) return [fail(check, found.message, advice, {host: name})]
  const addresses = found.map(({address}) => address)
  return [ok(check, `${name} is ${addresses.slice(0, 4).join(', ')}`, {host: name, addresses})]
}
