import {createHash} from 'node:crypto'
import {createReadStream, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {pipeline} from 'node:stream/promises'
import {installRoomctl} from './installed.js'
import {cutUploads} from './kills/cutting.js'
import {killable, killWrites} from './kills/files.js'
import {type KillReport, killOneOfTwo, killUploads} from './kills/killing.js'
import {seeded} from './kills/seeded.js'
import type {ServiceKind} from './kills/services.js'
import {killShards} from './kills/shards.js'
import {printTable} from './print.js'
import {needRoom, writeMany, writeNoise} from './upload/files.js'

export interface KillsOptions {
  /** Kills on each service, of each size. */
  readonly rounds: number
  /** Bytes of each large file. */
  readonly sizes: readonly number[]
  /** Only the services whose name holds this. */
  readonly only: string
  readonly seed: number
}

/** Kills uploads on each kind of service, with files of each size, and prints what the services held in the end and how much was sent again. */
export async function benchKills({rounds, sizes, only, seed}: KillsOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-kills-'))
  process.once('SIGINT', () => process.exit(130))
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
  needRoom(folder, 4 * Math.max(...sizes))
  const shared = {folder, cache: path.join(folder, 'cache'), flags: [], roomctl: installRoomctl(), killsEach: 1}
  const wanted = kinds.filter((kind) => nameOf(kind).includes(only))
  const reports = new Map<ServiceKind, KillReport[]>(wanted.map((kind) => [kind, []]))
  for (const size of [...sizes, 0]) {
    const {files, bytes} = await writeFiles(folder, size, seed)
    for (const [kind, ofKind] of reports) {
      const report = await killUploads({...shared, ...kind, rounds, files, bytes, random: seeded(seed)})
      ofKind.push(report)
      if (!holds(report)) process.exitCode = 1
    }
    for (const file of files.keys()) rmSync(file)
  }
  printTable(
    `uploads with default flags, killed and run again, ${rounds} kills of each, seed ${seed}; most sent again of the largest chunk, in MiB`,
    [
      'unfinished, HEAD, cut bodies',
      ...sizes.map((size) => `${size / 2 ** 20} MiB`),
      `${smallFiles} small`,
      ...['kills', 'exit not 0', 'lost', 'doubled', 'mixed'],
    ],
    [...reports].map(([kind, ofKind]) => [nameOf(kind), ...cells(ofKind)]),
  )
  const pair = await writeFiles(folder, Math.max(...sizes), seed)
  await benchPairs({...shared, ...pair, ...sandbox, rounds: 2 * rounds, random: seeded(seed)})
  await benchShards({...shared, kills: rounds, random: seeded(seed)}, wanted)
}

/** Cuts connections to the official tus server at random bytes, and prints what it held in the end. */
export async function benchCuts({cuts, seed}: {readonly cuts: number; readonly seed: number}): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-cuts-'))
  process.once('SIGINT', () => process.exit(130))
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
  const bytes = 2 * 2 ** 20
  const files = await digestsOf(writeMany(folder, 4, bytes))
  const shared = {folder, cache: path.join(folder, 'cache'), files, bytes: files.size * bytes, random: seeded(seed)}
  const flags = ['--chunk-size', '256KiB']
  const report = await cutUploads({...shared, flags, roomctl: installRoomctl(), cuts, cutsEach: 20})
  const {failed, missing, doubled, unequal} = report
  if (failed + missing + doubled + unequal > 0) process.exitCode = 1
  printTable(
    `uploads of ${files.size} files of 2 MiB to @tus/server by a proxy that cuts connections, seed ${seed}`,
    Object.keys(report),
    [Object.values(report).map(String)],
  )
}

const smallFiles = 60
const smallBytes = 40_000

/** A file of that size, or the small ones; with the sha256 of each. */
async function writeFiles(folder: string, size: number, seed: number) {
  const paths = [path.join(folder, 'large.bundle')]
  if (size > 0) writeNoise(paths[0] ?? '', size, seed)
  const all = size > 0 ? paths : writeMany(folder, smallFiles, smallBytes)
  return {files: await digestsOf(all), bytes: size > 0 ? size : smallFiles * smallBytes}
}

async function digestsOf(paths: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const file of paths) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    files.set(file, hash.digest('hex'))
  }
  return files
}

/** Five shards on empty state folders, each killed this often at most, and five fresh runners after them. */
async function benchShards(
  options: Pick<Parameters<typeof killShards>[0], 'kills' | 'folder' | 'cache' | 'roomctl' | 'random'>,
  wanted: readonly ServiceKind[],
) {
  const rows: string[][] = []
  // If neither a listing nor HEAD shows finished uploads, a runner without a ledger cannot know them.
  for (const kind of wanted.filter(({head, shows}) => head || shows === 'hidden')) {
    const report = await killShards({...options, ...kind, shards: 5, levels: 40})
    const {kills, files, missing, doubled, unequal, wronglyLinked, unfinished, again} = report
    const bad = [missing, doubled, unequal, wronglyLinked].map(({length}) => length)
    const counts = [kills, files, ...bad, unfinished, again.creates, again.bytes]
    rows.push([nameOf(kind), ...counts.map(String)])
    if (bad.some((count) => count > 0) || again.creates + again.bytes > 0) process.exitCode = 1
  }
  printTable(
    'five shards with --stamp, each on an empty state folder at every start; then five fresh runners',
    [
      'unfinished, HEAD, cut bodies',
      'kills',
      'files',
      'missing',
      'doubled',
      'unequal',
      'wrong link',
      'unfinished',
      'created again',
      'bytes again',
    ],
    rows,
  )
}

async function benchPairs(options: Parameters<typeof killOneOfTwo>[0]): Promise<void> {
  const {kills, rounds, unequal, notOnce} = await killOneOfTwo(options)
  if (unequal > 0 || notOnce > 0) process.exitCode = 1
  printTable(
    'two processes at once over one ledger, one of which is killed',
    ['', 'rounds', 'kills', 'unequal', 'listed other than once'],
    [['sandbox', ...[rounds, kills, unequal, notOnce].map(String)]],
  )
}

/** Kills the commands that write these files at random moments, and prints the contents of the files afterwards. */
export async function benchFileKills(what: string, {rounds, seed}: Pick<KillsOptions, 'rounds' | 'seed'>) {
  const names = what === 'all' ? Object.keys(killable) : [what]
  const rows: string[][] = []
  for (const name of names) {
    const one = killable[name]
    if (!one) throw new Error(`there is no ${name}; there are: ${Object.keys(killable).join(', ')}`)
    const {kills, late, written, broken, lost} = await killWrites(one, rounds, seeded(seed))
    rows.push([one.name, ...[kills, late, written, broken, lost].map(String)])
    if (broken > 0 || lost > 0) process.exitCode = 1
  }
  printTable(`${rounds} kills of each, seed ${seed}`, ['', 'kills', 'late', 'written', 'broken', 'lost'], rows)
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}

/** The most that was sent again for each size, and the counts of all sizes. */
function cells(reports: readonly KillReport[]): string[] {
  const counts = (['kills', 'failed', 'missing', 'doubled', 'unequal'] as const).map((name) =>
    reports.reduce((sum, report) => sum + report[name], 0),
  )
  return [...reports.map((one) => `${mib(one.mostAgain)} of ${mib(one.largestChunk)}`), ...counts.map(String)]
}

/** The conditions: each run after a kill ends with 0, the service has each file once with its bytes, and a kill stays within its cost. */
function holds({failed, missing, doubled, unequal, over}: KillReport): boolean {
  return failed + missing + doubled + unequal + over === 0
}

const sandbox: ServiceKind = {shows: 'hidden', head: true, cut: 'discarded'}

const kinds: readonly ServiceKind[] = [
  sandbox,
  {shows: 'hidden', head: false, cut: 'kept'},
  {shows: 'listed', head: true, cut: 'kept'},
  {shows: 'listed', head: false, cut: 'discarded'},
  {shows: 'dataUrl', head: true, cut: 'discarded'},
  {shows: 'dataUrl', head: false, cut: 'kept'},
]

function nameOf({shows, head, cut}: ServiceKind): string {
  return `${shows}, ${head ? 'answered' : '405'}, ${cut}`
}
