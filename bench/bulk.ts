import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {buildPeer, installRoomctl} from './installed.js'
import {measureRounds, type Subject} from './measure.js'
import {type Aim, printAims, printResult, type Result} from './report.js'
import {startService} from './world.js'

export interface BulkOptions {
  readonly rounds: number
  /** The divisor of the rooms of each case. */
  readonly part: number
  /** Only the cases whose title holds this text. */
  readonly only: string
}

const [ours, pool] = ['room end', 'undici pool']
const delayMs = 100

interface BulkCase {
  readonly rooms: number
  readonly width: number
  /** How long each answer takes. */
  readonly delayMs?: number
  readonly most: number
  readonly aim: Aim
}

const cases: readonly BulkCase[] = [
  {rooms: 40_000, width: 8, most: 5, aim: {of: ours, figure: 'cpu share', atLeast: 0.33}},
  {rooms: 20_000, width: 64, most: 5, aim: {of: ours, figure: 'cpu share', atLeast: 0.42}},
  {rooms: 100_000, width: 32, most: 2, aim: {of: ours, figure: 'peak MiB', atMost: 130}},
  {rooms: 1000, width: 8, delayMs, most: 3, aim: {of: ours, figure: 'of the possible', atLeast: 0.93}},
  {rooms: 1000, width: 64, delayMs, most: 3, aim: {of: ours, figure: 'of the possible', atLeast: 0.85}},
]

/** Ends rooms, beside undici's own pool that sends the same requests; and over a slow service. */
export async function benchBulk({rounds, part, only}: BulkOptions): Promise<void> {
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
    const programs = {roomctl: installRoomctl(), pool: await buildPeer('undiciPool')}
    const {PATH, TMPDIR} = process.env
    const env = {PATH, TMPDIR, HOME: home, CI: '1'}
    const results: Result[] = []
    for (const {rooms: whole, width, delayMs = 0, most, aim} of cases) {
      const rooms = Math.ceil(whole / part)
      const slow = delayMs > 0 ? ` over a service that answers in ${delayMs} ms` : ''
      const title = `${rooms} rooms, ${width} at a time${slow}`
      if (!title.includes(only)) continue
      const {url, close: end} = await startService('ending.ts', `${delayMs}`)
      closing.push(end)
      const file = idsFile(folder, rooms)
      const subjects = [
        {name: pool, argv: [process.execPath, programs.pool, url, `${width}`, file]},
        roomEnd({script: programs.roomctl, url, file, width, state}),
      ]
      const result = {
        title,
        floor: pool,
        aims: [aim],
        rounds: await measureRounds({subjects, runs: Math.min(rounds, most), env}),
        ...(delayMs > 0 && {leastSeconds: (Math.ceil(rooms / width) * delayMs) / 1000}),
      }
      results.push(result)
      printResult(result)
    }
    printAims(results)
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
function roomEnd({
  script,
  url,
  file,
  width,
  state,
}: {
  readonly script: string
  readonly url: string
  readonly file: string
  readonly width: number
  readonly state: string
}): Subject {
  const line = ['room', 'end', '-', '--yes', '--as', 'ann', '--max', '1000000', '--concurrency', `${width}`, '-q']
  return {
    name: ours,
    empty: [state],
    env: {ROOMCTL_ROOM_URL: url, ROOMCTL_ROOM_TOKEN: 'bench', ROOMCTL_STATE_DIR: state},
    argv: ['sh', '-c', `exec "$0" "$@" < ${file}`, process.execPath, script, ...line],
  }
}
