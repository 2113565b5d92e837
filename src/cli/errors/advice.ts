import type {Service} from '../../api/contract/operation.js'
import {tokenVariable} from '../../storage/profile/environment.js'
import type {Manner} from '../runtime/outcome.js'

/** Commands that act the same under every profile. */
const withoutProfile = /^(?:config:profile|completion|explain|sandbox)/u

/**
 * The advice with `-p NAME` in each command line, so that it acts on the same profile when pasted. Advice that names a profile
 * stays as it is.
 */
export function forProfile(advice: string, profile: string, isCommand: (id: string) => boolean): string {
  if (/ -p /u.test(advice)) return advice
  return advice.replace(/\broomctl((?: [a-z]+(?:-[a-z]+)*)+)/gu, (whole, said: string) => {
    const words = said.trim().split(' ')
    const length = [3, 2, 1].find((count) => isCommand(words.slice(0, count).join(':')))
    if (length === undefined || withoutProfile.test(words.join(':'))) return whole
    return ['roomctl', ...words.slice(0, length), '-p', profile, ...words.slice(length)].join(' ')
  })
}

/**
 * The advice with the variable in place of `roomctl config login SERVICE` if the environment has the token: a stored one would
 * not be used.
 */
export function forEnvironment(advice: string, envToken: (service: Service) => string | undefined): string {
  return advice.replace(/\broomctl config login (room|asset|push)\b/gu, (login, service: Service) =>
    envToken(service) === undefined ? login : `set ${tokenVariable(service)} to a new token`,
  )
}

export function advised(
  advice: string | undefined,
  {profile, isCommand, envToken}: Pick<Manner, 'profile' | 'isCommand' | 'envToken'>,
): string | undefined {
  if (advice === undefined) return undefined
  const useful = envToken ? forEnvironment(advice, envToken) : advice
  return profile === undefined ? useful : forProfile(useful, profile, isCommand)
}
