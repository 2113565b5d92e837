import {homedir} from 'node:os'
import {stripVTControlCharacters} from 'node:util'
import type {Config} from '@oclif/core/config'
import type {Options} from '@oclif/core/interfaces'
import type {Service} from '../../api/contract/operation.js'
import type {Transport} from '../../api/http/wire/transport.js'
import {type Exit, exits} from '../../failure.js'
import {Secrets} from '../../redaction/secrets.js'
import {type Ask, terminalAsk} from '../../terminal/ask.js'
import {endByHangUp, isOn, OutputWriter} from '../../terminal/output.js'
import type {Pager} from '../../terminal/pager.js'
import type {Streams} from '../../terminal/questions.js'
import {withoutCiCommands} from '../../text/ciCommands.js'
import {type Style, safeLines} from '../../text/text.js'
import {monotonicMs, withTimes} from '../../text/time.js'

const wrap: Streams['wrap'] = async (words, width) => (await import('../../text/width.js')).wrapWords(words, width)

export type Environment = Readonly<Record<string, string | undefined>>

export interface EmbeddedServices {
  readonly transport: Transport
  readonly addresses: Readonly<Record<Service, string>>
  readonly token: string
}

/** All that a command uses of the process and the machine, so that tests can pass their own. */
export interface Runtime {
  readonly env: Environment
  readonly home: string
  readonly platform: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  /** Every secret that this process has read, for the masks of both streams and of all sessions. */
  readonly secrets: Secrets
  readonly ask: Ask
  readonly now: () => Date
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Calls every `ms` milliseconds until the returned function is called. Keeps no process alive. */
  readonly every: (ms: number, call: () => void) => () => void
  /**
   * Exits with 0 when the process has run for that many milliseconds since its start, whatever is pending; after a slow start,
   * a moment later.
   */
  readonly endAfter: (ms: number) => void
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal
  /** Aborted by the second signal, right before the process exits: listeners must finish synchronously. */
  readonly leaving: AbortSignal
  readonly interruption: () => Exit | undefined
  /** Runs a program without a shell, for `ms` at most, and returns its stdout: token commands. Throws Interrupted. */
  readonly run: (command: readonly string[], ms?: number) => Promise<string>
  /** Starts a pager, by default the installed one; undefined if it is missing or fails to start. */
  readonly pager: (command: string | undefined) => Promise<Pager | undefined>
  readonly sandbox: (dataFolder: string) => Promise<EmbeddedServices>
}

/** SIGBREAK: Ctrl-Break of Windows. */
const signalExits = {SIGINT: 'interrupted', SIGBREAK: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'hungUp'} as const

export function processRuntime(sandbox: Runtime['sandbox']): Runtime {
  const {env, platform} = process
  const controller = new AbortController()
  const leaving = new AbortController()
  let interruption: Exit | undefined
  let ask: Ask | undefined
  const [out, err] = [new OutputWriter(1), new OutputWriter(2)]
  let isPaging = false
  for (const [name, exit] of Object.entries(signalExits)) {
    process.on(name, () => {
      // Ctrl-C is for the pager: less ends a search with it.
      if (isPaging && name === 'SIGINT') return
      // The second signal ends the process at once.
      if (interruption) {
        interruption = exit
        leaving.abort()
        process.exit(exits[exit].code)
      }
      interruption = exit
      // The cursor is in the middle of a line, after a question or the echoed ^C.
      if (err.isTerminal && !err.live && !out.live) void err.write('\n')
      controller.abort()
    })
  }
  endByHangUp([1, 2], () => interruption === 'hungUp')
  // With this listener a write beyond the limit on file sizes fails with an error instead of killing the process.
  if (platform !== 'win32') process.on('SIGXFSZ', () => undefined)
  return {
    env,
    home: homedir(),
    platform,
    // Node opens stdin on first access, and most commands never need it.
    get stdin() {
      return process.stdin
    },
    stdout: out,
    stderr: err,
    secrets: maskedStreams(out, err, env),
    get ask() {
      const {stdin, stderr} = process
      ask ??= terminalAsk({stdin, stderr, signal: controller.signal, wrap}, env)
      return ask
    },
    now: () => new Date(),
    elapsed: monotonicMs,
    random: Math.random,
    sleep,
    every,
    endAfter,
    signal: controller.signal,
    leaving: leaving.signal,
    interruption: () => interruption,
    run: async (command, ms = 60_000) => {
      const {runProgram} = await import('./program.js')
      return runProgram(command, {ms, env: withoutSecrets(env), signal: controller.signal, platform})
    },
    pager: async (line) => {
      const {startPager} = await import('../../terminal/pager.js')
      const place = {env: withoutSecrets(env), signal: controller.signal}
      const pager = await startPager(line, place)
      if (!pager) return undefined
      isPaging = true
      const close = async () => {
        const failed = await pager.close()
        isPaging = false
        return failed
      }
      return {output: pager.output, close}
    },
    sandbox,
  }
}

/**
 * The secrets that both streams mask from now on: there is one registry for each pair, so that no session has its own. In a CI job no
 * text of theirs is a command of the runner.
 */
export function maskedStreams(stdout: OutputWriter, stderr: OutputWriter, {CI, TF_BUILD}: Environment): Secrets {
  const secrets = new Secrets()
  stdout.masks.push((text) => secrets.maskResult(text))
  stderr.masks.push((text) => secrets.mask(text))
  // Azure Pipelines sets no CI.
  if (isOn(CI) || isOn(TF_BUILD)) for (const output of [stdout, stderr]) output.guard = withoutCiCommands
  return secrets
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const {setTimeout: delay} = await import('node:timers/promises')
  await delay(ms, undefined, {signal}).catch(() => undefined)
}

function every(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms).unref()
  return () => clearInterval(timer)
}

/** The environment for child programs, without our tokens. */
function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^ROOMCTL_\w*(TOKEN|PASSWORD)$/iu.test(name)))
}

/** The minimum that `endAfter` leaves, in milliseconds: enough for data of this machine. */
const momentMs = 400

function endAfter(ms: number): void {
  setTimeout(() => process.exit(0), Math.max(momentMs, ms - performance.now())).unref()
}

/** A copy with some members replaced. Getters (stdin, ask, api) are copied without being called. */
export function overlay<Whole extends object>(whole: Whole, members: Partial<Whole>): Whole {
  const [all, own] = [whole, members].map((source) => Object.getOwnPropertyDescriptors(source))
  return Object.defineProperties({}, {...all, ...own}) as Whole
}

/** Passed by run.ts to the command, through oclif. */
export interface CommandContext {
  readonly runtime: Runtime
  readonly outcome: CommandOutcome
}

/** A symbol: oclif copies it with its options, and nothing prints or serialises it. */
const context = Symbol('commandContext')

export function withCommandContext<Given extends Options>(options: Given, own: CommandContext): Given {
  return {...options, [context]: own}
}

export function commandContextOf(config: Config): CommandContext {
  // oclif keeps unknown options, but does not type them.
  const own = (config.options as Options & {[context]?: CommandContext})[context]
  if (!own) throw new Error('the command was not started by run.ts')
  return own
}

/** Formats for programs: with them a failure is one JSON object on stderr. */
const machineFormats = new Set(['json', 'ndjson', 'yaml', 'csv', 'tsv'])

export function isMachineFormat(format: string): boolean {
  return machineFormats.has(format)
}

export interface OutputMode {
  /** Whether stderr carries the failure as one JSON object (docs/output.md). */
  readonly machine: boolean
  readonly style: Style
  /** For a screen reader: a position is described in words instead of marked. */
  readonly plain: boolean
  readonly debug: boolean
  /** How people are shown the times in sentences. */
  readonly time?: ((value: unknown) => string) | undefined
  /** The command that runs: `room list`. */
  readonly command?: string
  /** The profile, if the command line named it: advice must repeat it. */
  readonly profile?: string | undefined
  /** The token of a service in the environment, which wins over a stored one. */
  readonly isInEnvironment?: (service: Service, what: 'token' | 'url') => boolean
}

/**
 * The messages of a command besides its result, and its exit code. Texts are made safe here and masked on output
 * (`session.ts`).
 */
export class CommandOutcome {
  readonly #stderr: OutputWriter
  #mode: OutputMode
  /** Messages under a machine format, which wait for the end of the command: a failure includes them (docs/output.md). */
  readonly held: string[] = []
  readonly #warned = new Set<string>()
  /** The exit code of a command that succeeded but not with 0: a partial failure, a failed check. */
  exitCode = 0
  /** Whether a request was sent that may have changed something. */
  hasChanged = false

  /** `mode`: as far as argv shows it. */
  constructor(stderr: OutputWriter, mode: OutputMode) {
    this.#stderr = stderr
    this.#mode = mode
  }

  get mode(): OutputMode {
    return this.#mode
  }

  settle(known: Partial<OutputMode>): void {
    this.#mode = {...this.#mode, ...known}
  }

  readonly endWith = (exit: Exit): void => {
    this.exitCode = exits[exit].code
  }

  /** A warning or hint on stderr. Under a machine format it waits for the end, except with --debug. */
  readonly warn = (text: string): void => {
    const {machine, debug} = this.#mode
    if (machine && !debug) this.held.push(stripVTControlCharacters(safeLines(text)))
    else this.progress(text)
  }

  /** Writes a warning once, however many changes of a run cause it. */
  readonly warnOnce = (text: string): void => {
    if (!this.#warned.has(text)) this.warn(text)
    this.#warned.add(text)
  }

  /** A line on stderr at once, after the waiting ones. */
  readonly progress = (text: string): void => {
    void this.#write([...this.held.splice(0), safeLines(withTimes(text, this.#mode.time))])
  }

  async release(): Promise<void> {
    if (this.held.length > 0) await this.#write(this.held.splice(0))
  }

  #write(lines: readonly string[]): Promise<unknown> {
    return this.#stderr.write(lines.map((line) => `${line}\n`).join(''))
  }
}
