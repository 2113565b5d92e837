import {once} from 'node:events'
import {existsSync, readFileSync, utimesSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {backupPath, type ProfileFile, readBytes} from '../../../src/profile/file.js'
import {readProfileFile} from '../../../src/profile/read.js'
import {changeProfileFile} from '../../../src/profile/write.js'
import {newConfigDir} from './folder.js'
import {bundleWriter, ended, type Writer} from './writerProcess.js'

let writer: Writer

beforeAll(async () => {
  writer = await bundleWriter()
})
afterAll(() => writer.remove())

/** A file large enough that writing it takes a while. */
function largeFile(): ProfileFile {
  const letters = (index: number) => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))
  const routes = Object.fromEntries(
    Array.from({length: 600}, (_, index) => [`room.${letters(index)}`, `GET /v1/rooms/{roomId}/${'x'.repeat(100)}`]),
  )
  return {version: 1, current: 'default', profiles: {default: {requester: 'n0'}, other: {routes}}}
}

/** As if ten seconds had gone by: the lock of the killed process is stale. */
function ageLock(configDir: string): void {
  const longAgo = Date.now() / 1000 - 60
  const lock = join(configDir, 'config.json.lock')
  if (existsSync(lock)) utimesSync(lock, longAgo, longAgo)
}

/** Lets a process write until it is killed without warning; the last number that it said was stored. */
async function writeAndDie(configDir: string, from: number): Promise<number> {
  const child = writer.start('count', configDir, String(from))
  const end = ended(child)
  if (child.stdout) await once(child.stdout, 'data')
  await sleep(Math.random() * 40)
  child.kill('SIGKILL')
  const {stdout, stderr} = await end
  expect(stderr).toBe('')
  return Number(stdout.trim().split('\n').at(-1))
}

test('forty kills in the middle of writing lose nothing that was stored', {timeout: 60_000}, async () => {
  const configDir = newConfigDir()
  await changeProfileFile(configDir, largeFile)
  let stored = 0
  for (let kill = 0; kill < 40; kill += 1) {
    stored = await writeAndDie(configDir, stored + 1)
    const file = readProfileFile(configDir)
    // The process may have stored one more than it had time to say.
    expect([`n${stored}`, `n${stored + 1}`]).toContain(file.profiles.default?.requester)
    expect(file.profiles.other).toEqual(largeFile().profiles.other)
    expect(readBytes(readFileSync(backupPath(configDir))).state).toBe('whole')
    ageLock(configDir)
  }
})
