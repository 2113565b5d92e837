import type {Service} from '../../../api/contract/operation.js'
import type {StoredCredential} from '../../../storage/profile/file.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {claimsOf} from '../../attendee/jwt.js'
import {fail, ok} from './finding.js'

/** The last second that Date can hold. */
const lastSecond = 8.64e12

/** Where the credential of a service is, as far as that is known without fetching it. */
export interface Kept {
  /** The token of the environment. */
  readonly inEnvironment: string | undefined
  readonly stored: StoredCredential | undefined
}

/** Whether there is a credential for `origin`, and whether a token that tells its end has ended. */
export function checkToken(service: Service, origin: string, {inEnvironment, stored}: Kept, now: Date): Diagnosis {
  const check = `${service} token`
  const login = `roomctl config login ${service}`
  const variable = `ROOMCTL_${service.toUpperCase()}_TOKEN`
  if (inEnvironment !== undefined) {
    return (
      ended(check, inEnvironment, `set ${variable} to a new one`, now) ?? ok(check, `from ${variable}`, {source: 'env'})
    )
  }
  if (stored === undefined) return fail(check, `there is none for ${origin}, and ${variable} is not set`, login)
  if (stored.origin !== origin) {
    const what = `it is stored for ${stored.origin} and is not sent to ${origin}`
    return fail(check, what, login, {source: stored.store, origin: stored.origin})
  }
  const details = {source: stored.store, origin}
  if (stored.store === 'keyring') return ok(check, `in the keyring, for ${origin}`, details)
  if (stored.store === 'command')
    return ok(check, `printed by ${stored.command[0] ?? 'a program'}, for ${origin}`, details)
  return ended(check, stored.token, login, now) ?? ok(check, `in the profile, for ${origin}`, details)
}

function ended(check: string, token: string, fix: string, now: Date): Diagnosis | undefined {
  const end = endOf(token)
  if (end === undefined || end.getTime() > now.getTime()) return undefined
  return fail(check, `it ended on ${end.toISOString()}`, fix, {ended: end.toISOString()})
}

/** The end that a JSON web token tells of itself; undefined for any other token. */
function endOf(token: string): Date | undefined {
  const claims = claimsOf(token)
  const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
  return typeof exp === 'number' && Math.abs(exp) < lastSecond ? new Date(exp * 1000) : undefined
}
