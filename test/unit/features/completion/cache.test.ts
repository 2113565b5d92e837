import {mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {type CachedItem, readThroughCache} from '../../../../src/features/completion/cache.js'
import {freshFolder} from '../../../support/folder.js'

const noon = new Date()
const later = (ms: number) => new Date(noon.getTime() + ms)
const list: CachedItem[] = [
  ['r-1', 'Standup', 'MEETING'],
  ['ann', ''],
]
const key = ['live', 'https://rooms.example.com', 'rooms']

let folder: string
let reads: number

beforeEach(() => {
  folder = freshFolder()
  reads = 0
})

function ask(now = noon, of: readonly string[] = key, found: CachedItem[] = list) {
  return readThroughCache({folder, now}, of, async () => {
    reads += 1
    return found
  })
}
const own = () => path.join(folder, 'completion')
const files = () => readdirSync(own()).map((name) => path.join(own(), name))

describe('a list that was read', () => {
  test('is offered for a minute without reading it again', async () => {
    expect(await ask()).toEqual(list)
    expect(await ask(later(59_999))).toEqual(list)
    expect(reads).toBe(1)
    await ask(later(60_000))
    expect(reads).toBe(2)
  })

  test('is read again where the clock went back', async () => {
    await ask()
    await ask(later(-1))
    expect(reads).toBe(2)
  })

  test('is kept for its profile, its address and its question alone', async () => {
    await ask()
    await ask(noon, ['other', ...key.slice(1)])
    await ask(noon, ['live', 'https://other.example.com', 'rooms'])
    await ask(noon, [...key, 'biz'])
    expect(reads).toBe(4)
  })

  test('that is old is removed when another one is kept', async () => {
    await ask()
    const twoMinutesAgo = new Date(Date.now() - 120_000)
    for (const file of files()) utimesSync(file, twoMinutesAgo, twoMinutesAgo)
    await ask(later(120_000), ['other'])
    expect(files()).toHaveLength(1)
  })
})

test.each([
  ['damaged', '{"at":'],
  ['of another shape', '{"at": 1, "list": [["a", 1]]}'],
  ['empty', ''],
])('another file than a list since it is %s, is read again', async (_, text) => {
  await ask()
  for (const file of files()) writeFileSync(file, text)
  expect(await ask()).toEqual(list)
  expect(reads).toBe(2)
})

test('a cache folder that cannot be made keeps nothing and hides nothing', async () => {
  writeFileSync(path.join(folder, 'completion'), 'a file stands here')
  expect(await ask()).toEqual(list)
  rmSync(path.join(folder, 'completion'))
  mkdirSync(own())
  expect(await ask()).toEqual(list)
})

test('a read that fails is not kept', async () => {
  const failing = readThroughCache({folder, now: noon}, key, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(await ask()).toEqual(list)
})
