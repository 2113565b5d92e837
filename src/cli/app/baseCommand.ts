import {Command} from '@oclif/core/command'
import type {Config} from '@oclif/core/config'
import {CLIError} from '@oclif/core/errors'
import type {ArgInput, FlagInput, Input, ParserOutput} from '@oclif/core/interfaces'
import type {Service} from '../../api/contract/operation.js'
import {fixHeapSize} from '../../api/http/transports/heapSize.js'
import type {ProfileFile} from '../../storage/profile/file.js'
import {unasked} from '../../terminal/ask.js'
import type {ListView} from '../../view/format/columns.js'
import {checkOutput} from '../../view/format/output.js'
import {type ParsedWords, parseWords} from '../flags/commandLine.js'
import {localFlags, serviceFlags} from '../flags/flags.js'
import type {MissingInput} from '../prompts/askInputs.js'
import {commandContextOf} from '../runtime/runtime.js'
import {assertLocallyWritable, assertWritable} from '../session/readOnly.js'
import {type CommonFlags, openSession, type Session} from '../session/session.js'

// biome-ignore lint/suspicious/noExplicitAny: a prototype
type Values = Record<string, any>

/** The columns of a list or a card. */
export type Shown = Pick<ListView<never>, 'columns'>

export function shownBy(
  {rows}: {readonly rows?: Shown | ((flags: Values) => Shown) | undefined},
  flags: Values,
): Shown | undefined {
  return typeof rows === 'function' ? rows(flags) : rows
}

export function isPreview(flags: Values): boolean {
  return flags['dry-run'] === true
}

interface OpenOptions {
  /** The settings of the profile are ignored, so that the command can correct them. */
  readonly editing?: boolean
  readonly file?: ProfileFile
}

/** oclif's own `run` would load the configuration a second time and look for deprecated commands and flags. */
export abstract class PlainCommand extends Command {
  /** Whether it reads an unlimited number of lines, files or applications, in bounded memory. */
  static readsMany = false

  static override run<T extends Command>(
    this: new (
      argv: string[],
      config: Config,
    ) => T,
    argv: string[] = [],
    config?: unknown,
  ): Promise<ReturnType<T['run']>> {
    // oclif types `config` as unknown, and `_run` is protected.
    const command = new this(argv, config as Config) as unknown as {_run: () => Promise<ReturnType<T['run']>>}
    return command._run()
  }

  protected override async init(): Promise<void> {
    if ((this.ctor as typeof PlainCommand).readsMany) await fixHeapSize()
  }
}

/** The base of every command but one: it opens the session. */
export abstract class LocalCommand extends PlainCommand {
  /** Its table: --columns and --sort are checked against it before anything is sent, and completed from it. */
  static rows?: Shown | ((flags: Values) => Shown)
  /** Whether it changes something at a service, or `locally`: the sandbox, or the uploads of this machine. */
  static changes: boolean | 'locally' = false
  static override baseFlags = localFlags

  /**
   * Throws Failure (unconfirmed) for a change that is forbidden, before anything is asked or written for it, and a Failure for
   * output flags that do not fit the view.
   */
  protected async open(flags: CommonFlags, options: OpenOptions = {}): Promise<Session> {
    const {runtime, outcome} = commandContextOf(this.config)
    const session = await openSession(runtime, outcome, flags, options)
    this.assertAllowed(session, flags)
    const files = inputFiles({...this.ctor.flags}, flags)
    if (files.length > 0 && session.mayAsk) (await import('../prompts/askInputs.js')).checkFiles(files)
    const shown = isPreview(flags) ? undefined : shownBy(this.ctor as typeof LocalCommand, flags)
    if (shown) await checkOutput(shown.columns, session.output)
    return session
  }

  /** @throws Failure (unconfirmed) if the command makes its change when it is given these flags, and changes are forbidden. */
  protected assertAllowed(session: Session, flags: Values): void {
    const {changes} = this.ctor as typeof LocalCommand
    if (changes === 'locally') assertLocallyWritable(session)
    else if (changes && !isPreview(flags)) assertWritable(session)
  }

  protected async start<F extends Values, B extends Values, A extends Values>(
    command: Input<F, B, A>,
    options?: OpenOptions,
  ): Promise<ParserOutput<F, B, A> & {session: Session}> {
    const parsed = await this.parse(command)
    return {...parsed, session: await this.open(parsed.flags as CommonFlags, options)}
  }

  /** Asks on a terminal for what the command requires and was not given. */
  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Input<F, B, A>,
    argv = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const {args, flags, baseFlags, id} = this.ctor
    const all: FlagInput = {...baseFlags, ...flags}
    const words = parseWords(all as Command.Cached['flags'], argv)
    if (words.valued !== undefined) throw (await import('../errors/usageErrors.js')).switchWithValue(words.valued)
    const missing = words.hasUnknown ? [] : missingInputs(words, {args, flags: all})
    if (missing.length === 0) return super.parse(options, argv)
    // Other problems of the line are reported first.
    const parsed = await super.parse({args: firstOf(args, words.args.length), flags: optional(all)}, argv)
    const {ask} = commandContextOf(this.config).runtime
    const session = ask.available ? await this.open(parsed.flags as CommonFlags) : undefined
    if (!session?.mayAsk) {
      const {missingInput} = await import('../errors/usageErrors.js')
      const names = missing.map(({name, flag}) => (flag ? `--${name}` : name.toUpperCase()))
      throw unasked({ask}, missingInput(names))
    }
    const [topic = ''] = id?.split(':') ?? []
    // A command of this machine touches no deployment.
    const service = this instanceof RoomctlCommand ? services[topic] : undefined
    await this.checkGiven(session, parsed)
    const {askForInputs} = await import('../prompts/askInputs.js')
    return super.parse(options, await askForInputs(session, {topic, service, argv, missing}))
  }

  /** Validates the given arguments and flags before roomctl asks for the missing ones. @throws Failure */
  protected async checkGiven(
    _session: Session,
    _given: {readonly flags?: Values; readonly args?: Values},
  ): Promise<void> {}

  /** Passes the error on to run.ts; oclif would print it. What only a wrong line needs is loaded here. */
  protected override async catch(error: Error): Promise<never> {
    if (!(error instanceof CLIError)) throw error
    const {usageFailure} = await import('../errors/usageErrors.js')
    const {args, baseFlags, flags} = this.ctor
    const known = {...baseFlags, ...flags} as Command.Cached['flags']
    const {command} = commandContextOf(this.config).outcome.mode
    throw usageFailure(error, {command, args, flags: known, words: this.argv})
  }
}

export abstract class RoomctlCommand extends LocalCommand {
  static override baseFlags = serviceFlags
}

function inputFiles(declared: FlagInput, flags: Values): string[] {
  const names = Object.keys(declared).filter((name) => 'isInputFile' in (declared[name] ?? {}))
  return names.flatMap((name) => (flags[name] === undefined || flags[name] === '-' ? [] : [flags[name]]))
}

function missingInputs(
  parsed: ParsedWords,
  {args, flags}: {readonly args: ArgInput; readonly flags: FlagInput},
): MissingInput[] {
  const words = Object.entries(args)
    .slice(parsed.args.length)
    .filter(([, {required}]) => required)
    .map(([key, {name = key, description = key}]) => ({name, flag: false, summary: description, choices: []}))
  const options = Object.entries(flags)
    .filter(([name, {required}]) => required && !parsed.flags.has(name))
    .map(([name, {summary = name, ...definition}]) => {
      const values = 'helpValue' in definition ? String(definition.helpValue) : ''
      return {name, flag: true, summary, choices: values.includes('|') ? values.split('|') : []}
    })
  return [...words, ...options]
}

function firstOf(args: ArgInput, count: number): ArgInput {
  return Object.fromEntries(Object.entries(args).slice(0, count))
}

function optional(flags: FlagInput): FlagInput {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, {...flag, required: false}]))
}

const services: Readonly<Record<string, Service>> = {
  room: 'room',
  attendee: 'room',
  record: 'room',
  asset: 'asset',
  push: 'push',
}
