import {spawn} from 'node:child_process'
import {existsSync, readdirSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {beforeAll, expect, test} from 'vitest'
import {draftEnd} from '../../../../src/storage/disk/replaceFile.js'
import {bundled} from '../../../support/bundled.js'
import {ended} from '../../../support/ended.js'
import {listed, newLog} from './foldStage.js'

const preload = fileURLToPath(new URL('../../../disk/preload.cjs', import.meta.url))
let script: string

beforeAll(async () => {
  script = await bundled(new URL('foldWriter.ts', import.meta.url), 'cjs')
})

/** A writing process, to whose files something happens at one of its calls. */
function write(path: string, words: readonly string[], fault: Readonly<Record<string, string>> = {}) {
  const argv = [...(fault.FAULT ? ['--require', preload] : []), script, path, ...words]
  return ended(spawn(process.execPath, argv, {env: {...process.env, ...fault}, stdio: ['ignore', 'pipe', 'pipe']}))
}

const ids = (text: string) => text.split('\n').filter((line) => line !== '')

test('processes that write at once lose no record, and each sees its own among those of the others', async () => {
  const path = newLog()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const ends = await Promise.all(names.map((name) => write(path, [name, '60'])))
  expect(ends.map(({code, stderr}) => ({code, stderr}))).toEqual(names.map(() => ({code: 0, stderr: ''})))
  const {records, log} = listed(path)
  expect(records.map(({id}) => id).sort()).toEqual(ends.flatMap(({stdout}) => ids(stdout)).sort())
  expect(log.damaged).toEqual([])
})

test.each(['kill', 'short'])(
  'of a log that is appended to and compacted nothing is lost that was said to be there: %s at each call in turn',
  {timeout: 120_000},
  async (kind) => {
    const path = newLog()
    const said: string[] = []
    const faultLog = `${path}.fault`
    for (let at = 1; ; at += 1) {
      const fault = {FAULT: kind, FAULT_AT: String(at), FAULT_BELOW: dirname(path), FAULT_LOG: faultLog}
      const {stdout, stderr, code} = await write(path, [`w${at}`, '3', 'compact'], fault)
      said.push(...ids(stdout))
      const {records} = listed(path)
      expect(said.filter((id) => !records.some((record) => record.id === id))).toEqual([])
      const isMet = existsSync(faultLog)
      // A full disk may refuse what makes room.
      expect(['', 'ENOSPC', 'ESHORT'], `${kind} at ${at}: ${stderr}`).toContain(stderr)
      if (!isMet) {
        expect({code, count: ids(stdout).length}).toEqual({code: 0, count: 3})
        expect(at).toBeGreaterThan(8)
        break
      }
      rmSync(faultLog)
      const left = readdirSync(dirname(path)).filter((name) => name !== 'log.jsonl')
      expect(left.filter((name) => !draftEnd.test(name))).toEqual([])
    }
    // The last compaction has removed cut lines.
    const one = listed(path)
    expect(one.records.length).toBeGreaterThanOrEqual(said.length)
    expect(one.log.damaged).toEqual([])
  },
)
