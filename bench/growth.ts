import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {installRoomctl} from './installed.js'
import {writeJournal} from './kept.js'
import {measureRounds, median} from './measure.js'
import {printTable} from './print.js'
import {startService} from './world.js'

export interface GrowthOptions {
  readonly rounds: number
  /** The least work: the rooms or changes of the smallest run. */
  readonly least: number
}

/** How many times the least work each run has. */
const steps = [1, 10, 100, 1000]
const mostExponent = 1.15
const mostPeakMiB = 400

/** A command whose work grows: the words after `roomctl`, and stdin. */
interface Grown {
  readonly words: readonly string[]
  readonly state?: string
  readonly stdin?: string
}

/**
 * CPU and peak of commands over 1, 10, 100 and 1,000 times the work. The exponent is the slope of log CPU over log work between the two
 * largest: 1 is linear. Exits 1 if CPU grows faster than the work, or a peak beyond the limit of docs/limits.
 */
export async function benchGrowth({rounds, least}: GrowthOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
  process.once('SIGINT', () => process.exit(130))
  const roomctl = installRoomctl()
  const rows: string[][] = []
  const below = (name: string) => path.join(folder, name)
  for (const name of ['home', 'state']) mkdirSync(below(name))
  const all = ['--max', '10000000', '--concurrency', '32']
  const commands: Readonly<Record<string, (count: number) => Grown>> = {
    'room list -o csv': () => ({words: ['room', 'list', '-o', 'csv']}),
    'history -o ndjson': (count) => ({words: ['history', '-o', 'ndjson'], state: below(`journal-${count}`)}),
    'room end --dry-run': (count) => ({
      words: ['room', 'end', '-', '--dry-run', '--as', 'user-0', '-q', ...all],
      stdin: below(`ids-${count}`),
    }),
    'room end --yes': (count) => ({
      words: ['room', 'end', '-', '--yes', '--as', 'user-0', '-q', ...all],
      stdin: below(`ids-${count}`),
    }),
  }
  const counts = steps.map((step) => step * least)
  for (const count of counts) {
    writeJournal(below(`journal-${count}`), count)
    writeFileSync(below(`ids-${count}`), Array.from({length: count}, (_, at) => `r-${at}\n`).join(''))
  }
  for (const [name, command] of Object.entries(commands)) {
    const cpus: number[] = []
    const peaks: number[] = []
    for (const count of counts) {
      const {url, close} = await startService('large.ts', JSON.stringify({rooms: count}))
      const {words, state = below('state'), stdin = '/dev/null'} = command(count)
      const argv = ['sh', '-c', `exec "$0" "$@" < ${stdin}`, process.execPath, roomctl, ...words]
      const {PATH, TMPDIR} = process.env
      const services = {ROOMCTL_ROOM_URL: `${url}/media`, ROOMCTL_ROOM_TOKEN: 'bench', ROOMCTL_STATE_DIR: state}
      const env = {PATH, TMPDIR, HOME: below('home'), CI: '1', ...services}
      const subjects = [{name, argv, empty: state === below('state') ? [state] : []}]
      const runs = (await measureRounds({subjects, runs: rounds, warmups: 0, env}))[name] ?? []
      close()
      cpus.push(median(runs.map(({cpu}) => cpu)))
      peaks.push(Math.max(...runs.map(({peak}) => peak / 2 ** 20)))
    }
    const [before = Number.NaN, last = Number.NaN] = cpus.slice(-2)
    const exponent = Math.log10(last / before)
    if (exponent > mostExponent || Math.max(...peaks) > mostPeakMiB) process.exitCode = 1
    rows.push([
      name,
      ...cpus.map((cpu) => cpu.toFixed(2)),
      exponent.toFixed(2),
      ...peaks.map((peak) => peak.toFixed(0)),
    ])
  }
  printTable(
    `CPU seconds and peak MiB over ${counts.join(', ')} rooms or changes; aims: exponent <= ${mostExponent}, peak <= ${mostPeakMiB}`,
    ['', ...steps.map((step) => `cpu x${step}`), 'exponent', ...steps.map((step) => `peak x${step}`)],
    rows,
  )
}
