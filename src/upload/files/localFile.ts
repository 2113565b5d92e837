import {createHash} from 'node:crypto'
import {type BigIntStats, readFileSync} from 'node:fs'
import {constants, type FileHandle, open} from 'node:fs/promises'
import {Failure, fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import type {Chunk, FileStamp, LedgerEntry} from '../ledger/entry.js'

const kibibyte = 1024
/** A file up to this size is its own sample. */
export const wholeUpTo = 1024 * kibibyte
const edge = 256 * kibibyte
const inner = {count: 8, bytes: 64 * kibibyte}
const blockBytes = 2 * 1024 * kibibyte

/**
 * A sha256 (hex) of the size and of the content up to 1 MiB, else of its first and last 256 KiB and eight blocks of 64 KiB between
 * them. Cheap for any size, and no proof that two files are the same. Throws Failure (file).
 */
export function sampleOf(path: string, size: number): Promise<string> {
  return reading(path, (file) =>
    sampleFrom(size, async (from, bytes) => {
      const part = await readPart(file, Buffer.allocUnsafe(bytes), from)
      if (part.length === bytes) return part
      throw fileFailure(`cannot upload ${path}: it shrank while it was read`, {
        code: 'file-changed',
        try: 'run the command again once nothing writes the file any more',
      })
    }),
  )
}

/** The same for an open file: `read` returns bytes from an offset on. */
export async function sampleFrom(
  size: number,
  read: (from: number, bytes: number) => Promise<Buffer>,
): Promise<string> {
  if (size <= wholeUpTo) {
    const content = size === 0 ? Buffer.alloc(0) : await read(0, size)
    return sampleOfWhole(size, createHash('sha256').update(content).digest('hex'))
  }
  const hash = createHash('sha256').update(`${size}\n`)
  for (const {from, to} of sampledParts(size)) hash.update(await read(from, to - from))
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

/**
 * The number of bytes of the file that certainly equal those of an upload: all if the stamp is equal, else as far as the digests of its
 * chunks, acknowledged and then on their way, agree. Throws Failure (file) and the signal's reason.
 */
export function prove(path: string, entry: LedgerEntry, signal: AbortSignal): Promise<number> {
  return reading(path, async (file) => {
    const stats = await file.stat({bigint: true})
    if (stats.size !== BigInt(entry.size)) return 0
    const {ino, mtimeNs, ctimeNs} = fileStampOf(stats)
    const {stamp} = entry
    const untouched = ino === stamp.ino && mtimeNs === stamp.mtimeNs && ctimeNs === stamp.ctimeNs
    return untouched ? entry.size : provenPart(file, entry, signal)
  })
}

async function provenPart(file: FileHandle, entry: LedgerEntry, signal: AbortSignal): Promise<number> {
  const {algorithm} = entry
  if (algorithm === undefined) return 0
  const block = Buffer.allocUnsafe(blockBytes)
  return provenBy(entry, (chunk) => partDigest(file, chunk, algorithm, block, signal))
}

/** How far the chunks of an upload, acknowledged and then on their way, have the digests of the file. */
export async function provenBy(
  {acked, inFlight = []}: LedgerEntry,
  digestIn: (chunk: Chunk) => Promise<string | undefined>,
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

async function partDigest(
  file: FileHandle,
  {from, to}: Chunk,
  algorithm: string,
  block: Buffer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash(algorithm)
  for (let at = from; at < to; ) {
    signal.throwIfAborted()
    const part = await readPart(file, block.subarray(0, to - at), at)
    if (part.length === 0) return undefined
    hash.update(part)
    at += part.length
  }
  return hash.digest('base64')
}

/** Fills a block from an offset of the file; returns the filled part. */
export async function readPart(file: FileHandle, block: Buffer, from: number): Promise<Buffer> {
  let filled = 0
  while (filled < block.length) {
    const {bytesRead} = await file.read(block, filled, block.length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return block.subarray(0, filled)
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

/** Opens a file for `work`. Throws Failure (file) for an error of the system, and what else `work` throws. */
async function reading<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  let file: FileHandle | undefined
  try {
    // Without O_NONBLOCK a pipe would be waited for.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    return await work(file)
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    await file?.close()
  }
}

function unreadable(path: string, error: unknown): Error {
  if (error instanceof Failure) return error
  return fileFailure(`cannot read ${path}`, {why: systemReason(error)}, {cause: error})
}
