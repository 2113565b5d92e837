import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {beforeAll, expect, test} from 'vitest'
import {draftEnd} from '../../../../src/storage/disk/replaceFile.js'
import {ended} from '../../../support/ended.js'
import {
  beginning,
  bundleWriter,
  fileOf,
  ledgerIn,
  linesIn,
  newFolder,
  noon,
  startWriter,
  withClaim,
} from './ledgerStage.js'

// A ledger is closed that has N finished uploads that most are moved out of its log. The process is killed before the first
// call that changes the disk, then before the second and so on; or the disk is full from that call on.

const preload = fileURLToPath(new URL('../../../disk/preload.cjs', import.meta.url))
const at = noon.toISOString()
/** A ledger is tidied up from 150 on. */
const ids = Array.from({length: 400}, (_, number) => `u-${number}`)
let writer: string

beforeAll(async () => {
  writer = await bundleWriter()
})

/** Lines of uploads, all to one place, so that they go into one file. */
function linesOf(some: readonly string[]): string {
  const lines = some.flatMap((id) => [
    {kind: 'entry', id, ...beginning(id, {name: 'same'}), begunAt: at, updatedAt: at, acked: []},
    {kind: 'done', id, at, uuid: id, sha256: null},
  ])
  return lines.map((line) => `${JSON.stringify({v: 1, ...line})}\n`).join('')
}

/** A ledger with some finished uploads outside its log, and as many that are to leave it. */
async function longLedger(): Promise<string> {
  const dir = newFolder()
  mkdirSync(dir, {recursive: true})
  writeFileSync(fileOf(dir), linesOf(ids.slice(0, 220)))
  const ledger = await ledgerIn(dir)
  await withClaim(ledger, 'none', (claim) => claim.forget())
  await ledger.close()
  expect(linesIn(dir)).toHaveLength(50)
  appendFileSync(fileOf(dir), linesOf(ids.slice(220)))
  return dir
}

/** Leftovers of ended processes are stale. */
function passTime(dir: string): void {
  const long = new Date(Date.now() - 3_600_000)
  const left = readdirSync(dir, {recursive: true, encoding: 'utf8'})
  for (const name of left) if (/\.lock|\.tmp-|^runs\//u.test(name)) utimesSync(join(dir, name), long, long)
}

/** Runs `finish`; gives the call that the fault was at, undefined if there were fewer. */
async function finish(dir: string, forgotten: string, fault: Readonly<Record<string, string>>) {
  const log = join(dir, '../fault')
  const env = {NODE_OPTIONS: `--require ${preload}`, FAULT_BELOW: dir, FAULT_LOG: log, ...fault}
  const end = await ended(startWriter(writer, ['finish', dir, forgotten], {env}))
  const call = existsSync(log) ? readFileSync(log, 'utf8').trim() : undefined
  rmSync(log, {force: true})
  return {...end, call}
}

test.each(['kill', 'short'])(
  'a ledger loses nothing while it is tidied up, and the next process tidies it up: %s at each call in turn',
  {timeout: 600_000},
  async (FAULT) => {
    const template = await longLedger()
    for (let number = 1; ; number += 1) {
      const dir = newFolder()
      cpSync(template, dir, {recursive: true})
      const {call, stdout} = await finish(dir, 'u-3', {FAULT, FAULT_AT: String(number)})
      const known = (await ledgerIn(dir)).list()
      const done = known.filter((entry) => entry.done).map(({id}) => id)
      expect(
        ids.filter((id) => id !== 'u-3' && !done.includes(id)),
        `${FAULT} at ${call}`,
      ).toEqual([])
      expect([
        stdout.includes('late') && !done.includes('late'),
        stdout.includes('late') && done.includes('u-3'),
      ]).toEqual([false, false])
      expect(new Set(done).size).toBe(done.length)
      passTime(dir)
      const next = await ledgerIn(dir)
      await withClaim(next, 'u-4', (claim) => claim.forget())
      await next.close()
      const after = await ledgerIn(dir)
      const expected = known.map(({id}) => id).filter((id) => id !== 'u-4')
      expect(
        after
          .list()
          .map(({id}) => id)
          .sort(),
        `${FAULT} at ${call}`,
      ).toEqual(expected.sort())
      expect(linesIn(dir).filter((line) => line.includes('"done"')).length).toBeLessThan(51)
      expect(
        readdirSync(dir).filter(
          (name) => !draftEnd.test(name) && !/^uploads\.jsonl(?:\.done\...)?$|^runs$/u.test(name),
        ),
      ).toEqual([])
      if (call !== undefined) continue
      expect(number).toBeGreaterThan(15)
      return
    }
  },
)
