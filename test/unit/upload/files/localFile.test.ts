import {createHash} from 'node:crypto'
import {rmSync, statSync, truncateSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {fileStampOf, prove} from '../../../../src/upload/files/localFile.js'
import type {Chunk, LedgerEntry} from '../../../../src/upload/ledger/entry.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {beginning} from '../ledger/ledgerStage.js'

const part = 3_000_000
const content = Buffer.alloc(4 * part, 'content of a bundle, ')
const {signal} = new AbortController()

function fileWith(bytes: Buffer): string {
  const folder = freshFolder()
  const path = join(folder, 'a.bundle')
  writeFileSync(path, bytes)
  return path
}

function chunk(index: number, algorithm = 'sha1'): Chunk {
  const [from, to] = [index * part, (index + 1) * part]
  return {from, to, digest: createHash(algorithm).update(content.subarray(from, to)).digest('base64')}
}

/** An upload with two acknowledged parts and the third under way. */
function upload(facts: Partial<LedgerEntry> = {}): LedgerEntry {
  const at = '2026-12-01T12:00:00.000Z'
  return {
    id: 'a',
    ...beginning('a', {size: content.length}),
    begunAt: at,
    updatedAt: at,
    acked: [chunk(0), chunk(1)],
    inFlight: [chunk(2)],
    ...facts,
  }
}

/** The content with one byte changed, of the same length. */
function changedAt(offset: number): Buffer {
  const bytes = Buffer.from(content)
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
  return bytes
}

describe('an untouched file', () => {
  test('is proven as a whole without being read, even without digests', async () => {
    const path = fileWith(content)
    const stamp = fileStampOf(statSync(path, {bigint: true}))
    const {algorithm: _, ...plain} = upload({stamp, acked: [{from: 0, to: part}]})
    expect(await prove(path, plain, signal)).toBe(content.length)
  })

  test.each(['ino', 'mtimeNs', 'ctimeNs'] as const)('is another one if its %s differs', async (member) => {
    const path = fileWith(content)
    const stamp = {...fileStampOf(statSync(path, {bigint: true})), [member]: '1'}
    expect(await prove(path, upload({stamp, acked: [], algorithm: 'sha1'}), signal)).toBe(0)
  })
})

describe('a file with another stamp', () => {
  test.each(['sha1', 'sha256'] as const)('is proven as far as %s digests tell', async (algorithm) => {
    const path = fileWith(content)
    const entry = upload({
      algorithm,
      acked: [chunk(0, algorithm), chunk(1, algorithm)],
      inFlight: [chunk(2, algorithm)],
    })
    expect(await prove(path, entry, signal)).toBe(3 * part)
  })

  test.each([
    ['in the first part', 0, 0],
    ['at the end of the first part', part - 1, 0],
    ['in the second part', part, part],
    ['in the part that was on its way', 2 * part + 5, 2 * part],
    ['after all that was sent', 3 * part, 3 * part],
  ])('and one changed byte %s is proven up to the part before', async (_where, offset, provenTo) => {
    const path = fileWith(changedAt(offset))
    expect(await prove(path, upload(), signal)).toBe(provenTo)
  })

  test('is not taken for the same when only its time was put back', async () => {
    const path = fileWith(content)
    const {mtime, ...before} = statSync(path, {bigint: true})
    const stamp = fileStampOf({...before, ino: before.ino, mtimeNs: before.mtimeNs, ctimeNs: before.ctimeNs})
    await new Promise((resolve) => setTimeout(resolve, 20))
    writeFileSync(path, changedAt(7))
    utimesSync(path, mtime, mtime)
    expect(await prove(path, upload({stamp}), signal)).toBe(0)
  })

  test('with a part without a digest is proven by the chunk under way that holds that part', async () => {
    const path = fileWith(content)
    const entry = upload({acked: [chunk(0), {from: part, to: part + 100}], inFlight: [chunk(1)]})
    expect(await prove(path, entry, signal)).toBe(2 * part)
    expect(await prove(path, {...entry, inFlight: [chunk(2)]}, signal)).toBe(part)
  })

  test('is not proven at all without digests, or with another size', async () => {
    const path = fileWith(content)
    const bare = upload({acked: [{from: 0, to: part}], inFlight: [{from: part, to: 2 * part}]})
    expect(await prove(path, bare, signal)).toBe(0)
    truncateSync(path, content.length - 1)
    expect(await prove(path, upload(), signal)).toBe(0)
  })
})

test('a file that is gone is a failure that names it', async () => {
  const path = fileWith(content)
  rmSync(path)
  const {facts} = await failureOf(() => prove(path, upload(), signal))
  expect(facts).toMatchObject({exit: 'file', message: `cannot read ${path}`, why: 'no such file'})
})

test('a signal ends the reading', async () => {
  const path = fileWith(content)
  await expect(prove(path, upload(), AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
})
