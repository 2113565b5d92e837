import {existsSync, mkdirSync, utimesSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {whileProfileLocked} from '../../../../src/storage/profile/write.js'
import {newConfigDir, rejectionOf} from './folder.js'

function newFolder(): string {
  const folder = newConfigDir()
  mkdirSync(folder)
  return folder
}

/** Sixteen pieces of work under the lock; the largest number of them that was under way at once. */
async function mostAtOnce(folder: string): Promise<number> {
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await sleep(2)
    inside -= 1
  }
  await Promise.all(Array.from({length: 16}, () => whileProfileLocked(folder, work)))
  return most
}

test('processes that find a stale lock at once enter one at a time', async () => {
  const folder = newFolder()
  const lock = join(folder, 'config.json.lock')
  mkdirSync(lock)
  const longAgo = Date.now() / 1000 - 60
  utimesSync(lock, longAgo, longAgo)
  expect(await mostAtOnce(folder)).toBe(1)
  expect(existsSync(lock)).toBe(false)
})

test('a lock and a takeover that a killed process left are taken over', async () => {
  const folder = newFolder()
  const longAgo = Date.now() / 1000 - 60
  for (const name of ['config.json.lock', 'config.json.lock.takeover']) {
    mkdirSync(join(folder, name))
    utimesSync(join(folder, name), longAgo, longAgo)
  }
  expect(await whileProfileLocked(folder, () => 'done')).toBe('done')
})

test('a failure under the lock is thrown, and frees the lock', async () => {
  const folder = newFolder()
  const failing = whileProfileLocked(folder, () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await whileProfileLocked(folder, () => 'next')).toBe('next')
})

test('a lock that is held is left alone, and named after the wait', async () => {
  const folder = newFolder()
  const lock = join(folder, 'config.json.lock')
  mkdirSync(lock)
  const problem = await rejectionOf(whileProfileLocked(folder, () => 'never', 200))
  expect(problem.facts.exit).toBe('configuration')
  expect(problem.message).toBe('another roomctl has locked the profile file for 0.2 s')
  expect(problem.facts.try).toContain(`rmdir ${lock}`)
  expect(existsSync(lock)).toBe(true)
})
