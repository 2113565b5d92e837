import path from 'node:path'
import {PassThrough, Readable, Writable} from 'node:stream'
import {setImmediate as nextTurn} from 'node:timers/promises'
import type {Command} from '@oclif/core/command'
import {memoryStore} from '../../scripts/memoryStore.js'
import {splitManifest} from '../../scripts/splitManifest.js'
import type {Transport, WireRequest} from '../../src/api/http/wire/transport.js'
import {run} from '../../src/cli/app/run.js'
import {maskedStreams, type Runtime} from '../../src/cli/runtime/runtime.js'
import {seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import type {World} from '../../src/sandbox/world/world.js'
import type {Ask} from '../../src/terminal/ask.js'
import {OutputWriter} from '../../src/terminal/output.js'
import {Cancelled, type Choice} from '../../src/terminal/questions.js'
import {builtManifest} from './builtManifest.js'
import {heedFields} from './fields.js'
import {filesOf} from './files.js'
import {freshFolder} from './folder.js'
import {pjson, root} from './repository.js'

/** The time at which every test happens. */
export const noon = new Date('2026-12-01T12:00:00Z')

/** A sent request; `body` is parsed if it is JSON. */
export interface Sent {
  readonly method: string
  /** Path and query, below the address `http://sandbox.localhost`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The output for a person, or a script. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
  /** The questions that were asked, in their order. */
  readonly asked: readonly string[]
  readonly sent: readonly Sent[]
}

export interface Circumstances {
  /** The sandbox behind `-p sandbox`; one with the demonstration rooms otherwise. */
  readonly store?: WorldStore
  /** Answers in place of the sandbox: a service that misbehaves. */
  readonly transport?: Transport
  readonly env?: Readonly<Record<string, string>>
  /** The input piped into stdin; default: none. */
  readonly stdin?: string | Uint8Array
  /** The width of the terminal that stdout and stderr are; they are pipes otherwise. */
  readonly columns?: number
  /** The height of that terminal; it does not tell otherwise. */
  readonly rows?: number
  /** Answers to the questions, in their order; with them a user can be asked. */
  readonly answers?: readonly unknown[]
  /** The home folder; a fresh one otherwise. */
  readonly home?: string
  readonly signal?: AbortSignal
  /** Aborted by the second signal. */
  readonly leaving?: AbortSignal
  /** When the command starts; noon otherwise. */
  readonly startsAt?: Date
  /** What happens while the command waits N milliseconds, which then pass, and as many more as it returns; otherwise it is noon. */
  readonly onWait?: (ms: number) => Promise<unknown>
  /** By how many milliseconds the clock has been set since the start; it never is otherwise. */
  readonly setMs?: () => number
  /** The clock that is never set; the time that was waited otherwise. */
  readonly elapsed?: () => number
  readonly run?: Runtime['run']
  /** A recurring event; default: none. */
  readonly every?: Runtime['every']
  readonly pager?: Runtime['pager']
  /** Node's name for the system; `linux` otherwise. */
  readonly platform?: string
}

/** The answer of a user who presses Esc. */
export const esc = Symbol('Esc')

/** A fresh home folder, gone after the tests of the file. */
export const freshHome = freshFolder

/** A sandbox with the demonstration rooms, as they are at noon. */
export async function demoStore(): Promise<WorldStore> {
  demoWorld ??= seededWorld()
  return memoryStore(await demoWorld)
}

/** Made once for all tests, and frozen: a store changes a copy. */
let demoWorld: Promise<World> | undefined

async function seededWorld(): Promise<World> {
  const store = memoryStore()
  await seedSandbox(store, noon)
  return store.read((world) => JSON.parse(JSON.stringify(world), (_, member) => Object.freeze(member)))
}

/**
 * Runs a command line in this process: the real command class, the real error handler, a world of the test's own. Words are split
 * at spaces, or given one by one. A line that names no profile is about the sandbox.
 */
export async function cli(line: string | readonly string[], circumstances: Circumstances = {}): Promise<Ran> {
  const words = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : [...line]
  const env = {
    HOME: '/',
    ...(namesProfile(words, circumstances.env) ? {} : {ROOMCTL_PROFILE: 'sandbox'}),
    ...circumstances.env,
  }
  const out = new Seen(circumstances.columns, circumstances.rows)
  const err = new Seen(circumstances.columns, circumstances.rows)
  const asked: string[] = []
  const sent: Sent[] = []
  const service = circumstances.transport ?? sandboxOn(circumstances.store ?? (await demoStore()))
  const startsAt = circumstances.startsAt ?? noon
  let waitedMs = 0
  const [stdout, stderr] = [new OutputWriter(out), new OutputWriter(err)]
  const runtime: Runtime = {
    env,
    home: circumstances.home ?? freshHome(),
    platform: circumstances.platform ?? 'linux',
    stdin: stdinOf(circumstances),
    stdout,
    stderr,
    secrets: maskedStreams(stdout, stderr, env),
    ask: answering(circumstances.answers, asked, env),
    now: () => new Date(startsAt.getTime() + waitedMs + (circumstances.setMs?.() ?? 0)),
    elapsed: circumstances.elapsed ?? (() => waitedMs),
    random: seeded(),
    sleep: async (ms) => {
      // As in a real wait, timers and signals get their turn.
      if (!circumstances.onWait) return nextTurn()
      waitedMs += ms
      const more = await circumstances.onWait(ms)
      if (typeof more === 'number') waitedMs += more
    },
    every: circumstances.every ?? (() => () => undefined),
    endAfter: () => undefined,
    ...signalsOf(circumstances),
    pager: circumstances.pager ?? (async () => undefined),
    run: circumstances.run ?? (() => Promise.reject(new Error('no program may run here'))),
    sandbox: async () => ({
      transport: recording(service, sent),
      addresses: {
        room: 'http://sandbox.localhost/media',
        asset: 'http://sandbox.localhost/asset',
        push: 'http://sandbox.localhost/push',
      },
      token: 'sandbox-application-token',
    }),
  }
  const exit = await run(words, runtime, await commands())
  heedFields(
    words,
    {stdout: out.text, stderr: err.text},
    {names: await commandNames(), isForeign: !isOfSandbox(env, circumstances)},
  )
  return {stdout: out.text, stderr: err.text, exit, asked, sent}
}

function signalsOf({signal = new AbortController().signal, leaving = new AbortController().signal}: Circumstances) {
  return {signal, leaving, interruption: () => (signal.aborted ? ('interrupted' as const) : undefined)}
}

function sandboxOn(store: WorldStore): Transport {
  return createSandbox({store, now: () => noon, random: seeded(), files: filesOf(store)})
}

function namesProfile(words: readonly string[], env: Circumstances['env'] = {}): boolean {
  return words.includes('-p') || words.includes('--profile') || 'ROOMCTL_ROOM_URL' in env
}

/** Another service may answer with members of its own. */
function isOfSandbox(env: Readonly<Record<string, string>>, {transport}: Circumstances): boolean {
  if (transport) return false
  return ['sandbox', ''].includes(env.ROOMCTL_PROFILE ?? '-') && !Object.keys(env).some((name) => name.endsWith('_URL'))
}

let split: ReturnType<typeof splitManifest> | undefined

async function commands() {
  split ??= splitManifest(await builtManifest())
  const {heads, details} = split
  const readDetails = (start: number, length: number) => details.slice(start, start + length)
  return {root, pjson, heads, readDetails, loadCommand}
}

let names: ReadonlyMap<string, string> | undefined

/** The name of each command, and under its aliases, too. */
async function commandNames(): Promise<ReadonlyMap<string, string>> {
  if (names) return names
  const manifest = await builtManifest()
  const named = Object.values(manifest.commands).flatMap(({id, aliases}) =>
    [id, ...aliases].map((one) => [one.replaceAll(':', ' '), id.replaceAll(':', ' ')] as const),
  )
  names = new Map(named)
  return names
}

async function loadCommand(id: string): Promise<Command.Class> {
  const {default: command} = await import(path.join(root, `src/commands/${id.replaceAll(':', '/')}.ts`))
  return command
}

/** A stream that keeps its output. */
class Seen extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number

  constructor(columns: number | undefined, rows = 0) {
    super({decodeStrings: false})
    this.isTTY = columns !== undefined
    this.columns = columns ?? 0
    this.rows = rows
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}

/** stdin as a test gives it. Without `stdin` it is open and silent: a command that reads it unasked hangs its test. */
function stdinOf({stdin, answers}: Circumstances): NodeJS.ReadStream {
  const stream = stdin === undefined ? new PassThrough() : Readable.from([Buffer.from(stdin)])
  return Object.assign(stream, {isTTY: answers !== undefined}) as unknown as NodeJS.ReadStream
}

function answering(answers: readonly unknown[] | undefined, asked: string[], env: Runtime['env']): Ask {
  const left = [...(answers ?? [])]
  let typed: string | undefined
  const next = async (question: string) => {
    asked.push(question)
    if (left.length === 0) throw new Error(`the test has no answer to: ${question}`)
    if (asked.length > 100) throw new Error(`asked without end: ${question}`)
    const answer = left.shift()
    if (answer === esc) throw new Cancelled()
    return answer
  }
  return {
    available: answers !== undefined,
    ...(answers === undefined && env.CI ? {forbiddenBy: 'CI'} : {}),
    confirm: async (question) => (await next(question)) === true,
    // A repeated question gets the same answer.
    text: async (question) => {
      if (left.length === 0 && typed !== undefined) left.push(typed)
      typed = String(await next(question))
      return typed
    },
    secret: async (question) => String(await next(question)),
    choose: async (question, choices) => choiceNamed(choices, await next(listed(question, choices))),
    chooseSeveral: async (question, choices) => {
      const wanted = await next(listed(question, choices))
      return (Array.isArray(wanted) ? wanted : [wanted]).map((one) => choiceNamed(choices, one))
    },
  }
}

function listed(question: string, choices: readonly Choice<unknown>[]): string {
  return `${question} ${choices.map(({name}) => name).join(' | ')}`
}

function choiceNamed<T>(choices: readonly Choice<T>[], wanted: unknown): T {
  const chosen = choices.find(({value}) => value === wanted)
  if (!chosen) throw new Error(`${String(wanted)} is not among the choices`)
  return chosen.value
}

function recording(transport: Transport, sent: Sent[]): Transport {
  return (request) => {
    sent.push(sentOf(request))
    return transport(request)
  }
}

function sentOf({method, url, headers, body}: WireRequest): Sent {
  const text = typeof body === 'string' ? body : undefined
  return {method, path: `${url.pathname}${url.search}`, headers, body: text === undefined ? undefined : parsed(text)}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Numbers that look random and are the same in every run. */
function seeded(): () => number {
  let state = 42
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
