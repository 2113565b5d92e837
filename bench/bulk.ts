import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {buildPeer, installRoomctl} from './installed.js'
import {measureRounds, median, type Rounds, type Subject, speed} from './measure.js'
import {printTable} from './print.js'
import {startService} from './world.js'

export interface BulkOptions {
  readonly rounds: number
  /** How many rooms are ended beside undici's pool; a tenth of them over the slow service, and for the memory. */
  readonly rooms: number
}

/** Targets under way at once: what the command takes where nothing sets it, and what it takes at most. */
const widths = [8, 64] as const
const delayMs = 100

/** Ends rooms, beside undici's own pool that sends the same requests, and over a slow service. */
export async function benchBulk({rounds, rooms}: BulkOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  const closing = [() => rmSync(folder, {recursive: true})]
  const close = () => {
    for (const end of closing.splice(0).reverse()) end()
  }
  process.once('exit', close)
  process.once('SIGINT', () => process.exit(130))
  try {
    const [home, state] = [path.join(folder, 'home'), path.join(folder, 'state')]
    for (const made of [home, state]) mkdirSync(made)
    const few = Math.ceil(rooms / 10)
    const files = {many: idsFile(folder, rooms), few: idsFile(folder, few)}
    const programs = {roomctl: installRoomctl(), pool: await buildPeer('undiciPool')}
    const service = async (...args: readonly string[]) => {
      const {url, close: end} = await startService('ending.ts', ...args)
      closing.push(end)
      return url
    }
    const {PATH, TMPDIR} = process.env
    const run = (subjects: readonly Subject[], runs: number) =>
      measureRounds({subjects, runs, env: {PATH, TMPDIR, HOME: home, CI: '1'}})

    const quick = await service()
    const ours = (name: string, url: string, file: string, width: number) =>
      roomEnd(name, {script: programs.roomctl, url, file, width, state})
    const pool = (url: string, file: string, width: number): Subject => ({
      name: 'undici pool',
      argv: [process.execPath, programs.pool, url, `${width}`, file],
    })
    for (const width of widths) {
      const peer = pool(quick, files.many, width)
      const subjects = [ours('room end', quick, files.many, width), peer, ours('a tenth', quick, files.few, width)]
      printQuick(await run(subjects, rounds), {rooms, few, width})
    }
    const slow = await service(`${delayMs}`)
    for (const width of widths) {
      const subjects = [ours('room end', slow, files.few, width), pool(slow, files.few, width)]
      printSlow(await run(subjects, Math.min(rounds, 3)), {rooms: few, width})
    }
  } finally {
    close()
  }
}

function idsFile(folder: string, count: number): string {
  const file = path.join(folder, `ids-${count}`)
  writeFileSync(file, Array.from({length: count}, (_, at) => `r-${String(at).padStart(8, '0')}\n`).join(''))
  return file
}

/** The command as a script types it; the ids come on stdin, and `--as` spares the read of each room's host. */
function roomEnd(
  name: string,
  {script, url, file, width, state}: {script: string; url: string; file: string; width: number; state: string},
): Subject {
  const line = ['room', 'end', '-', '--yes', '--as', 'ann', '--max', '1000000', '--concurrency', `${width}`, '-q']
  return {
    name,
    empty: [state],
    env: {ROOMCTL_ROOM_URL: url, ROOMCTL_ROOM_TOKEN: 'bench', ROOMCTL_STATE_DIR: state},
    argv: ['sh', '-c', `exec "$0" "$@" < ${file}`, process.execPath, script, ...line],
  }
}

function printQuick(rounds: Rounds, {rooms, few, width}: {rooms: number; few: number; width: number}): void {
  const middle = (name: string, of: 'wall' | 'cpu' | 'peak') => median((rounds[name] ?? []).map((run) => run[of]))
  const figures = (name: string, count: number) => [
    (count / middle(name, 'wall')).toFixed(0),
    ((middle(name, 'cpu') * 1e6) / count).toFixed(0),
    (middle(name, 'peak') / 2 ** 20).toFixed(0),
  ]
  const ratio = speed(rounds, 'room end', 'undici pool')
  printTable(
    `${rooms} rooms, ${width} at a time, medians; aim: 0.5 of undici's pool, and memory that does not grow`,
    ['', 'requests/s', 'cpu us/call', 'peak MiB', 'of the pool'],
    [
      ['room end', ...figures('room end', rooms), ratio.toFixed(2)],
      [`room end, ${few} rooms`, ...figures('a tenth', few), ''],
      ['undici pool', ...figures('undici pool', rooms), '1.00'],
    ],
  )
}

function printSlow(rounds: Rounds, {rooms, width}: {rooms: number; width: number}): void {
  const least = (Math.ceil(rooms / width) * delayMs) / 1000
  printTable(
    `${rooms} rooms over a service that answers in ${delayMs} ms, ${width} at a time; aim: 0.9`,
    ['', 'seconds', 'at least', 'of what is possible'],
    Object.entries(rounds).map(([name, runs]) => {
      const wall = median(runs.map((one) => one.wall))
      return [name, wall.toFixed(2), least.toFixed(2), (least / wall).toFixed(2)]
    }),
  )
}
