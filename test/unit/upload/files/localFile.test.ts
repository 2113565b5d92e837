import {createHash} from 'node:crypto'
import {statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {contentOf} from '../../../../src/upload/engine/content.js'
import {openSource} from '../../../../src/upload/engine/fileSource.js'
import {fileStampOf, isSameStamp, provenBy} from '../../../../src/upload/files/localFile.js'
import type {Chunk, LedgerEntry} from '../../../../src/upload/ledger/entry.js'
import {freshFolder} from '../../../support/folder.js'
import {beginning} from '../ledger/ledgerStage.js'

const part = 3_000_000
const content = Buffer.alloc(4 * part, 'content of a bundle, ')

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

/** How far a file is proven to have the parts of an upload, as a run that resumes it reads them. */
async function provenTo(path: string, entry: LedgerEntry, assertGoing = () => {}): Promise<number> {
  const source = openSource({key: 'a', path})
  const content = contentOf(source, {isStamped: false, assertGoing})
  try {
    return await provenBy(entry, ({from, to}) => content.digest(from, to, entry.algorithm ?? 'sha1'))
  } finally {
    await content.release()
    await source.close()
  }
}

test.each(['ino', 'mtimeNs', 'ctimeNs'] as const)('a file is not taken for the same if its %s differs', (member) => {
  const stamp = fileStampOf(statSync(fileWith(content), {bigint: true}))
  expect(isSameStamp(stamp, {...stamp})).toBe(true)
  expect(isSameStamp(stamp, {...stamp, [member]: '1'})).toBe(false)
})

describe('a file with another stamp', () => {
  test.each(['sha1', 'sha256'] as const)('is proven as far as %s digests tell', async (algorithm) => {
    const path = fileWith(content)
    const entry = upload({
      algorithm,
      acked: [chunk(0, algorithm), chunk(1, algorithm)],
      inFlight: [chunk(2, algorithm)],
    })
    expect(await provenTo(path, entry)).toBe(3 * part)
  })

  test.each([
    ['in the first part', 0, 0],
    ['at the end of the first part', part - 1, 0],
    ['in the second part', part, part],
    ['in the part that was on its way', 2 * part + 5, 2 * part],
    ['after all that was sent', 3 * part, 3 * part],
  ])('and one changed byte %s is proven up to the part before', async (_where, offset, reached) => {
    const path = fileWith(changedAt(offset))
    expect(await provenTo(path, upload())).toBe(reached)
  })

  test('with a part without a digest is proven by the chunk under way that holds that part', async () => {
    const path = fileWith(content)
    const entry = upload({acked: [chunk(0), {from: part, to: part + 100}], inFlight: [chunk(1)]})
    expect(await provenTo(path, entry)).toBe(2 * part)
    expect(await provenTo(path, {...entry, inFlight: [chunk(2)]})).toBe(part)
  })

  test('is not proven at all without digests', async () => {
    const bare = upload({acked: [{from: 0, to: part}], inFlight: [{from: part, to: 2 * part}]})
    expect(await provenTo(fileWith(content), bare)).toBe(0)
  })
})

test('an interruption ends the reading', async () => {
  const stop = () => {
    throw new Error('stopped')
  }
  await expect(provenTo(fileWith(content), upload(), stop)).rejects.toThrow('stopped')
})
