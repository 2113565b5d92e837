import {spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {setTimeout as delay} from 'node:timers/promises'
import {writeNoise} from '../upload/files.js'
import {container, type KillService, openService, type ServiceKind} from './services.js'
import {compare, type Resource, resourcesOf, type Stored} from './stored.js'
import {Traffic} from './traffic.js'

export interface ShardKillOptions extends ServiceKind {
  readonly shards: number
  /** Kills of each shard, at most. */
  readonly kills: number
  /** Levels, each an asset and its bundle. */
  readonly levels: number
  /** The script of the tool. */
  readonly roomctl: string
  /** A folder of our own. */
  readonly folder: string
  /** The cache folder of the program. */
  readonly cache: string
  /** From 0 up to 1. */
  readonly random: () => number
}

/** The contents of a service after shards were killed, and the work of a second set of runners. */
export interface ShardKillReport extends Stored {
  readonly kills: number
  readonly files: number
  /** Uploads that were never completed. */
  readonly unfinished: number
  /** Bundles that are linked to another asset. */
  readonly wronglyLinked: readonly string[]
  /** Uploads started, and bytes sent, by the second set of runners. */
  readonly again: {readonly creates: number; readonly bytes: number; readonly skipped: number}
}

/**
 * Syncs one folder by several processes at once, a shard each, on a state folder of its own that is empty at every start, as that of
 * a fresh runner. Each is killed (SIGKILL) at random moments and started again until it ends by itself. Then a second set of
 * fresh runners does the same unharmed.
 */
export async function killShards(options: ShardKillOptions): Promise<ShardKillReport> {
  const folder = mkdtempSync(path.join(options.folder, 'shards-'))
  const below = (name: string) => path.join(folder, name)
  for (const name of ['build', 'service', 'home']) mkdirSync(below(name))
  const sums = writeBuild(below('build'), options)
  const traffic = new Traffic()
  const service = await openService({...options, folder: below('service'), traffic})
  try {
    const run = (shard: number, bytes: number | undefined) =>
      runShard(options, {folder, service, traffic}, shard, bytes)
    const all = Array.from({length: options.shards}, (_, at) => at + 1)
    const kills = await Promise.all(all.map((shard) => killShard(options, (bytes) => run(shard, bytes))))
    const resources = await resourcesOf(service)
    const before = {creates: traffic.creates, received: traffic.received}
    const rows = (await Promise.all(all.map((shard) => run(shard, undefined)))).flatMap(({rows}) => rows)
    const found = await compare(sums, resources, service)
    return {
      kills: kills.reduce((sum, count) => sum + count, 0),
      files: sums.size,
      ...found,
      wronglyLinked: wronglyLinked([...sums.keys()], resources),
      unfinished: before.creates - found.complete,
      again: {
        creates: traffic.creates - before.creates,
        bytes: traffic.received - before.received,
        skipped: rows.filter(({outcome}) => outcome === 'skipped').length,
      },
    }
  } finally {
    await service.close()
  }
}

/** Levels of an asset and its bundle, a catalog and an empty file; the sha256 of each by its name. */
function writeBuild(folder: string, {levels, random}: ShardKillOptions): Map<string, string> {
  const sizes = new Map([['empty.txt', 0]])
  for (let at = 0; at < levels; at++) {
    sizes.set(`stage${at}.unity`, 1 + Math.floor(random() * 400_000))
    // Some are large enough to be sent in parts.
    sizes.set(`stage${at}.bundle`, 1 + Math.floor(random() * (at % 5 === 0 ? 4_000_000 : 200_000)))
  }
  return new Map(
    [...sizes].map(([name, size], at) => {
      const file = path.join(folder, name)
      writeNoise(file, size, at)
      return [name, createHash('sha256').update(readFileSync(file)).digest('hex')]
    }),
  )
}

/** A runner is killed once the service has received at most this many more bytes, of all runners, so most start some upload. */
const killedWithin = 1_500_000

/** A machine takes longer than this to give a job to another runner; what a killed one sent last has arrived by then. */
const restartMs = 300

/** Kills a shard as often as there are kills, unless it ends before; gives how often it was killed. */
async function killShard(
  {kills, random}: ShardKillOptions,
  run: (bytes: number | undefined) => Promise<{readonly killed: boolean}>,
): Promise<number> {
  for (let count = 0; count < kills; count++) {
    const {killed} = await run(random() * killedWithin)
    if (!killed) return count
    await delay(restartMs)
  }
  await run(undefined)
  return kills
}

interface Row {
  readonly outcome: string
}

interface ShardPlace {
  readonly folder: string
  readonly service: KillService
  readonly traffic: Traffic
}

async function runShard(
  {shards, roomctl, cache}: ShardKillOptions,
  {folder, service, traffic}: ShardPlace,
  shard: number,
  bytes: number | undefined,
): Promise<{readonly killed: boolean; readonly rows: readonly Row[]}> {
  const state = mkdtempSync(path.join(folder, 'state-'))
  const words = ['asset', 'sync', container, path.join(folder, 'build'), '--platform', 'ios', '--description', 'kills']
  const more = [
    '--stamp',
    '--shard',
    `${shard}/${shards}`,
    '--chunk-size',
    '512KiB',
    '--concurrency',
    '3',
    '-o',
    'json',
  ]
  const child = spawn(process.execPath, [roomctl, ...words, ...more, '--state-dir', state], {
    env: {PATH: process.env.PATH, HOME: path.join(folder, 'home'), ROOMCTL_CACHE_DIR: cache, CI: '1', ...service.env},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const due = traffic.received + (bytes ?? Number.POSITIVE_INFINITY)
  const timer = setInterval(() => {
    if (traffic.received > due) child.kill('SIGKILL')
  }, 1)
  const [exit, signal] = await once(child, 'exit')
  clearInterval(timer)
  const [stdout, stderr] = await output
  if (signal === 'SIGKILL') return {killed: true, rows: []}
  if (exit !== 0) throw new Error(`shard ${shard} ended with ${exit}: ${stderr}`)
  return {killed: false, rows: JSON.parse(stdout)}
}

function wronglyLinked(names: readonly string[], resources: readonly Resource[]): string[] {
  const assetOf = (name: string) => resources.find((one) => one.name === name.replace(/\.bundle$/u, '.unity'))?.uuid
  const isWrong = ({name, link}: Resource) => name.endsWith('.bundle') && link !== assetOf(name)
  return names.filter((name) => resources.some((one) => one.name === name && isWrong(one)))
}
