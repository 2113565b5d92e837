import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {installRoomctl} from './installed.js'
import {measureRounds} from './measure.js'
import {printTable} from './print.js'
import {printAims, printResult, type Result} from './report.js'
import {writeNoise} from './upload/files.js'
import {startService} from './world.js'

export interface SyncOptions {
  readonly rounds: number
  /** How many files. */
  readonly files: readonly number[]
  /** Bytes of each. */
  readonly size: number
  /** For how long the rate is measured. */
  readonly seconds: number
}

const concurrency = 8
/** Of each answer, as from a service in the same region: on the loopback alone the client that is measured would be the slowest part. */
const latencyMs = 10
const rateAim = 0.05
const [floor, ours] = ['curl', 'asset sync']

/** A sync with --stamp of a folder that the container has, on an empty state folder: its requests, its time and its memory; and the rate. */
export async function benchSync({rounds, files, size, seconds}: SyncOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
  process.once('SIGINT', () => process.exit(130))
  const roomctl = installRoomctl()
  const results: Result[] = []
  for (const count of files) results.push(await benchNoOp(roomctl, folder, {count, size, rounds}))
  printAims(results)
  await benchRate(roomctl, folder, seconds)
}

interface NoOp {
  readonly count: number
  readonly size: number
  readonly rounds: number
}

async function benchNoOp(roomctl: string, folder: string, {count, size, rounds}: NoOp): Promise<Result> {
  const place = mkdtempSync(path.join(folder, 'sync-'))
  const below = (name: string) => path.join(place, name)
  for (const name of ['build', 'state', 'home']) mkdirSync(below(name))
  writeFileSync(below('stamps'), writeStampedFiles(below('build'), count, size))
  const {url, close} = await startService('stamped.ts', below('stamps'), `${latencyMs}`)
  const asked = ['', ...Array.from({length: count}, (_, at) => [`/u-${at}?type=meta`, `/u-${at}`]).flat()]
  const config = asked.map((resource) => `url = "${url}/games/puzzle${resource}"\noutput = /dev/null\n`)
  writeFileSync(below('urls'), config.join(''))
  const words = ['asset', 'sync', 'games/puzzle', below('build'), '--platform', 'ios', '--description', 'Build 42']
  const more = ['--stamp', '--state-dir', below('state'), '--concurrency', `${concurrency}`, '-q']
  const argv = {
    [floor]: ['curl', '-s', '--parallel', '--parallel-max', `${concurrency}`, '--config', below('urls')],
    [ours]: [process.execPath, roomctl, ...words, ...more],
  }
  const subjects = Object.entries(argv).map(([name, argv]) => ({name, argv, empty: [below('state')]}))
  const {PATH} = process.env
  const env = {PATH, HOME: below('home'), CI: '1', ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: 'bench'}
  try {
    const measured = await measureRounds({subjects, runs: rounds, env})
    const countRequests = async () => Number(await (await fetch(new URL('/requests', url))).text())
    await countRequests()
    execFileSync(process.execPath, [roomctl, ...words, ...more.slice(0, -1)], {env, stdio: 'ignore'})
    const requests = await countRequests()
    // A listing, and the metadata and the offset of each.
    const most = 1 + 2 * count
    if (requests > most) process.exitCode = 1
    const result: Result = {
      title: `asset sync --stamp of ${count} files that are there: ${requests} requests (at most ${most}), ${concurrency} at once, ${latencyMs} ms each`,
      floor,
      rounds: measured,
      aims: [
        {of: ours, figure: 'wall x', atMost: 1.3},
        {of: ours, figure: 'peak MiB', atMost: count > 10_000 ? 110 : 90},
      ],
    }
    printResult(result)
    return result
  } finally {
    close()
    rmSync(place, {recursive: true})
  }
}

/** Writes files, and gives the lines by which `stamped.ts` lists them. */
export function writeStampedFiles(folder: string, count: number, size: number): string {
  const lines = Array.from({length: count}, (_, at) => {
    const [name, file] = [`part${at}.png`, path.join(folder, `part${at}.png`)]
    writeNoise(file, size, at)
    return `${name}\t${createHash('sha256').update(readFileSync(file)).digest('hex')}\t${size}\n`
  })
  return lines.join('')
}

/** Uploads as much as the rate lets through in that time, in several files. */
async function benchRate(roomctl: string, folder: string, seconds: number): Promise<void> {
  const [rate, files] = [5 * 2 ** 20, 5]
  const bytes = (rate * seconds) / files
  const names = Array.from({length: files}, (_, at) => path.join(folder, `rate${at}.bundle`))
  for (const [at, name] of names.entries()) writeNoise(name, bytes, at)
  const {url, close} = await startService('sink.ts')
  const {PATH} = process.env
  const env = {PATH, HOME: folder, CI: '1', ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: 'bench'}
  const words = [
    'asset',
    'upload',
    'games/puzzle',
    ...names,
    '--platform',
    'ios',
    '--limit-rate',
    '5MiB',
    '--verify',
    'none',
  ]
  const begun = performance.now()
  execFileSync(process.execPath, [roomctl, ...words], {env, stdio: 'pipe'})
  const took = (performance.now() - begun) / 1000
  close()
  const reached = (rate * seconds) / took
  if (Math.abs(reached / rate - 1) > rateAim) process.exitCode = 1
  printTable(
    `asset upload of ${files} files with --limit-rate 5MiB, for ${seconds} s`,
    ['', 'MiB/s', 'of the limit', 'aim'],
    [['roomctl', (reached / 2 ** 20).toFixed(2), (reached / rate).toFixed(3), `within ${rateAim * 100} %`]],
  )
}
