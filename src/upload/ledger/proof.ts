import {createHash} from 'node:crypto'
import type {BigIntStats} from 'node:fs'
import {constants, type FileHandle, open} from 'node:fs/promises'
import {Failure} from '../../api/contract/failure.js'
import {systemReason} from '../../storage/disk/reason.js'
import type {Chunk, FileStamp, LedgerEntry} from './entry.js'

const blockBytes = 2 * 1024 * 1024

/** How far a file is known to hold what an upload sent. */
export interface Proof {
  /** Bytes from the start that certainly are the same. */
  readonly provenTo: number
  /** Nobody wrote the file since the upload began: the system says so, and nothing was read for it. */
  readonly untouched: boolean
}

/** The stamp of a file, of the stats that `fstat` gives with `bigint: true`. */
export function stampOf({ino, mtimeNs, ctimeNs}: Pick<BigIntStats, 'ino' | 'mtimeNs' | 'ctimeNs'>): FileStamp {
  return {ino: String(ino), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs)}
}

/**
 * Proves that the file at `path` begins with the bytes that an upload has sent. An equal stamp proves all of it; otherwise the
 * chunks that were acknowledged, and then the one that was on its way, are read again and held against their digests, up to
 * the first that differs or has none. Reads 2 MiB at a time. Raises a Failure (file) where the file cannot be read, and the
 * signal's reason when it ends the reading.
 */
export async function prove(path: string, entry: LedgerEntry, signal: AbortSignal): Promise<Proof> {
  let file: FileHandle | undefined
  try {
    // Without O_NONBLOCK a pipe would be waited for.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat({bigint: true})
    if (stats.size !== BigInt(entry.size)) return {provenTo: 0, untouched: false}
    if (sameStamp(stampOf(stats), entry.stamp)) return {provenTo: entry.size, untouched: true}
    return {provenTo: await provenPart(file, entry, signal), untouched: false}
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error
    throw new Failure({exit: 'file', message: `cannot read ${path}: ${systemReason(error)}`}, {cause: error})
  } finally {
    await file?.close()
  }
}

function sameStamp(one: FileStamp, other: FileStamp): boolean {
  return one.ino === other.ino && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs
}

async function provenPart(file: FileHandle, entry: LedgerEntry, signal: AbortSignal): Promise<number> {
  const {algorithm, acked, inFlight} = entry
  if (algorithm === undefined) return 0
  let proven = 0
  const block = Buffer.allocUnsafe(blockBytes)
  for (const chunk of inFlight ? [...acked, inFlight] : acked) {
    // A chunk without a digest may be part of the one that was on its way, whose digest then proves it.
    if (chunk.digest === undefined) continue
    if (chunk.from > proven || (await digestOf(file, chunk, algorithm, block, signal)) !== chunk.digest) break
    proven = Math.max(proven, chunk.to)
  }
  return proven
}

/** The digest (base64) of a part of the file; undefined where the file ends before it does. */
async function digestOf(
  file: FileHandle,
  {from, to}: Chunk,
  algorithm: string,
  block: Buffer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash(algorithm)
  for (let at = from; at < to; ) {
    signal.throwIfAborted()
    const {bytesRead} = await file.read(block, 0, Math.min(block.length, to - at), at)
    if (bytesRead === 0) return undefined
    hash.update(block.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('base64')
}
