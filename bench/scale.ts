import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {appendToJournal, journalEntryId, journalIn} from '../src/storage/journal.js'
import {installRoomctl} from './installed.js'
import {measureRounds, median, type Subject, type Usage} from './measure.js'
import {printTable} from './print.js'
import {printAims, printResult, type Result} from './report.js'
import {openWorld} from './world.js'

export interface ScaleOptions {
  readonly rounds: number
  /** Rooms of the list that is streamed. */
  readonly rooms: number
  /** Changes in the full journal, and finished uploads in the full ledger. */
  readonly kept: number
  /** Files of the larger sync; a quarter of them in the smaller. */
  readonly files: number
}

/** What grows with use: lists, the journal, the ledger and a sync, each beside the same with little. */
export async function benchScale({rounds, rooms, kept, files}: ScaleOptions): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-bench-'))
  const remove = () => rmSync(folder, {recursive: true, force: true})
  process.once('exit', remove)
  process.once('SIGINT', () => process.exit(130))
  try {
    const roomctl = installRoomctl()
    await benchLists(roomctl, rooms)
    await benchKept(roomctl, folder, kept, rounds)
    await benchSync(roomctl, folder, files)
  } finally {
    remove()
  }
}

const floor = 'read and dropped'

/** The list as ids several times, since its peak varies, and in other forms once. */
async function benchLists(roomctl: string, rooms: number): Promise<void> {
  const world = await openWorld(rooms)
  const list = (...words: readonly string[]): Subject => ({
    name: words.join(' '),
    argv: [process.execPath, roomctl, 'room', 'list', ...words],
  })
  const readOnly = `require('node:http').get('${world.url}/v1/rooms', {agent: false}, (answer) => answer.resume())`
  const run = async (runs: number, lists: readonly Subject[]): Promise<Result> => ({
    title: `room list of ${rooms} rooms`,
    floor,
    rounds: await measureRounds({
      subjects: [{name: floor, argv: [process.execPath, '-e', readOnly]}, ...lists],
      runs,
      warmups: 0,
      env: world.env,
    }),
    aims: lists.map(({name}) => ({of: name, figure: 'peak MiB', atMost: 150})),
  })
  try {
    const often = await run(3, [list('-o', 'ids')])
    const once = await run(1, [list('-o', 'ndjson'), list('-o', 'csv'), list('--where', 'max=50', '-o', 'ids')])
    for (const result of [often, once]) printResult(result)
    printAims([often, once])
  } finally {
    world.close()
  }
}

function middle(runs: readonly Usage[], of: 'cpu' | 'wall' | 'peak'): number {
  return median(runs.map((run) => run[of]))
}

/** Commands that look at what was kept, with how many times as much CPU they may take over a full state folder. */
const commands: readonly {readonly words: readonly string[]; readonly aim: number}[] = [
  {words: ['history', '--limit', '5'], aim: 1.3},
  {words: ['undo', '--dry-run'], aim: 1.3},
  {words: ['asset', 'uploads'], aim: 1.2},
]

async function benchKept(roomctl: string, folder: string, kept: number, rounds: number): Promise<void> {
  const states = {empty: path.join(folder, 'empty'), full: path.join(folder, 'full')}
  for (const [state, count] of [
    [states.empty, 1],
    [states.full, kept],
  ] as const) {
    writeJournal(state, count)
    writeLedger(state, count)
  }
  const subjects = commands.flatMap(({words}) =>
    Object.entries(states).map(
      ([name, state]): Subject => ({
        name: `${words.join(' ')}, ${name}`,
        argv: [process.execPath, roomctl, ...words],
        env: {ROOMCTL_STATE_DIR: state},
      }),
    ),
  )
  const {env, close} = await openWorld(1)
  const results = await measureRounds({subjects, runs: rounds, env}).finally(close)
  printTable(
    `a journal of ${kept} changes and a ledger of ${kept} finished uploads, beside one of each; ${rounds} rounds, medians of the ratios of each`,
    ['', 'cpu x', 'aim', 'cpu ms', 'empty ms', 'peak MiB', 'empty MiB'],
    commands.map(({words, aim}) => {
      const [full = [], empty = []] = ['full', 'empty'].map((name) => results[`${words.join(' ')}, ${name}`])
      return [
        words.join(' '),
        median(full.map(({cpu}, round) => cpu / (empty[round]?.cpu ?? Number.NaN))).toFixed(2),
        aim.toFixed(1),
        ...[full, empty].map((runs) => (middle(runs, 'cpu') * 1000).toFixed(0)),
        ...[full, empty].map((runs) => (middle(runs, 'peak') / 2 ** 20).toFixed(0)),
      ]
    }),
  )
}

const begun = Date.parse('2026-01-01T00:00:00Z')
/** Entries that are written at a time, about as large as a file of the journal. */
const together = 25_000

function writeJournal(state: string, count: number): void {
  for (let from = 0; from < count; from += together) {
    const entries = Array.from({length: Math.min(together, count - from)}, (_, at) => {
      const moment = new Date(begun + (from + at) * 5)
      const targets = {roomId: `5f3c9a1e-${String(from + at).padStart(8, '0')}`, attendees: ['ben']}
      const id = journalEntryId(moment)
      const done = {profile: 'default', operation: 'attendee.block', as: 'ann', outcome: 'done'} as const
      return {id, at: moment.toISOString(), ...done, targets}
    })
    appendToJournal(journalIn(state), ...entries)
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
