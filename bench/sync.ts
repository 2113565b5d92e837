import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {installRoomctl} from './installed.js'
import {measureRounds, median, type Rounds} from './measure.js'
import {printTable} from './print.js'
import {writeNoise} from './upload/files.js'
import {startService} from './world.js'

export interface SyncOptions {
  readonly rounds: number
  /** How many files; the peak is compared with that of a twentieth of the largest. */
  readonly files: readonly number[]
  /** Bytes of each. */
  readonly size: number
  /** For how long the rate is measured. */
  readonly seconds: number
}

const concurrency = 8
/** Of each answer, as from a service in the same region: on the loopback alone the client that is measured would be the slowest part. */
const latencyMs = 10
const [timeAim, rateAim] = [1.3, 0.05]

/** A sync with --stamp of a folder that the container has, on an empty state folder: its requests, its time and its memory; and the rate. */
export async function benchSync({rounds, files, size, seconds}: SyncOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}))
  process.once('SIGINT', () => process.exit(130))
  const roomctl = installRoomctl()
  const rows: string[][] = []
  for (const count of files) rows.push(await benchNoOp(roomctl, folder, {count, size, rounds}))
  printTable(
    `asset sync --stamp where all is there, of files of ${size / 1024} KiB, medians of ${rounds} rounds; ${concurrency} at once, ${latencyMs} ms to an answer`,
    ['', 'requests', 'aim', 'wall s', 'sha256sum s', 'curl s', 'x the slower', 'aim', 'peak MiB'],
    rows,
  )
  await benchRate(roomctl, folder, seconds)
}

interface NoOp {
  readonly count: number
  readonly size: number
  readonly rounds: number
}

async function benchNoOp(roomctl: string, folder: string, {count, size, rounds}: NoOp): Promise<string[]> {
  const place = mkdtempSync(path.join(folder, 'sync-'))
  const below = (name: string) => path.join(place, name)
  for (const name of ['build', 'state', 'home']) mkdirSync(below(name))
  writeFileSync(below('stamps'), writeFiles(below('build'), count, size))
  const {url, close} = await startService('stamped.ts', below('stamps'), `${latencyMs}`)
  const config = Array.from(
    {length: count},
    (_, at) => `url = "${url}/games/puzzle/u-${at}?type=meta"\noutput = /dev/null\n`,
  )
  writeFileSync(below('urls'), config.join(''))
  const words = ['asset', 'sync', 'games/puzzle', below('build'), '--platform', 'ios', '--description', 'Build 42']
  const more = ['--stamp', '--state-dir', below('state'), '--concurrency', `${concurrency}`, '-q']
  const argv = {
    roomctl: [process.execPath, roomctl, ...words, ...more],
    sha256sum: ['sh', '-c', 'find "$1" -type f -print0 | xargs -0 sha256sum | tail -n 1', 'sh', below('build')],
    curl: ['curl', '-s', '--parallel', '--parallel-max', `${concurrency}`, '--config', below('urls')],
  }
  const subjects = Object.entries(argv).map(([name, argv]) => ({name, argv, empty: [below('state')]}))
  const {PATH} = process.env
  const env = {PATH, HOME: below('home'), CI: '1', ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: 'bench'}
  try {
    const results = await measureRounds({subjects, runs: rounds, env})
    const asked = async () => Number(await (await fetch(new URL('/requests', url))).text())
    await asked()
    execFileSync(process.execPath, [roomctl, ...words, ...more.slice(0, -1)], {env, stdio: 'pipe'})
    return noOpRow(count, await asked(), results)
  } finally {
    close()
    rmSync(place, {recursive: true})
  }
}

function writeFiles(folder: string, count: number, size: number): string {
  const lines = Array.from({length: count}, (_, at) => {
    const [name, file] = [`part${at}.png`, path.join(folder, `part${at}.png`)]
    writeNoise(file, size, at)
    return `${name}\t${createHash('sha256').update(readFileSync(file)).digest('hex')}\n`
  })
  return lines.join('')
}

function noOpRow(count: number, requests: number, results: Rounds): string[] {
  const wall = (name: string) => (results[name] ?? []).map((run) => run.wall)
  const [own, hash, curl] = [wall('roomctl'), wall('sha256sum'), wall('curl')]
  const ratio = median(own.map((seconds, at) => seconds / Math.max(hash[at] ?? 0, curl[at] ?? 0)))
  const peak = median((results.roomctl ?? []).map((run) => run.peak))
  if (requests > count + 1 || ratio > timeAim) process.exitCode = 1
  return [
    `${count} files`,
    `${requests}`,
    `${count + 1}`,
    ...[own, hash, curl].map((all) => median(all).toFixed(2)),
    ratio.toFixed(2),
    timeAim.toFixed(1),
    (peak / 2 ** 20).toFixed(0),
  ]
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
