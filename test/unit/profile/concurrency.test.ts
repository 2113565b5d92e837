import {mkdirSync, readdirSync, utimesSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {readProfileFile} from '../../../src/profile/read.js'
import {newConfigDir} from './folder.js'
import {bundleWriter, ended, type Writer} from './writerProcess.js'

let writer: Writer

beforeAll(async () => {
  writer = await bundleWriter()
})
afterAll(() => writer.remove())

/** Runs one process per name, at most `width` at the same time, and gives back what the failed ones said. */
async function addAll(configDir: string, names: readonly string[], width: number): Promise<string[]> {
  const waiting = [...names]
  const failed: string[] = []
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const {code, stderr} = await ended(writer.start('add', configDir, name))
      if (code !== 0) failed.push(stderr)
    }
  }
  await Promise.all(Array.from({length: width}, work))
  return failed
}

function numbered(count: number): string[] {
  return Array.from({length: count}, (_, index) => `p${index}`)
}

test('two hundred processes that set a value at the same time all succeed and lose none', {
  timeout: 60_000,
}, async () => {
  const configDir = newConfigDir()
  const names = numbered(200)
  expect(await addAll(configDir, names, 50)).toEqual([])
  const {profiles} = readProfileFile(configDir)
  expect(Object.keys(profiles).sort()).toEqual([...names].sort())
  expect(names.map((name) => profiles[name]?.requester)).toEqual(names)
  expect(readdirSync(configDir).sort()).toEqual(['config.backup.json', 'config.json'])
})

test('a lock that a killed process left is taken over and no change of the waiters is lost', async () => {
  const configDir = newConfigDir()
  const lock = join(configDir, 'config.json.lock')
  mkdirSync(lock, {recursive: true})
  const longAgo = Date.now() / 1000 - 60
  utimesSync(lock, longAgo, longAgo)
  const names = numbered(16)
  expect(await addAll(configDir, names, names.length)).toEqual([])
  expect(Object.keys(readProfileFile(configDir).profiles).sort()).toEqual([...names].sort())
})
