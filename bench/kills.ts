import {createHash} from 'node:crypto'
import {createReadStream, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {pipeline} from 'node:stream/promises'
import {installRoomctl} from './installed.js'
import {killable, killWrites} from './kills/files.js'
import {type KillReport, killOneOfTwo, killUploads} from './kills/killing.js'
import {seeded} from './kills/seeded.js'
import {openSandbox, openStock} from './kills/services.js'
import {killShards} from './kills/shards.js'
import {printTable} from './print.js'
import {needRoom, writeNoise} from './upload/files.js'

type Server = 'sandbox' | 'stock'

export interface KillsOptions {
  readonly rounds: number
  /** Bytes of the file. */
  readonly size: number
  /** Only these kinds; all but a stock server without HEAD where neither is named. */
  readonly head: 'yes' | 'no' | undefined
  readonly server: Server | undefined
  readonly seed: number
}

/** Kills uploads at random moments, and prints what the services held in the end and how much was sent twice. */
export async function benchKills({rounds, size, head, server, seed}: KillsOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-kills-'))
  process.once('SIGINT', () => process.exit(130))
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
  needRoom(folder, 4 * size)
  const file = path.join(folder, 'large.bundle')
  writeNoise(file, size, seed)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const shared = {
    kills: rounds,
    file,
    bytes: size,
    sha256: hash.digest('hex'),
    folder,
    flags: [],
    roomctl: installRoomctl(),
  }
  const rows: string[][] = []
  for (const kind of kinds(head, server)) {
    const open = kind.server === 'sandbox' ? openSandbox : openStock
    const report = await killUploads({...shared, head: kind.head === 'yes', open, random: seeded(seed)})
    rows.push([kind.server === 'sandbox' ? 'sandbox' : '@tus/server', kind.head, ...cells(report)])
    if (!holds(report)) process.exitCode = 1
  }
  printTable(
    `${rounds} kills of uploads of ${size / 2 ** 20} MiB, seed ${seed}; sizes in MiB`,
    [
      '',
      'HEAD',
      'kills',
      'amid',
      'late',
      'uploads',
      'unequal',
      'created',
      'chunk',
      'most sent again',
      'sent again in all',
    ],
    rows,
  )
  const pairs = Math.ceil((rounds * pairsIn100) / 100)
  await benchPairs({...shared, kills: pairs, head: true, open: openSandbox, random: seeded(seed)})
  await benchShards({...shared, kills: Math.ceil(rounds / 5), random: seeded(seed)})
}

/** Five shards on empty state folders, each killed this often at most, and five fresh runners after them. */
async function benchShards(options: Pick<Parameters<typeof killShards>[0], 'kills' | 'folder' | 'roomctl' | 'random'>) {
  const rows: string[][] = []
  for (const [name, open] of Object.entries({sandbox: openSandbox, '@tus/server': openStock})) {
    const report = await killShards({...options, open, shards: 5, levels: 40})
    const {kills, files, complete, doubled, unequal, wronglyLinked, unfinished, again} = report
    const bad = [doubled, unequal, wronglyLinked].map(({length}) => length)
    const counts = [kills, files, complete, ...bad, unfinished, again.creates, again.bytes]
    rows.push([name, ...counts.map(String)])
    if (complete !== files || bad.some((count) => count > 0) || again.creates + again.bytes > 0) process.exitCode = 1
  }
  printTable(
    'five shards with --stamp, each on an empty state folder at every start; then five fresh runners',
    [
      '',
      'kills',
      'files',
      'complete',
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

/** Rounds of two processes for each hundred of one. */
const pairsIn100 = 25

async function benchPairs(options: Parameters<typeof killOneOfTwo>[0]): Promise<void> {
  const {kills, rounds, unequal, notOnce} = await killOneOfTwo(options)
  if (unequal > 0 || notOnce > 0) process.exitCode = 1
  printTable(
    'two processes at once over one ledger, one of which is killed',
    ['', 'rounds', 'kills', 'unequal', 'listed other than once'],
    [['sandbox', ...[rounds, kills, unequal, notOnce].map(String)]],
  )
}

/** Kills the commands that write these files at random moments, and prints what stood in the files after it. */
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

/** What is asked: the bytes are always equal, and a kill costs at most one chunk. */
export function holds({unequal, mostAgain, largestChunk}: KillReport): boolean {
  return unequal === 0 && mostAgain <= largestChunk
}

function cells(report: KillReport): string[] {
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  const {kills, amid, late, uploads, unequal, creates, largestChunk, mostAgain, totalAgain} = report
  return [
    ...[kills, amid, late, uploads, unequal, creates].map(String),
    ...[largestChunk, mostAgain, totalAgain].map(mib),
  ]
}

/**
 * A stock server without HEAD only where it is asked for: it verifies no checksum, so it keeps part of a chunk, and where
 * nobody can ask it how much, an upload has to begin anew.
 */
function kinds(head: KillsOptions['head'], server: Server | undefined) {
  const all = [
    {server: 'sandbox', head: 'yes'},
    {server: 'sandbox', head: 'no'},
    {server: 'stock', head: 'yes'},
    {server: 'stock', head: 'no'},
  ] as const
  const wanted = all.filter((one) => one.server === (server ?? one.server) && one.head === (head ?? one.head))
  return head === undefined || server === undefined ? wanted.filter((one) => one !== all[3]) : wanted
}
