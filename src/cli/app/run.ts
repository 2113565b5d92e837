import {Config} from '@oclif/core/config'
import {normalizeArgv} from '@oclif/core/help'
import type {Options} from '@oclif/core/interfaces'
import {exits} from '../../api/contract/exits.js'
import {Failure} from '../../api/contract/failure.js'
import {noStyle} from '../../text/style.js'
import {
  type CommandOutcome,
  renderFailure,
  renderHeldWarnings,
  requestsMachineFormat,
  toFailure,
} from '../errors/errorHandler.js'
import type {Runtime} from '../runtime/runtime.js'
import {withCommandContext} from './commandContext.js'
import {unknownCommand} from './unknownCommand.js'

/**
 * Runs one command line in a world and says with which exit code it ended. Every failure of every command leaves here,
 * as text or as JSON on stderr; nothing is thrown. `options` carries oclif's static plugin.
 */
export async function run(argv: readonly string[], runtime: Runtime, options: Options): Promise<number> {
  const outcome: CommandOutcome = {
    machine: requestsMachineFormat(argv, runtime.env),
    style: noStyle,
    debug: false,
    held: undefined,
    isCommand: () => false,
    exitCode: 0,
  }
  try {
    const config = await Config.load(withCommandContext(options, {runtime, outcome}))
    outcome.isCommand = (id) => config.findCommand(id) !== undefined
    await dispatch([...argv], config, runtime)
    if (outcome.held?.length) await runtime.stderr.write(renderHeldWarnings(outcome))
    return outcome.exitCode === exits.interrupted.code
      ? exits[runtime.interruption() ?? 'interrupted'].code
      : outcome.exitCode
  } catch (error) {
    const failure = bySignal(toFailure(error), runtime)
    await runtime.stderr.write(renderFailure(failure, outcome))
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
