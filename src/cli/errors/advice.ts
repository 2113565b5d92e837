import type {Service} from '../../api/contract/operation.js'
import {isSecretFlag, looksSecret} from '../../redaction/looks.js'
import {tokenVariable} from '../../storage/profile/resolve.js'
import {shellWord} from '../../text/text.js'
import {splitProfile} from '../flags/commandLine.js'
import {ownHelp} from '../flags/parseValues.js'
import type {OutputMode} from '../runtime/runtime.js'

/** Commands that act the same under every profile. */
const withoutProfile = /^(?:config:profile|completion|explain|sandbox)/u

/**
 * The advice with `-p NAME` in each command line, so that it acts on the same profile when pasted. Advice that names a profile
 * is unchanged.
 */
export function forProfile(advice: string, profile: string, isCommand: (id: string) => boolean): string {
  if (/ -p | --profile[ =]| --help\b/u.test(advice)) return advice
  return advice.replace(/\broomctl((?: [a-z]+(?:-[a-z]+)*)+)/gu, (whole, said: string) => {
    const words = said.trim().split(' ')
    const length = [3, 2, 1].find((count) => isCommand(words.slice(0, count).join(':')))
    if (length === undefined || withoutProfile.test(words.join(':'))) return whole
    return ['roomctl', ...words.slice(0, length), '-p', suggestedWord(profile), ...words.slice(length)].join(' ')
  })
}

/** A value mended where it came from: a stored one would not be used. */
export function forEnvironment(advice: string, isInEnvironment: OutputMode['isInEnvironment'] = () => false): string {
  return advice
    .replace(/\broomctl config login (room|asset|push)\b/gu, (login, service: Service) =>
      isInEnvironment(service, 'token') ? `export ${tokenVariable(service)} again, with a new token` : login,
    )
    .replace(/\broomctl config set (room|asset|push)\.url (\S+)/gu, (set, service: Service, url: string) =>
      isInEnvironment(service, 'url') ? `export ROOMCTL_${service.toUpperCase()}_URL=${url}` : set,
    )
}

export function advised(
  advice: string | undefined,
  {
    profile,
    command = 'COMMAND',
    isCommand,
    isInEnvironment,
  }: Pick<OutputMode, 'profile' | 'command' | 'isCommand' | 'isInEnvironment'>,
): string | undefined {
  if (advice === undefined) return undefined
  if (advice === ownHelp) return ownHelp.replace('COMMAND', command)
  const useful = forEnvironment(advice, isInEnvironment)
  return profile === undefined ? useful : forProfile(useful, profile, isCommand)
}

/** A typed word in a suggested command line: quoted for the shell, and masked if it may be a secret. */
function suggestedWord(text: string): string {
  return looksSecret(text) ? '***' : shellWord(text)
}

/** Typed words in a suggested command line, without the flag for the profile, which `forProfile` adds. */
export function suggestedWords(words: readonly string[]): string[] {
  return splitProfile(words).others.map((word, at, others) => {
    const [, flag, value] = /^(--?[\w-]+)(=.*)?$/su.exec(word) ?? []
    if (flag !== undefined && value !== undefined && isSecretFlag(flag)) return `${flag}=***`
    const before = others[at - 1] ?? ''
    if (/^--?[a-z]/iu.test(before) && isSecretFlag(before)) return '***'
    const isName = flag?.startsWith('--') === true && value === undefined
    return isName ? word : suggestedWord(word)
  })
}
