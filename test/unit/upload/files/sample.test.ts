import {createHash} from 'node:crypto'
import {closeSync, ftruncateSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {sampleOf} from '../../../../src/upload/files/localFile.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'

function newPath(): string {
  const folder = freshFolder()
  return join(folder, 'a.bundle')
}

function fileWith(bytes: Buffer | string): string {
  const path = newPath()
  writeFileSync(path, bytes)
  return path
}

describe('the sample of a file', () => {
  test('of up to 1 MiB is the digest of its size and of the digest of all of it', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(await sampleOf(fileWith('hello bundle'), 12)).toBe(sha256(`12\n${sha256('hello bundle')}`))
    expect(await sampleOf(fileWith(''), 0)).toBe(sha256(`0\n${sha256('')}`))
  })

  test('differs where any byte of a small file does', async () => {
    const bytes = Buffer.alloc(1024 * 1024, 7)
    const before = await sampleOf(fileWith(bytes), bytes.length)
    for (const offset of [0, 300_000, 700_000, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[offset] = 8
      expect(await sampleOf(fileWith(changed), bytes.length)).not.toBe(before)
    }
  })

  test('of a large file looks at its start, its end and between, and is the same on every path', async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'bundle')
    const before = await sampleOf(fileWith(bytes), bytes.length)
    expect(await sampleOf(fileWith(bytes), bytes.length)).toBe(before)
    const middle = Math.floor(256 * 1024 + (bytes.length - 512 * 1024) / 9)
    for (const offset of [0, 256 * 1024 - 1, middle, bytes.length - 256 * 1024, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
      expect(await sampleOf(fileWith(changed), bytes.length)).not.toBe(before)
    }
  })

  test('of one byte more than 1 MiB can be taken, and of more than 4 GiB in no time', async () => {
    expect(await sampleOf(fileWith(Buffer.alloc(1024 * 1024 + 1)), 1024 * 1024 + 1)).toMatch(/^[0-9a-f]{64}$/u)
    const path = newPath()
    const size = 5 * 1024 ** 3
    const descriptor = openSync(path, 'w')
    ftruncateSync(descriptor, size)
    const before = await sampleOf(path, size)
    writeSync(descriptor, 'x', size - 1)
    closeSync(descriptor)
    expect(await sampleOf(path, size)).not.toBe(before)
  })

  test('of a file that is shorter than it was is a failure', async () => {
    const path = fileWith('hello bundle')
    truncateSync(path, 5)
    expect((await failureOf(() => sampleOf(path, 12))).facts).toMatchObject({exit: 'file', code: 'file-changed'})
  })

  test.each([
    ['gone', (path: string) => rmSync(path), 'no such file'],
    ['a folder', replaceByFolder, 'it is a folder'],
  ])('of a file that is %s is a failure that says so', async (_what, spoil, why) => {
    const path = fileWith('hello bundle')
    spoil(path)
    expect((await failureOf(() => sampleOf(path, 12))).facts).toMatchObject({
      exit: 'file',
      message: `cannot read ${path}`,
      why,
    })
  })
})

function replaceByFolder(path: string): void {
  rmSync(path)
  mkdirSync(path)
}
