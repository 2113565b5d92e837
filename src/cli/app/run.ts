import type {Command} from '@oclif/core/command'
import {Config} from '@oclif/core/config'
import type {Options} from '@oclif/core/interfaces'
import {exits, wrongUsage} from '../../failure.js'
import {lockWaits} from '../../storage/disk/lockWaits.js'
import {noStyle, safeText} from '../../text/text.js'
import {requestsMachineFormat, type SplitLine, splitLine, splitProfile} from '../flags/commandLine.js'
import {type CommandContext, CommandOutcome, type Runtime, withCommandContext} from '../runtime/runtime.js'
import {StaticConfig, type StaticOptions} from './staticConfig.js'
import type {LookupContext} from './unknownCommand.js'

/**
 * Runs one command line and returns its exit code. Every failure is reported here, as text or as JSON on stderr; nothing is
 * thrown. `options` say where oclif finds the commands, or list them. What only failures and help need is imported when
 * needed.
 */
export async function run(
  argv: readonly string[],
  runtime: Runtime,
  options: Options | StaticOptions,
): Promise<number> {
  let config: Config | undefined
  const outcome = new CommandOutcome(runtime.stderr, {
    machine: requestsMachineFormat(argv, runtime.env),
    style: noStyle,
    plain: false,
    debug: false,
  })
  const sayWait = (text: unknown) => outcome.warn(String(text))
  lockWaits.subscribe(sayWait)
  try {
    const own = withCommandContext(options, {runtime, outcome})
    config = 'heads' in own ? new StaticConfig(own) : await Config.load(own)
    await dispatch([...argv], config, {runtime, outcome})
    await outcome.release()
    return outcome.exitCode === exits.interrupted.code
      ? exits[runtime.interruption() ?? 'interrupted'].code
      : outcome.exitCode
  } catch (error) {
    const {reportFailure} = await import('../errors/errorHandler.js')
    outcome.settle({profile: outcome.mode.profile ?? splitProfile(argv).profile})
    return await reportFailure(error, outcome, runtime)
  } finally {
    lockWaits.unsubscribe(sayWait)
  }
}

async function dispatch(argv: string[], config: Config, context: CommandContext): Promise<void> {
  const {runtime, outcome} = context
  if (['--version', '-V', '-v', 'version'].includes(argv[0] ?? '')) {
    await runtime.stdout.write(`${config.userAgent}\n`)
    return
  }
  if (argv.length === 0) {
    const {showWelcome} = await import('./help.js')
    return showWelcome(config, runtime)
  }
  checkText(argv)
  const {leading, isHelp, name, rest} = splitLine(argv, config)
  const words = [...name, ...rest]
  const ending = argv.indexOf('--')
  const own = ending === -1 ? argv : argv.slice(0, ending)
  if (isHelp || own.includes('--help') || own.includes('-h')) return help(words, config, context)
  const command = config.findCommand(name.join(':'))
  // config.runCommand would also look for hooks; roomctl has no hooks.
  if (command) {
    outcome.settle({command: command.id.replaceAll(':', ' ')})
    await runCommand(command, {leading, rest}, {config, runtime})
  } else if (name.length > 0 && /^(?:$|-)|=/u.test(rest[0] ?? '')) await help(name, config, context)
  else throw await unknown(words, config, {leading: leading.flatMap((flag) => flag.words)})
}

async function runCommand(
  command: Command.Loadable,
  {leading, rest}: Pick<SplitLine, 'leading' | 'rest'>,
  {config, runtime}: {readonly config: Config; readonly runtime: Runtime},
): Promise<void> {
  // The hidden command completes a line that is being typed.
  if (runtime.env.ROOMCTL_PAGER && !command.hidden) {
    const {removedVariable} = await import('../errors/removed.js')
    throw removedVariable('ROOMCTL_PAGER')
  }
  const loaded = await command.load()
  const known = {...loaded.baseFlags, ...loaded.flags}
  // A common flag may precede any command, but a change must not ignore --dry-run.
  const taken = leading.filter((flag) => flag.name in known || flag.name === 'dry-run').flatMap((flag) => flag.words)
  await loaded.run(keepSortValue([...taken, ...rest]), config)
}

/**
 * oclif takes `-room_id` after `--sort` for the flag `-r`; with a blank before it, which the list of columns ignores, it is a
 * value.
 */
function keepSortValue(words: readonly string[]): string[] {
  const ending = words.indexOf('--')
  return words.map((word, at) => {
    if (ending !== -1 && at > ending) return word
    return words[at - 1] === '--sort' && /^-[^-]/u.test(word) ? ` ${word}` : word.replace(/^--sort=(?=-)/u, '--sort= ')
  })
}

/** Node replaces bytes of arguments that are not UTF-8, and they would be sent damaged. */
function checkText(argv: readonly string[]): void {
  const damaged = argv.find((word) => word.includes('\ufffd'))
  if (damaged === undefined) return
  throw wrongUsage(`an argument is not valid UTF-8: ${safeText(damaged)}`, {
    why: 'it contains \ufffd in place of bytes and would be sent damaged',
    try: 'use UTF-8 in the terminal and in scripts, or convert: iconv -f CP949 -t UTF-8',
  })
}

async function help(words: readonly string[], config: Config, context: CommandContext): Promise<void> {
  const {showHelp} = await import('./help.js')
  if (!(await showHelp(words, config, context))) throw await unknown(words, config, {help: 'help'})
}

async function unknown(words: readonly string[], config: Config, context: LookupContext): Promise<Error> {
  const {removedCommand} = await import('../errors/removed.js')
  const removed = removedCommand(words, context.help !== undefined)
  if (removed) return removed
  const {unknownCommand} = await import('./unknownCommand.js')
  return unknownCommand(words, config, context)
}
