import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, rmSync} from 'node:fs'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {container, type KillService, openService, type ServiceKind} from './services.js'
import {compare, resourcesOf} from './stored.js'
import {Traffic} from './traffic.js'

export interface KillOptions extends ServiceKind {
  /** Uploads that are killed. */
  readonly rounds: number
  /** How often each of them is killed, at most. */
  readonly killsEach: number
  /** The sha256, in hex, of each file by its path. */
  readonly files: ReadonlyMap<string, string>
  /** Bytes of all files. */
  readonly bytes: number
  /** The script of the tool. */
  readonly roomctl: string
  /** A folder of our own. */
  readonly folder: string
  /** The cache folder of the program: compiled code outlives an upload, and its kills. */
  readonly cache: string
  /** Further words of the command line. */
  readonly flags: readonly string[]
  /** From 0 up to 1. */
  readonly random: () => number
}

/** The results of the kills; sizes are bytes. */
export interface KillReport {
  readonly kills: number
  /** Kills after the first byte had arrived and before the last one had. */
  readonly amid: number
  /** Uploads whose last run, which was not killed, ended with another exit than 0. */
  readonly failed: number
  /** Files that the services do not hold, hold twice, and hold with other bytes. */
  readonly missing: number
  readonly doubled: number
  readonly unequal: number
  /** Uploads that sent more again than a kill may cost (mostAllowed). */
  readonly over: number
  readonly largestChunk: number
  /** The most that was sent again of one file after one kill. */
  readonly mostAgain: number
}

/**
 * Uploads files with the real program and kills it (SIGKILL), runs the same command again until one run was not killed, and compares
 * what the service holds. The moments are by turns aimed and random (momentOf).
 */
export async function killUploads(options: KillOptions): Promise<KillReport> {
  const report = {
    kills: 0,
    amid: 0,
    failed: 0,
    missing: 0,
    doubled: 0,
    unequal: 0,
    over: 0,
    largestChunk: 0,
    mostAgain: 0,
  }
  // The first one is left alone, and shows how long an upload takes.
  let scaleMs: number | undefined
  for (let round = 0; round <= options.rounds; round += 1) {
    const traffic = new Traffic()
    const {last, stored, kills, amid} = await withService(options, traffic, async (scene) => {
      const runs = await runUntilUnharmed(options, scene, round, scaleMs)
      return {...runs, stored: await storedIn(options, scene)}
    })
    scaleMs ??= last.ms
    const {missing, doubled, unequal} = stored
    const isWrong = last.exit !== 0 || missing.length + doubled.length + unequal.length > 0
    const isOver = traffic.mostAgain > mostAllowed(options, traffic)
    if (isWrong || isOver) console.error(accountOf(traffic, {last, stored}))
    report.kills += kills
    report.amid += amid
    report.failed += last.exit === 0 ? 0 : 1
    report.missing += missing.length
    report.doubled += doubled.length
    report.unequal += unequal.length
    report.over += isOver ? 1 : 0
    report.largestChunk = Math.max(report.largestChunk, traffic.largestChunk)
    report.mostAgain = Math.max(report.mostAgain, traffic.mostAgain)
  }
  return report
}

/**
 * One chunk of a file. If pieces of chunks are kept, and neither HEAD nor a dataUrl shows how much of them, the service refuses the
 * next one: the upload starts over, after a chunk was sent in vain.
 */
function mostAllowed({head, cut, shows, bytes}: KillOptions, {largestChunk}: Traffic): number {
  return !head && cut === 'kept' && shows !== 'dataUrl' ? bytes + largestChunk : largestChunk
}

/** Runs the program until a run was not killed. */
async function runUntilUnharmed(options: KillOptions, scene: Scene, round: number, scaleMs: number | undefined) {
  const {traffic} = scene
  const counts = {kills: 0, amid: 0}
  for (;;) {
    const isKilled = scaleMs !== undefined && counts.kills < options.killsEach
    const when = isKilled ? momentOf(options, scene, round + counts.kills, scaleMs) : undefined
    const last = await runUntil(options, scene, when)
    if (!last.killed) return {...counts, last}
    counts.kills += 1
    counts.amid += traffic.known > 0 && traffic.known < options.bytes ? 1 : 0
  }
}

/** One line on the kills, and the output of the last run. */
function accountOf(traffic: Traffic, {last, stored}: {last: Ended; stored: object}): string {
  const events = traffic.history.slice(0, 200).join(', ')
  return `${events}; sent again: ${traffic.mostAgain}; ${JSON.stringify(stored)}; exit ${last.exit}: ${last.stderr}`
}

export async function storedIn({files}: KillOptions, {service}: Scene) {
  const sums = new Map([...files].map(([file, sha256]) => [path.basename(file), sha256]))
  return compare(sums, await resourcesOf(service), service)
}

/** The results of two processes at once. */
export interface PairReport {
  /** Rounds in which the kill came before the process had ended. */
  readonly kills: number
  readonly rounds: number
  readonly unequal: number
  /** Rounds after which the container lists the file another number of times than once. */
  readonly notOnce: number
}

/**
 * Uploads a file by two processes at once over one ledger, and kills one of them at a random moment: the other must bring it to the
 * service, once. Throws an Error if that one fails.
 */
export async function killOneOfTwo(options: KillOptions): Promise<PairReport> {
  const report = {kills: 0, rounds: 0, unequal: 0, notOnce: 0}
  let scaleMs = 1000
  for (; report.rounds < options.rounds; report.rounds += 1) {
    const traffic = new Traffic()
    const {first, second, stored} = await withService(options, traffic, async (scene) => {
      const when = randomMoment(options, scene, scaleMs)
      const [first, second] = await Promise.all([runUntil(options, scene, when), runUntil(options, scene, undefined)])
      return {first, second, stored: await storedIn(options, scene)}
    })
    const {exit, stderr} = second
    if (exit !== 0) throw new Error(`the upload beside the killed one ended with ${exit}: ${stderr}`)
    scaleMs = second.ms
    const isOnce = stored.missing.length + stored.doubled.length === 0
    if (stored.unequal.length > 0 || !isOnce) console.error(accountOf(traffic, {last: second, stored}))
    report.kills += first.killed ? 1 : 0
    report.unequal += stored.unequal.length
    report.notOnce += isOnce ? 0 : 1
  }
  return report
}

/** Does `work` with a new service, and a new folder for the program. */
export async function withService<T>(
  options: KillOptions,
  traffic: Traffic,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const folder = path.join(options.folder, 'one')
  for (const name of ['service', 'state', 'home']) mkdirSync(path.join(folder, name), {recursive: true})
  const service = await openService({...options, folder: path.join(folder, 'service'), traffic})
  try {
    return await work({folder, service, traffic})
  } finally {
    await service.close()
    rmSync(folder, {recursive: true})
  }
}

/** When to kill: milliseconds after the start, or once uploads were created or bytes had arrived, counted from the first run on. */
type Moment = {readonly ms: number} | {readonly creates: number} | {readonly bytes: number}

/** Aimed in every second round: at a creation before its answer, the first byte, the middle, and the last byte before its answer. */
function momentOf(options: KillOptions, scene: Scene, round: number, scaleMs: number): Moment {
  if (round % 2 === 0) return randomMoment(options, scene, scaleMs)
  const {received, creates, known} = scene.traffic
  const left = options.bytes - known
  const aims = [
    {creates: creates + Math.ceil(options.files.size / 2)},
    {bytes: received + 1},
    {bytes: received + left / 2},
    {bytes: received + left},
  ]
  return aims[((round - 1) / 2) % aims.length] ?? {ms: 0}
}

/** Half of the random moments are times since the start, half are numbers of bytes that the service was sent. */
function randomMoment({bytes, random}: KillOptions, {traffic: {known, received}}: Scene, scaleMs: number): Moment {
  return random() < 0.5 ? {ms: random() * scaleMs} : {bytes: received + 1 + random() * (bytes - known)}
}

interface Ended {
  readonly killed: boolean
  /** From the start to the end. */
  readonly ms: number
  readonly exit: number | null
  readonly stderr: string
}

interface Scene {
  readonly folder: string
  readonly service: KillService
  readonly traffic: Traffic
}

export async function runUntil(options: KillOptions, scene: Scene, when: Moment | undefined): Promise<Ended> {
  const {folder, service, traffic} = scene
  const {PATH = ''} = process.env
  const below = (name: string) => path.join(folder, name)
  const words = ['asset', 'upload', container, ...options.files.keys()]
  const more = ['--platform', 'ios', '--description', 'kills', '-o', 'json', '--state-dir', below('state')]
  const child = spawn(process.execPath, [options.roomctl, ...words, ...more, ...options.flags], {
    env: {PATH, HOME: below('home'), ROOMCTL_CACHE_DIR: options.cache, CI: '1', ...service.env},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = text(child.stderr)
  traffic.begin()
  const begun = performance.now()
  let killed = false
  const kill = () => {
    if (!killed) traffic.history.push('killed')
    killed = child.kill('SIGKILL') || killed
  }
  const timer = when && 'ms' in when ? setTimeout(kill, when.ms) : undefined
  if (when && !('ms' in when))
    traffic.onChange = () => {
      if ('creates' in when ? traffic.creates >= when.creates : traffic.received >= when.bytes) kill()
    }
  const [exit, signal] = await once(child, 'exit')
  clearTimeout(timer)
  if (when) traffic.onChange = () => {}
  return {killed: killed && signal === 'SIGKILL', ms: performance.now() - begun, exit, stderr: await output}
}
