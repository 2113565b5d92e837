import {type Advice, type CommandWords, joinAdvice, mapAdvice, shellWord} from '../../advice.js'
import {services} from '../../api/contract/operation.js'
import {Failure} from '../../failure.js'
import {isSecretFlag, looksSecret} from '../../redaction/looks.js'
import {sandboxName} from '../../storage/profile/file.js'
import {tokenVariable} from '../../storage/profile/resolve.js'
import {splitProfile} from '../flags/commandLine.js'
import {ownHelp} from '../flags/parseValues.js'
import type {OutputMode} from '../runtime/runtime.js'

/** Commands that act the same under every profile. */
const withoutProfile = /^(?:config profile|completion|explain|help|sandbox)\b/u

/**
 * The advice for the command that failed, with the profile in use, so that it has the same effect when pasted. Advice that
 * names a profile is unchanged.
 */
export function adviceFor(advice: Advice, mode: Pick<OutputMode, 'profile' | 'command' | 'isInEnvironment'>): Advice {
  const {profile, command = 'COMMAND', isInEnvironment} = mode
  if (typeof advice === 'string') return advice
  if (advice === ownHelp) return {command: [command, '--help']}
  const {sentence, next} = advice
  const further = advice.further && adviceFor(advice.further, mode)
  const exporting = isInEnvironment && exportOf(advice.command, isInEnvironment)
  if (exporting) {
    const own = sentence === undefined ? exporting : `${sentence}: ${exporting}`
    return further === undefined ? own : joinAdvice(own, further)
  }
  const named = (line: CommandWords) => withProfile(line, profile)
  return {sentence, command: named(advice.command), next: next && named(next), further}
}

function withProfile([name, ...args]: CommandWords, profile: string | undefined): CommandWords {
  // The built-in profile is not set up.
  if (profile === undefined || (profile === sandboxName && name === 'config init')) return [name, ...args]
  const isUnchanged = withoutProfile.test(name) || args.some((arg) => ['-p', '--profile', '--help'].includes(arg))
  return isUnchanged ? [name, ...args] : [name, '-p', suggestedWord(profile), ...args]
}

/** The line that sets a value in the environment, where a stored one would not be used; undefined for any other value. */
function exportOf(
  [name, key, value]: CommandWords,
  isInEnvironment: NonNullable<OutputMode['isInEnvironment']>,
): string | undefined {
  const service = services.find((service) => key === service || key === `${service}.url`)
  if (service === undefined) return undefined
  if (name === 'config login' && isInEnvironment(service, 'token'))
    return `export ${tokenVariable(service)} again, with a new token`
  if (name === 'config set' && value !== undefined && isInEnvironment(service, 'url'))
    return `export ROOMCTL_${service.toUpperCase()}_URL=${shellWord(value)}`
  return undefined
}

/** A failure without secrets. `advise`: the advice with the profile. */
export function maskFailure(
  {facts, cause}: Failure,
  mask: (text: string) => string,
  advise: (advice: Advice) => Advice,
): Failure {
  const masked = (text: string | undefined) => (text === undefined ? undefined : mask(text))
  const own = {
    message: mask(facts.message),
    cause: masked(facts.cause),
    why: masked(facts.why),
    serviceMessage: masked(facts.serviceMessage),
    try: facts.try && mapAdvice(advise(facts.try), mask),
    lines: facts.lines?.map(mask),
    body: masked(facts.body),
  }
  return new Failure({...facts, ...own}, {cause})
}

/** A typed word in a suggested command line: masked if it may be a secret. */
function suggestedWord(text: string): string {
  return looksSecret(text) ? '***' : text
}

/** Typed words in a suggested command line, without the flag for the profile, which `adviceFor` adds. */
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
