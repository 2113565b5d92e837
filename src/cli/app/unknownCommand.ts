import type {Config} from '@oclif/core/config'
import {Failure} from '../../api/contract/failure.js'
import {nearest} from '../../text/nearest.js'
import {tooManyArguments, unknownFlag} from '../errors/usageErrors.js'

/**
 * The failure for words that name no command, or behind `help` no topic either. It repeats the words that stand where a command
 * does, and none behind a flag: any other may be a secret gone astray.
 */
export async function unknownCommand(argv: readonly string[], config: Config, isHelp = false): Promise<Failure> {
  const [first = ''] = argv
  if (first.startsWith('-')) return flagFirst(first)
  const topics = config.topics.map(({name}) => name.replaceAll(':', ' '))
  const commands = config.commands.filter(({hidden}) => !hidden).flatMap(({id, aliases}) => [id, ...aliases])
  const {helpTopicNames} = await import('./help.js')
  const told = await helpTopicNames()
  const known = [...commands.map((id) => id.replaceAll(':', ' ')), 'help', ...told].map((words) => words.split(' '))
  const flag = argv.findIndex((word) => word.startsWith('-'))
  const typed = argv.slice(0, flag === -1 ? undefined : flag)
  // oclif takes the arguments of a command that has none for more of its name.
  const named = typed.findLastIndex((_, at) => config.commandIDs.includes(typed.slice(0, at + 1).join(':')))
  if (named !== -1) return tooManyArguments(typed.length - named - 1, [])
  const strange = typed.findIndex((_, at) => !topics.includes(typed.slice(0, at + 1).join(' ')))
  const words = typed.slice(0, strange === -1 ? undefined : strange + 1).join(' ')
  return new Failure({
    exit: 'usage',
    message: isHelp ? `there is no command and no help topic ${words}` : `there is no command ${words}`,
    try: advice({typed, meant: meant(typed, known), topic: typed.slice(0, Math.max(strange, 0)), told, isHelp}),
  })
}

/** The words that mistyped ones most likely mean, each by itself, as far as there are such. */
function meant(typed: readonly string[], known: readonly (readonly string[])[]): string[] {
  const found: string[] = []
  for (const word of typed) {
    const beginAlike = known.filter((one) => found.every((part, at) => one[at] === part))
    const next = beginAlike.flatMap((one) => one[found.length] ?? [])
    const guess = next.includes(word) ? word : nearest(word, next)
    if (guess === undefined) break
    found.push(guess)
  }
  return found
}

interface Unknown {
  readonly typed: readonly string[]
  readonly meant: readonly string[]
  /** The words of `typed` before the first that is unknown. */
  readonly topic: readonly string[]
  /** The names of the help topics. */
  readonly told: readonly string[]
  readonly isHelp: boolean
}

function advice({typed, meant: words, topic, told, isHelp}: Unknown): string {
  const isTold = told.includes(words[0] ?? '')
  const help = isHelp || isTold ? 'help ' : ''
  if (isTold || words.some((word, at) => word !== typed[at])) return `roomctl ${help}${words.join(' ')}`
  if (topic.length > 0) return `roomctl ${topic.join(' ')} --help lists its commands`
  return `roomctl --help lists the commands${isHelp ? ' and the topics' : ''}`
}

function flagFirst(flag: string): Failure {
  const {facts} = unknownFlag([flag], [])
  const isSecret = facts.why !== undefined
  return isSecret
    ? new Failure(facts)
    : new Failure({
        exit: 'usage',
        message: 'a flag stands before the command',
        why: 'flags come after it: roomctl room list -p NAME',
        try: 'roomctl --help lists the commands',
      })
}
