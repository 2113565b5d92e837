import {createHash} from 'node:crypto'
import {type BigIntStats, readFileSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {Failure, fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import type {Chunk, FileStamp, LedgerEntry} from '../ledger/entry.js'

const kibibyte = 1024
/** A file up to this size is its own sample. */
export const wholeUpTo = 1024 * kibibyte
const edge = 256 * kibibyte
const inner = {count: 8, bytes: 64 * kibibyte}

/**
 * The sample of a file: a sha256 (hex) of its size and, above 1 MiB, of its first and last 256 KiB and eight blocks of 64 KiB between
 * them. Cheap for any size, and no proof that two files are the same. `read` returns bytes from an offset on.
 */
export function sampleFrom(size: number, read: (from: number, bytes: number) => Buffer): string {
  const hash = createHash('sha256').update(`${size}\n`)
  for (const {from, to} of sampledParts(size)) hash.update(read(from, to - from))
  return hash.digest('hex')
}

/** The same for a file of up to 1 MiB with a known sha256 (hex). */
export function sampleOfWhole(size: number, sha256: string): string {
  return createHash('sha256').update(`${size}\n${sha256}`).digest('hex')
}

function sampledParts(size: number): Chunk[] {
  const step = (size - 2 * edge) / (inner.count + 1)
  const between = Array.from({length: inner.count}, (_, at) => {
    const from = Math.floor(edge + (at + 1) * step)
    return {from, to: Math.min(from + inner.bytes, size)}
  })
  return [{from: 0, to: edge}, ...between, {from: size - edge, to: size}]
}

export function fileStampOf({ino, mtimeNs, ctimeNs}: Pick<BigIntStats, 'ino' | 'mtimeNs' | 'ctimeNs'>): FileStamp {
  return {ino: String(ino), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs)}
}

export function isSameStamp(stamp: FileStamp, other: FileStamp): boolean {
  return stamp.ino === other.ino && stamp.mtimeNs === other.mtimeNs && stamp.ctimeNs === other.ctimeNs
}

/** How far the chunks of an upload, acknowledged and then on their way, have the digests of the file. */
export async function provenBy(
  {acked, inFlight = []}: LedgerEntry,
  digestIn: (chunk: Chunk) => Promise<string>,
): Promise<number> {
  let proven = 0
  for (const chunk of [...acked, ...inFlight]) {
    // A chunk without a digest may be part of the unacknowledged one, whose digest then proves it.
    if (chunk.digest === undefined) continue
    if (chunk.from > proven || (await digestIn(chunk)) !== chunk.digest) break
    proven = Math.max(proven, chunk.to)
  }
  return proven
}

/** The sha256 of a file in hex. A small one, by `size`, is read at once, in a tenth of the time. Throws Failure (file), the signal's error. */
export async function digestOf(path: string, signal?: AbortSignal, size?: number): Promise<string> {
  const hash = createHash('sha256')
  try {
    if (size !== undefined && size <= wholeUpTo) return hash.update(readFileSync(path)).digest('hex')
    // One block for all: new blocks of a stream cost as much as the digest.
    const file = await open(path)
    const block = Buffer.allocUnsafeSlow(wholeUpTo)
    try {
      for (;;) {
        signal?.throwIfAborted()
        const {bytesRead} = await file.read(block, 0, block.length, null)
        if (bytesRead === 0) return hash.digest('hex')
        hash.update(block.subarray(0, bytesRead))
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): Error {
  if (error instanceof Failure) return error
  return fileFailure(`cannot read ${path}`, {why: systemReason(error)}, {cause: error})
}
