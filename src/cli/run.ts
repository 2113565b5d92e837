import {Config} from '@oclif/core/config'
import {normalizeArgv} from '@oclif/core/help'
import type {Options} from '@oclif/core/interfaces'
import {suggest} from '../bulk/suggest.js'
import {exits} from '../contract/exits.js'
import {Failure} from '../contract/failure.js'
import {noStyle} from '../view/style.js'
import {asksForMachineFormat, type Door, renderFailure, renderHeld, toFailure} from './door.js'
import type {Runtime} from './runtime.js'
import {withStation} from './station.js'
import {tooMany, unknownFlag} from './usage.js'

/**
 * Runs one command line in a world and says with which exit code it ended. Every failure of every command leaves here,
 * as text or as JSON on stderr; nothing is thrown. `options` carries oclif's static plugin.
 */
export async function run(argv: readonly string[], runtime: Runtime, options: Options): Promise<number> {
  const door: Door = {
    machine: asksForMachineFormat(argv, runtime.env),
    style: noStyle,
    debug: false,
    secrets: undefined,
    held: undefined,
    exitCode: 0,
  }
  try {
    const config = await Config.load(withStation(options, {runtime, door}))
    await dispatch([...argv], config, runtime)
    if (door.held?.length) await runtime.stderr.write(renderHeld(door))
    return door.exitCode === exits.interrupted.code
      ? exits[runtime.interruption() ?? 'interrupted'].code
      : door.exitCode
  } catch (error) {
    const failure = bySignal(toFailure(error), runtime)
    await runtime.stderr.write(renderFailure(failure, door))
    return failure.exitCode
  }
}

/** What was interrupted ends with the exit of the signal that did it. */
function bySignal(failure: Failure, runtime: Runtime): Failure {
  const exit = runtime.interruption()
  if (failure.facts.exit !== 'interrupted' || exit === undefined) return failure
  return new Failure({...failure.facts, exit}, {cause: failure})
}

async function dispatch(argv: string[], config: Config, runtime: Runtime): Promise<void> {
  if (argv[0] === '--version') {
    await runtime.stdout.write(`${config.userAgent}\n`)
    return
  }
  const [id = '', ...rest] = normalizeArgv(config, argv)
  const ending = argv.indexOf('--')
  const own = ending === -1 ? argv : argv.slice(0, ending)
  if (argv.length === 0 || own.includes('--help') || own.includes('-h') || argv[0] === 'help') {
    return help(argv[0] === 'help' ? argv.slice(1) : argv, config, runtime)
  }
  const command = config.findCommand(id)
  if (command) return config.runCommand(id, rest, command)
  if (config.findTopic(id)) return help(id.split(':'), config, runtime)
  throw await unknownCommand(argv, config)
}

async function help(words: readonly string[], config: Config, runtime: Runtime): Promise<void> {
  const {showHelp} = await import('./help.js')
  if (!(await showHelp(words, config, runtime))) throw await unknownCommand(words, config, true)
}

/** Repeats the words that stand where a command does, and none behind a flag: any other may be a secret gone astray. */
async function unknownCommand(argv: readonly string[], config: Config, isHelp = false): Promise<Failure> {
  const [first = ''] = argv
  if (first.startsWith('-')) return flagFirst(first)
  const topics = config.topics.map(({name}) => name.replaceAll(':', ' '))
  const commands = config.commands.filter(({hidden}) => !hidden).flatMap(({id, aliases}) => [id, ...aliases])
  const {helpTopicNames} = await import('./help.js')
  const told = await helpTopicNames()
  const known = [...commands.map((id) => id.replaceAll(':', ' ')), ...topics, ...told]
  const flag = argv.findIndex((word) => word.startsWith('-'))
  const typed = argv.slice(0, flag === -1 ? undefined : flag)
  // oclif takes the arguments of a command that has none for more of its name.
  const named = typed.findLastIndex((_, at) => config.commandIDs.includes(typed.slice(0, at + 1).join(':')))
  if (named !== -1) return tooMany(typed.length - named - 1, [])
  const strange = typed.findIndex((_, at) => !topics.includes(typed.slice(0, at + 1).join(' ')))
  const words = typed.slice(0, strange === -1 ? undefined : strange + 1).join(' ')
  const guess = suggest(words, known) ?? suggest(typed.slice(0, 2).join(' '), known)
  return new Failure({
    exit: 'usage',
    message: isHelp ? `there is no command and no help topic ${words}` : `there is no command ${words}`,
    try:
      guess === undefined
        ? `roomctl --help lists the commands${isHelp ? ' and the topics' : ''}`
        : `roomctl ${isHelp || told.includes(guess) ? 'help ' : ''}${guess}`,
  })
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
