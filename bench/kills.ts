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
  /** Only these kinds. */
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
    cache: path.join(folder, 'cache'),
    flags: [],
    roomctl: installRoomctl(),
  }
  const rows: string[][] = []
  for (const kind of wanted(kinds, {head, server})) {
    const open = kind.server === 'sandbox' ? openSandbox : openStock
    const report = await killUploads({...shared, head: kind.head === 'yes', open, random: seeded(seed)})
    rows.push([nameOf(kind), kind.head, ...cells(report)])
    const keepsPieces = kind.server === 'stock' && kind.head === 'no'
    if (!holds(report, keepsPieces ? size : report.largestChunk)) process.exitCode = 1
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
  await benchShards({...shared, kills: Math.ceil(rounds / 5), random: seeded(seed)}, {head, server})
}

/** Five shards on empty state folders, each killed this often at most, and five fresh runners after them. */
async function benchShards(
  options: Pick<Parameters<typeof killShards>[0], 'kills' | 'folder' | 'cache' | 'roomctl' | 'random'>,
  choice: Choice,
) {
  const rows: string[][] = []
  const all: Kind[] = [...kinds, {server: 'stock', head: 'yes', showsUnfinished: true}]
  for (const kind of wanted(all, choice)) {
    const open = kind.server === 'sandbox' ? openSandbox : openStock
    const report = await killShards({...options, ...kind, head: kind.head === 'yes', open, shards: 5, levels: 40})
    const {kills, files, missing, doubled, unequal, wronglyLinked, unfinished, again} = report
    const bad = [missing, doubled, unequal, wronglyLinked].map(({length}) => length)
    const counts = [kills, files, ...bad, unfinished, again.creates, again.bytes]
    rows.push([nameOf(kind), kind.head, ...counts.map(String)])
    if (bad.some((count) => count > 0) || again.creates + again.bytes > 0) process.exitCode = 1
  }
  printTable(
    'five shards with --stamp, each on an empty state folder at every start; then five fresh runners',
    [
      '',
      'HEAD',
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

/**
 * What is asked: the bytes are always equal, and a kill costs at most one chunk. A stock server verifies no checksum and keeps pieces of
 * chunks; where it cannot be asked how much, the upload starts over.
 */
function holds({unequal, mostAgain}: KillReport, most: number): boolean {
  return unequal === 0 && mostAgain <= most
}

function cells(report: KillReport): string[] {
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  const {kills, amid, late, uploads, unequal, creates, largestChunk, mostAgain, totalAgain} = report
  return [
    ...[kills, amid, late, uploads, unequal, creates].map(String),
    ...[largestChunk, mostAgain, totalAgain].map(mib),
  ]
}

interface Kind {
  readonly server: Server
  readonly head: 'yes' | 'no'
  readonly showsUnfinished?: boolean
}

const kinds: readonly Kind[] = [
  {server: 'sandbox', head: 'yes'},
  {server: 'sandbox', head: 'no'},
  {server: 'stock', head: 'yes'},
  {server: 'stock', head: 'no'},
]

type Choice = Pick<KillsOptions, 'head' | 'server'>

function wanted(all: readonly Kind[], {head, server}: Choice): Kind[] {
  return all.filter((one) => one.server === (server ?? one.server) && one.head === (head ?? one.head))
}

function nameOf({server, showsUnfinished}: Kind): string {
  return `${server === 'sandbox' ? 'sandbox' : '@tus/server'}${showsUnfinished ? ', unfinished shown' : ''}`
}
