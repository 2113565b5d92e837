import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {journalEntryId, journalIn} from '../src/storage/journal.js'
import {appendToLog} from '../src/storage/log/log.js'
import {measureRounds, type Subject} from './measure.js'
import {printAims, printResult, type Result} from './report.js'
import {writeStampedFiles} from './sync.js'
import {writeNoise} from './upload/files.js'
import {openWorld, startService} from './world.js'

/** A command that reads stored state, and the factor of CPU it may take over a full state folder. */
interface KeptCase {
  readonly words: readonly string[]
  readonly title: string
  readonly atMost: number
  /** The address of the asset service, if it needs one. */
  readonly url?: string
}

interface KeptOptions {
  readonly roomctl: string
  /** The state folder, with the files to upload. */
  readonly folder: string
  /** Changes in the full journal, and finished uploads in the full ledger. */
  readonly kept: number
  readonly rounds: number
}

/** Files of the sync. */
const syncFiles = 300

/** Commands over a full journal and ledger, next to those over one change and one upload. */
export async function benchKept({roomctl, folder, kept, rounds}: KeptOptions): Promise<void> {
  const states = {empty: path.join(folder, 'empty'), full: path.join(folder, 'full')}
  for (const [state, count] of [
    [states.empty, 1],
    [states.full, kept],
  ] as const) {
    writeJournal(state, count)
    writeLedger(state, count)
  }
  const build = path.join(folder, 'build')
  const stamps = path.join(folder, 'stamps')
  const single = path.join(folder, 'single.bundle')
  mkdirSync(build)
  writeFileSync(stamps, writeStampedFiles(build, syncFiles, 2 ** 14))
  writeNoise(single, 2 ** 18, 0)
  const [world, sink, stamped] = await Promise.all([
    openWorld(1),
    startService('sink.ts'),
    startService('stamped.ts', stamps),
  ])
  const about = ['--platform', 'ios', '--description', 'Build 42', '-q']
  const cases: readonly KeptCase[] = [
    {title: 'history --limit 5', words: ['history', '--limit', '5'], atMost: 1.3},
    // The round that warms up also moves finished uploads out of the log.
    {
      title: 'asset upload of one file',
      words: ['asset', 'upload', 'games/puzzle', single, '--verify', 'none', ...about],
      url: sink.url,
      atMost: 1.2,
    },
    {
      title: `asset sync of ${syncFiles} files that are there`,
      words: ['asset', 'sync', 'games/puzzle', build, '--stamp', ...about],
      url: stamped.url,
      atMost: 1.25,
    },
    {title: 'asset uploads', words: ['asset', 'uploads'], atMost: 1.2},
  ]
  const results: Result[] = []
  try {
    for (const {title, words, url, atMost} of cases) {
      const asset: Record<string, string> = url ? {ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: 'bench'} : {}
      const subjects = Object.entries(states).map(
        ([name, state]): Subject => ({
          name,
          argv: [process.execPath, roomctl, ...words],
          env: {...asset, ROOMCTL_STATE_DIR: state},
        }),
      )
      const result: Result = {
        title: `${title}, over ${kept} changes and finished uploads`,
        floor: 'empty',
        rounds: await measureRounds({subjects, runs: rounds, env: world.env}),
        aims: [{of: 'full', figure: 'cpu x', atMost}],
      }
      printResult(result)
      results.push(result)
    }
  } finally {
    for (const {close} of [world, sink, stamped]) close()
  }
  printAims(results)
}

const begun = Date.parse('2026-01-01T00:00:00Z')
/** Entries that are written at a time, about as large as a file of the journal. */
const together = 25_000

/** Writes as many changes into the journal of a state folder, each to a room of its own. */
export function writeJournal(state: string, count: number): void {
  const {path, form} = journalIn(state)
  for (let from = 0; from < count; from += together) {
    const entries = Array.from({length: Math.min(together, count - from)}, (_, at) => {
      const moment = new Date(begun + (from + at) * 5)
      const targets = {roomId: `5f3c9a1e-${String(from + at).padStart(8, '0')}`, attendees: ['ben']}
      const id = journalEntryId()
      const done = {profile: 'default', operation: 'attendee.block', as: 'ann', outcome: 'done'} as const
      return {id, at: moment.toISOString(), ...done, targets}
    })
    appendToLog(path, form, entries)
  }
}

/** The lines that `asset upload` leaves of a file that is done. */
function writeLedger(state: string, count: number): void {
  const lines = Array.from({length: count}, (_, number) => {
    const hex = number.toString(16).padStart(16, '0')
    const at = new Date(begun + number).toISOString()
    const name = `part${number}.bundle`
    const base = 'http://127.0.0.1:9/asset'
    const uuid = `00000000-0000-4000-8000-${hex.slice(4)}`
    const target = {base, container: 'games/puzzle', name, platform: 'android', description: name}
    const proof = {sample: hex.repeat(4), stamp: {ino: `${number}`, mtimeNs: '1', ctimeNs: '1'}, algorithm: 'sha1'}
    const file = {path: `/builds/${name}`, size: 262_144, creating: true, begunAt: at, updatedAt: at, acked: []}
    const records = [
      {kind: 'entry', id: hex, ...target, ...proof, ...file},
      {kind: 'created', id: hex, at, url: `${base}/games/puzzle/${uuid}`},
      {kind: 'done', id: hex, at, uuid, sha256: hex.repeat(4)},
    ]
    return records.map((record) => `${JSON.stringify({v: 1, ...record})}\n`).join('')
  })
  const uploads = path.join(state, 'uploads')
  mkdirSync(uploads, {recursive: true, mode: 0o700})
  writeFileSync(path.join(uploads, 'uploads.jsonl'), lines.join(''), {mode: 0o600})
}
