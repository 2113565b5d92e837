import {execFile} from 'node:child_process'
import {homedir} from 'node:os'
import {setTimeout as delay} from 'node:timers/promises'
import {promisify} from 'node:util'
import type {Service} from '../contract/operation.js'
import type {Transport} from '../http/transport.js'
import {type Ask, terminalAsk} from '../terminal/ask.js'
import {Output} from '../terminal/output.js'

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
  readonly stdout: Output
  readonly stderr: Output
  readonly ask: Ask
  readonly now: () => Date
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
  /** Runs a program without a shell and gives back its stdout: token commands. */
  readonly run: (command: readonly string[]) => Promise<string>
  /** Opens the embedded sandbox; loaded only when a command uses it. */
  readonly sandbox: (dataFolder: string) => Promise<EmbeddedServices>
}

/** The runtime of the real process. `interrupt` tells which signal ended the command, if one did. */
export function processRuntime(sandbox: Runtime['sandbox']): {
  runtime: Runtime
  interruptedBy: () => NodeJS.Signals | undefined
} {
  const {env, platform, stdin, stdout, stderr} = process
  const controller = new AbortController()
  let signal: NodeJS.Signals | undefined
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // The second one ends at once: whatever is waited for has had its chance.
      if (signal) process.exit(signalExit[name])
      signal = name
      controller.abort()
    })
  }
  const runtime: Runtime = {
    env,
    home: homedir(),
    platform,
    stdin,
    stdout: new Output(stdout),
    stderr: new Output(stderr),
    ask: terminalAsk({stdin, stderr}, env),
    now: () => new Date(),
    random: Math.random,
    sleep: (ms, until) => delay(ms, undefined, {signal: until}).catch(() => undefined),
    signal: controller.signal,
    run: runProgram,
    sandbox,
  }
  return {runtime, interruptedBy: () => signal}
}

/** Exit codes of the signals: 128 and the signal's number. */
export const signalExit = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const

async function runProgram([file = '', ...args]: readonly string[]): Promise<string> {
  const {stdout} = await promisify(execFile)(file, args, {timeout: 60_000, maxBuffer: 1024 * 1024, windowsHide: true})
  return stdout
}
