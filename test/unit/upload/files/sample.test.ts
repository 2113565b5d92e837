import {createHash} from 'node:crypto'
import {closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {sampleOf} from '../../../../src/upload/engine/content.js'
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

const sampleAt = (path: string) => sampleOf({key: 'a.bundle', path})

describe('the sample of a file', () => {
  test('of up to 1 MiB is the digest of its size and of the digest of all of it', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(await sampleAt(fileWith('hello bundle'))).toBe(sha256(`12\n${sha256('hello bundle')}`))
    expect(await sampleAt(fileWith(''))).toBe(sha256(`0\n${sha256('')}`))
  })

  test('differs where any byte of a small file does', async () => {
    const bytes = Buffer.alloc(1024 * 1024, 7)
    const before = await sampleAt(fileWith(bytes))
    for (const offset of [0, 300_000, 700_000, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[offset] = 8
      expect(await sampleAt(fileWith(changed))).not.toBe(before)
    }
  })

  test('of a large file looks at its start, its end and between, and is the same on every path', async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'bundle')
    const before = await sampleAt(fileWith(bytes))
    expect(await sampleAt(fileWith(bytes))).toBe(before)
    const middle = Math.floor(256 * 1024 + (bytes.length - 512 * 1024) / 9)
    for (const offset of [0, 256 * 1024 - 1, middle, bytes.length - 256 * 1024, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
      expect(await sampleAt(fileWith(changed))).not.toBe(before)
    }
  })

  test('of one byte more than 1 MiB can be taken, and of more than 4 GiB in no time', async () => {
    expect(await sampleAt(fileWith(Buffer.alloc(1024 * 1024 + 1)))).toMatch(/^[0-9a-f]{64}$/u)
    const path = newPath()
    const size = 5 * 1024 ** 3
    const descriptor = openSync(path, 'w')
    ftruncateSync(descriptor, size)
    const before = await sampleAt(path)
    writeSync(descriptor, 'x', size - 1)
    closeSync(descriptor)
    expect(await sampleAt(path)).not.toBe(before)
  })

  test.each([
    ['gone', (path: string) => rmSync(path), 'no such file'],
    ['a folder', replaceByFolder, 'it is a folder, and only an ordinary file can be uploaded'],
  ])('of a file that is %s is a failure that says so', async (_what, spoil, why) => {
    const path = fileWith('hello bundle')
    spoil(path)
    expect((await failureOf(() => sampleAt(path))).facts).toMatchObject({
      exit: 'file',
      message: `cannot upload a.bundle: ${why}`,
    })
  })
})

function replaceByFolder(path: string): void {
  rmSync(path)
  mkdirSync(path)
}
