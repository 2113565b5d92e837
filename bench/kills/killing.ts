import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {container, type KillService, type ServiceOptions} from './services.js'
import {Traffic} from './traffic.js'

export interface KillOptions {
  readonly kills: number
  readonly file: string
  readonly bytes: number
  /** sha256 of the file, in hex. */
  readonly sha256: string
  readonly head: boolean
  readonly open: (options: ServiceOptions) => Promise<KillService>
  /** The script of the tool. */
  readonly roomctl: string
  /** A folder of our own. */
  readonly folder: string
  /** The cache folder of the program: that of its compiled code outlives an upload, and its kills. */
  readonly cache: string
  /** Further words of the command line. */
  readonly flags: readonly string[]
  /** From 0 up to 1. */
  readonly random: () => number
}

/** What came of the kills; sizes are bytes. */
export interface KillReport {
  readonly kills: number
  /** Kills after the first byte had arrived and before the last one had. */
  readonly amid: number
  /** Kills that came when the ledger already told that the upload was done; not among the others. */
  readonly late: number
  readonly uploads: number
  /** Uploads whose bytes at the service are not those of the file. */
  readonly unequal: number
  readonly creates: number
  readonly largestChunk: number
  /** The most that was sent again after one kill. */
  readonly mostAgain: number
  readonly totalAgain: number
}

/**
 * Uploads a file with the real program and kills it (SIGKILL) at a random moment, starts it again until the upload is done,
 * compares what the service holds, and goes on with another upload until there were so many kills. Half of the moments are
 * times since the start, half are numbers of bytes that the service was sent. Raises an Error where the program itself fails.
 */
export async function killUploads(options: KillOptions): Promise<KillReport> {
  const report = {
    kills: 0,
    amid: 0,
    late: 0,
    uploads: 0,
    unequal: 0,
    creates: 0,
    largestChunk: 0,
    mostAgain: 0,
    totalAgain: 0,
  }
  let scaleMs: number | undefined
  while (report.kills < options.kills) {
    const traffic = new Traffic()
    // The first one is left alone, and tells how long an upload takes.
    const most = scaleMs === undefined ? 0 : options.kills - report.kills
    const {uuid, equal, kills, amid, late, lastMs} = await uploadOnce(options, traffic, {most, scaleMs: scaleMs ?? 0})
    scaleMs ??= lastMs
    if (!equal) console.error(`the bytes of ${uuid} are not those of the file: ${traffic.history.join(', ')}`)
    const mostAgain = Math.max(...traffic.again)
    if (mostAgain > traffic.largestChunk) console.error(`sent again: ${traffic.history.join(', ')}`)
    report.kills += kills
    report.amid += amid
    report.late += late
    report.uploads += 1
    report.unequal += equal ? 0 : 1
    report.creates += traffic.creates
    report.largestChunk = Math.max(report.largestChunk, traffic.largestChunk)
    report.mostAgain = Math.max(report.mostAgain, mostAgain)
    report.totalAgain += traffic.again.reduce((sum, bytes) => sum + bytes, 0)
  }
  return report
}

/** What came of two processes at once. */
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
 * service, once. As often as kills are wanted. Raises an Error where the program itself fails.
 */
export async function killOneOfTwo(options: KillOptions): Promise<PairReport> {
  const report = {kills: 0, rounds: 0, unequal: 0, notOnce: 0}
  let scaleMs = 1000
  for (; report.rounds < options.kills; report.rounds += 1) {
    const traffic = new Traffic()
    const {killed, equal, count, ms} = await withService(options, traffic, async (scene) => {
      const when = moment(options, scaleMs, traffic)
      const [first, second] = await Promise.all([runUntil(options, scene, when), runUntil(options, scene, undefined)])
      const equal = (await scene.service.sha256Of(uuidIn(second, 1))) === options.sha256
      return {
        killed: first.killed,
        equal,
        count: await scene.service.listed(path.basename(options.file)),
        ms: second.ms,
      }
    })
    scaleMs = ms
    if (!equal || count !== 1) console.error(`listed ${count} times: ${traffic.history.join(', ')}`)
    report.kills += killed ? 1 : 0
    report.unequal += equal ? 0 : 1
    report.notOnce += count === 1 ? 0 : 1
  }
  return report
}

interface Limits {
  /** Kills at most. */
  readonly most: number
  /** The time that the program takes from its start to its end, unharmed. */
  readonly scaleMs: number
}

/** One upload to a service of its own. */
async function uploadOnce(options: KillOptions, traffic: Traffic, limits: Limits) {
  return withService(options, traffic, async (scene) => {
    const {uuid, ...counts} = await killUntilDone(options, scene, limits)
    return {...counts, uuid, equal: (await scene.service.sha256Of(uuid)) === options.sha256}
  })
}

/** Does `work` with a new service, and a new folder for the program. */
async function withService<T>(options: KillOptions, traffic: Traffic, work: (scene: Scene) => Promise<T>): Promise<T> {
  const folder = path.join(options.folder, 'one')
  for (const name of ['service', 'state', 'home']) mkdirSync(path.join(folder, name), {recursive: true})
  const service = await options.open({...options, folder: path.join(folder, 'service'), traffic})
  try {
    return await work({folder, service, traffic})
  } finally {
    await service.close()
    rmSync(folder, {recursive: true})
  }
}

/** Runs the program until the upload is done. */
async function killUntilDone(options: KillOptions, scene: Scene, {most, scaleMs}: Limits) {
  const {folder, traffic} = scene
  const counts = {kills: 0, amid: 0}
  for (;;) {
    const when = counts.kills < most ? moment(options, scaleMs, traffic) : undefined
    const ended = await runUntil(options, scene, when)
    const uuid = ended.killed ? uuidInLedger(path.join(folder, 'state')) : uuidIn(ended, counts.kills)
    if (uuid !== undefined) return {...counts, uuid, late: ended.killed ? 1 : 0, lastMs: ended.ms}
    counts.kills += 1
    counts.amid += isAmid(traffic, options) ? 1 : 0
    traffic.history.push(`killed at ${traffic.at}`)
  }
}

function isAmid({at}: Traffic, {bytes}: KillOptions): boolean {
  return at > 0 && at < bytes
}

/** When to kill: so many milliseconds after the start, or once the service was sent so many bytes in all. */
type Moment = {readonly ms: number} | {readonly bytes: number}

function moment({bytes, random}: KillOptions, scaleMs: number, {at, received}: Traffic): Moment {
  return random() < 0.5 ? {ms: random() * scaleMs} : {bytes: received + 1 + random() * (bytes - at)}
}

interface Ended {
  readonly killed: boolean
  /** From the start to the end. */
  readonly ms: number
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What the processes of one upload share. */
interface Scene {
  readonly folder: string
  readonly service: KillService
  readonly traffic: Traffic
}

async function runUntil(options: KillOptions, scene: Scene, when: Moment | undefined): Promise<Ended> {
  const {folder, service, traffic} = scene
  const {PATH = ''} = process.env
  const below = (name: string) => path.join(folder, name)
  const words = ['asset', 'upload', container, options.file, ...'--platform ios --description kills -o json'.split(' ')]
  const child = spawn(process.execPath, [options.roomctl, ...words, '--state-dir', below('state'), ...options.flags], {
    env: {PATH, HOME: below('home'), ROOMCTL_CACHE_DIR: options.cache, CI: '1', ...service.env},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  traffic.begin()
  const begun = performance.now()
  let killed = false
  const due = () => when && ('ms' in when ? performance.now() - begun >= when.ms : traffic.received >= when.bytes)
  const timer = setInterval(() => {
    if (due()) killed = child.kill('SIGKILL') || killed
  }, 1)
  const [exit, signal] = await once(child, 'exit')
  clearInterval(timer)
  const ms = performance.now() - begun
  const [stdout, stderr] = await output
  return {killed: killed && signal === 'SIGKILL', ms, exit, stdout, stderr}
}

/** What the program printed. Raises an Error where it failed. */
function uuidIn({exit, stdout, stderr}: Ended, kills: number): string {
  if (exit !== 0) throw new Error(`the upload ended with ${exit} after ${kills} kills: ${stderr}`)
  const [row] = JSON.parse(stdout) as {uuid: string}[]
  if (!row) throw new Error(`the upload printed no row: ${stdout}`)
  return row.uuid
}

/** What the ledger says of an upload that is done: the program was killed before it could print it. */
function uuidInLedger(state: string): string | undefined {
  const file = path.join(state, 'uploads.jsonl')
  if (!existsSync(file)) return undefined
  const done = readFileSync(file, 'utf8').matchAll(/(?:"kind":"done",.*|"done":\{)"uuid":"([^"]+)"/g)
  return [...done].at(-1)?.[1]
}
