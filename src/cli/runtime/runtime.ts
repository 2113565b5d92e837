import {homedir} from 'node:os'
import type {Config} from '@oclif/core/config'
import type {Options} from '@oclif/core/interfaces'
import {type Exit, exits} from '../../api/contract/failure.js'
import type {Service} from '../../api/contract/operation.js'
import type {Transport} from '../../api/http/wire/transport.js'
import {type Ask, terminalAsk} from '../../terminal/ask.js'
import type {Pager} from '../../terminal/output.js'
import {endByHangUp, OutputWriter} from '../../terminal/output.js'
import {Interrupted} from '../../terminal/questions.js'
import type {CommandOutcome} from './outcome.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** The services inside the tool, behind `-p sandbox`. */
export interface EmbeddedServices {
  readonly transport: Transport
  readonly addresses: Readonly<Record<Service, string>>
  readonly token: string
}

/**
 * The world of one command, as one record. Tests pass their own; everything that reads the process is here
 * and in the terminal folder.
 */
export interface Runtime {
  readonly env: Environment
  readonly home: string
  readonly platform: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  readonly ask: Ask
  readonly now: () => Date
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Calls again and again, every given number of milliseconds, until the function it gives back is called. Keeps no process alive. */
  readonly every: (ms: number, call: () => void) => () => void
  /**
   * Ends the process with 0 once it has run for that many milliseconds, its start included, whatever is under way then; a start that
   * took nearly all of them leaves it a moment. Gives back how many are left.
   */
  readonly endAfter: (ms: number) => number
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal
  /** Aborted by the second of them, right before the process ends: what listens has no time but its own turn. */
  readonly leaving: AbortSignal
  /** How a command ends that was aborted; undefined where it was not. */
  readonly interruption: () => Exit | undefined
  /** Runs a program without a shell, for `ms` at most, and gives back its stdout: token commands. Raises Interrupted. */
  readonly run: (command: readonly string[], ms?: number) => Promise<string>
  /**
   * Starts a program that shows long output, without `command` the one that is there; undefined where there is none, or it cannot be
   * started. `hasHeading`: the first line is the heading of a table.
   */
  readonly pager: (command: string | undefined, hasHeading: boolean) => Promise<Pager | undefined>
  /** The file of the thread that computes digests beside an upload. */
  readonly digestThread: string
  /** Opens the embedded sandbox; loaded only when a command uses it. */
  readonly sandbox: (dataFolder: string) => Promise<EmbeddedServices>
}

/** The exits that the signals stand for. */
const signalExits = {SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'hungUp'} as const

/** The runtime of the real process. */
export function processRuntime({sandbox, digestThread}: Pick<Runtime, 'sandbox' | 'digestThread'>): Runtime {
  const {env, platform} = process
  const controller = new AbortController()
  const leaving = new AbortController()
  let interruption: Exit | undefined
  let ask: Ask | undefined
  const [out, err] = [new OutputWriter(1), new OutputWriter(2)]
  let isPaging = false
  for (const [name, exit] of Object.entries(signalExits)) {
    process.on(name, () => {
      // The keys are the pager's: less takes Ctrl-C for the end of a search.
      if (isPaging && name === 'SIGINT') return
      // The second one ends at once: whatever is waited for has had its chance.
      if (interruption) {
        leaving.abort()
        process.exit(exits[exit].code)
      }
      interruption = exit
      // The terminal stands amid a line: behind a question, or behind the ^C that it echoes.
      if (err.isTerminal && !err.above && !out.above) void err.write('\n')
      controller.abort()
    })
  }
  endByHangUp([1, 2], () => interruption === 'hungUp')
  // Under a limit on file sizes the write itself then fails and is told, instead of the process being ended by the signal.
  if (platform !== 'win32') process.on('SIGXFSZ', () => undefined)
  return {
    env,
    home: homedir(),
    platform,
    // Node opens stdin when it is first touched, which most commands never need.
    get stdin() {
      return process.stdin
    },
    stdout: out,
    stderr: err,
    get ask() {
      ask ??= terminalAsk({stdin: process.stdin, stderr: process.stderr, signal: controller.signal}, env)
      return ask
    },
    now: () => new Date(),
    random: Math.random,
    sleep,
    every,
    endAfter,
    signal: controller.signal,
    leaving: leaving.signal,
    interruption: () => interruption,
    run: (command, ms = 60_000) => runProgram(command, {ms, env: withoutSecrets(env), signal: controller.signal}),
    pager: async (given, hasHeading) => {
      const ownEnv = withoutSecrets(env)
      const {keepsHeading, openPager, repeatHeading, usualPager} = await import('../../terminal/output.js')
      const command = given ?? usualPager(ownEnv, hasHeading)
      const pager = command === undefined ? undefined : await openPager(command, ownEnv, controller.signal)
      if (!pager) return undefined
      if (hasHeading && !command?.includes(keepsHeading)) pager.output.filter = repeatHeading(out.rows ?? 24)
      isPaging = true
      const close = async () => {
        await pager.close()
        isPaging = false
      }
      return {output: pager.output, close}
    },
    digestThread,
    sandbox,
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const {setTimeout: delay} = await import('node:timers/promises')
  await delay(ms, undefined, {signal}).catch(() => undefined)
}

function every(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms).unref()
  return () => clearInterval(timer)
}

/** The environment for programs that this one starts: they have no use for its tokens. */
function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^ROOMCTL_\w*(TOKEN|PASSWORD)$/iu.test(name)))
}

/** The least that a process is left by `endAfter`, in milliseconds: enough for what lies ready on this machine. */
const momentMs = 400

function endAfter(ms: number): number {
  const left = Math.max(momentMs, Math.floor(ms - performance.now()))
  setTimeout(() => process.exit(0), left).unref()
  return left
}

interface Limits {
  readonly ms: number
  readonly env: Environment
  readonly signal: AbortSignal
}

async function runProgram([file = '', ...args]: readonly string[], {ms, env, signal}: Limits): Promise<string> {
  const [{execFile}, {promisify}] = await Promise.all([import('node:child_process'), import('node:util')])
  // One that ignores a milder signal would keep this process.
  const limits = {timeout: ms, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024, windowsHide: true} as const
  const {stdout} = await promisify(execFile)(file, args, {...limits, env, signal}).catch((error) => {
    throw signal.aborted ? new Interrupted() : error
  })
  return stdout
}

/** The same with some members replaced. What opens something when it is first looked at (stdin, ask, api) stays unopened. */
export function withMembers<Whole extends object>(whole: Whole, members: Partial<Whole>): Whole {
  const [all, own] = [whole, members].map((one) => Object.getOwnPropertyDescriptors(one))
  return Object.defineProperties({}, {...all, ...own}) as Whole
}

/** What run.ts hands to the command through oclif: the world, and the way out of it. */
export interface CommandContext {
  readonly runtime: Runtime
  readonly outcome: CommandOutcome
}

/** A symbol, so that oclif copies it with its options yet nothing ever prints or serialises it. */
const context = Symbol('commandContext')

/** oclif's options with the context of the command among them. */
export function withCommandContext<Given extends Options>(options: Given, own: CommandContext): Given {
  return {...options, [context]: own}
}

/** The context of the command that oclif made with this config. */
export function commandContextOf(config: Config): CommandContext {
  // oclif keeps the options it was given, unknown members included, but its type names only its own.
  const own = (config.options as Options & {[context]?: CommandContext})[context]
  if (!own) throw new Error('the command was not started by run.ts')
  return own
}

/** Formats whose readers are programs: under them a failure is one JSON object on stderr. */
const machineFormats = new Set(['json', 'ndjson', 'yaml', 'csv', 'tsv'])

export function isMachineFormat(format: string): boolean {
  return machineFormats.has(format)
}

/** What argv alone says about the format: a command that cannot be parsed must fail in the form that was asked for. */
export function requestsMachineFormat(argv: readonly string[], env: Environment): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  if (own.includes('--json')) return true
  const given = own.flatMap((word, at) => {
    if (word === '-o' || word === '--output') return [own[at + 1] ?? '']
    return /^(?:--output=|-o=?)(.+)$/.exec(word)?.[1] ?? []
  })
  const isQuery = own.some((word) => /^--query(?:=|$)/.test(word))
  return isMachineFormat(given.at(-1) ?? env.ROOMCTL_OUTPUT ?? (isQuery ? 'json' : 'table'))
}
