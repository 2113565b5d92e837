import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {benchDocuments} from './documents.js'
import {installRoomctl} from './installed.js'
import {benchKept} from './kept.js'
import {measureRounds, median, type Usage} from './measure.js'
import {printTable} from './print.js'

export interface ScaleOptions {
  /** Nothing else. */
  readonly only: 'kept' | 'sync' | 'documents' | undefined
  readonly rounds: number
  /** Changes in the full journal, and finished uploads in the full ledger. */
  readonly kept: number
  /** Files of the larger sync; a quarter of them in the smaller, half as many more in the documents. */
  readonly files: number
}

/** Data that grows with use: the journal, the ledger and a sync, each next to a small one. */
export async function benchScale({only, rounds, kept, files}: ScaleOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  const remove = () => rmSync(folder, {recursive: true, force: true})
  process.once('exit', remove)
  process.once('SIGINT', () => process.exit(130))
  try {
    const roomctl = installRoomctl()
    const parts = {
      kept: () => benchKept({roomctl, folder, kept, rounds}),
      sync: () => benchSync(roomctl, folder, files),
      documents: () => benchDocuments({roomctl, folder, rounds: 3, files: 1.5 * files, profiles: files / 2}),
    }
    for (const [name, run] of Object.entries(parts)) if (name === (only ?? name)) await run()
  } finally {
    remove()
  }
}

function middle(runs: readonly Usage[], of: 'cpu' | 'wall' | 'peak'): number {
  return median(runs.map((run) => run[of]))
}

/** Files a second that a sync of many small ones should bring to the embedded sandbox. */
const syncAim = 300

async function benchSync(roomctl: string, folder: string, files: number): Promise<void> {
  const rows: string[][] = []
  for (const count of [Math.ceil(files / 4), files]) {
    const place = mkdtempSync(path.join(folder, 'sync-'))
    const bundles = path.join(place, 'files')
    mkdirSync(bundles)
    for (let at = 0; at < count; at += 1) writeFileSync(path.join(bundles, `part${at}.bundle`), `bundle ${at}\n`)
    const {PATH, TMPDIR} = process.env
    const env = {PATH, TMPDIR, HOME: place, CI: '1'}
    execFileSync(process.execPath, [roomctl, 'sandbox', 'reset', '--seed', 'demo'], {env, stdio: 'pipe'})
    const words = ['asset', 'sync', 'games/puzzle', bundles, '-p', 'sandbox', '--platform', 'android', '-q']
    const name = `${count} files`
    const subjects = [{name, argv: [process.execPath, roomctl, ...words]}]
    const runs = (await measureRounds({subjects, runs: 1, warmups: 0, env}))[name] ?? []
    rmSync(place, {recursive: true})
    const [wall, cpu, peak] = [middle(runs, 'wall'), middle(runs, 'cpu'), middle(runs, 'peak')] as const
    rows.push([
      name,
      wall.toFixed(1),
      (count / wall).toFixed(0),
      `${syncAim}`,
      ((cpu * 1000) / count).toFixed(2),
      (peak / 2 ** 20).toFixed(0),
    ])
  }
  printTable(
    'asset sync of small files into the embedded sandbox, once',
    ['', 'wall s', 'files/s', 'aim', 'cpu ms/file', 'peak MiB'],
    rows,
  )
}
