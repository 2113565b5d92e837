import {createHash} from 'node:crypto'
import {constants, type FileHandle, open} from 'node:fs/promises'
import {Failure} from '../../api/contract/failure.js'
import {systemReason} from '../../storage/disk/reason.js'
import type {UploadTarget} from './entry.js'

const kibibyte = 1024
/** A file up to this size is its own sample. */
export const wholeUpTo = 1024 * kibibyte
const edge = 256 * kibibyte
const inner = {count: 8, bytes: 64 * kibibyte}

/**
 * A digest (sha256, hex) of the size and of samples of a file: the digest of all of it up to 1 MiB, else its first and last 256 KiB and
 * eight blocks of 64 KiB between them. Cheap for any size, and no proof that two files are the same. Raises a Failure (file)
 * where the file cannot be read or is no longer as long as `size`.
 */
export async function sampleOf(path: string, size: number): Promise<string> {
  let file: FileHandle | undefined
  try {
    // Without O_NONBLOCK a pipe would be waited for.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const opened = file
    return await sampleFrom(size, (from, bytes) => readPart(opened, path, from, bytes))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure({exit: 'file', message: `cannot read ${path}: ${systemReason(error)}`}, {cause: error})
  } finally {
    await file?.close()
  }
}

/** The same of a file that is open: `read` gives so many bytes of it from an offset on. */
export async function sampleFrom(
  size: number,
  read: (from: number, bytes: number) => Promise<Buffer>,
): Promise<string> {
  if (size <= wholeUpTo) {
    const content = size === 0 ? Buffer.alloc(0) : await read(0, size)
    return sampleOfWhole(size, createHash('sha256').update(content).digest('hex'))
  }
  const hash = createHash('sha256').update(`${size}\n`)
  for (const {from, bytes} of partsOf(size)) hash.update(await read(from, bytes))
  return hash.digest('hex')
}

/** The same of a file of up to 1 MiB whose sha256 (hex) is known. */
export function sampleOfWhole(size: number, sha256: string): string {
  return createHash('sha256').update(`${size}\n${sha256}`).digest('hex')
}

/**
 * The id of an upload, 16 hex digits: the same for the same content under the same name in the same place, whatever path and
 * machine it comes from.
 */
export function entryId(target: UploadTarget, size: number, sample: string): string {
  const {base, container, name, platform, description, link} = target
  const facts = JSON.stringify([base, container, name, platform, description, link ?? null, size, sample])
  return createHash('sha256').update(facts).digest('hex').slice(0, 16)
}

interface Part {
  readonly from: number
  readonly bytes: number
}

function partsOf(size: number): Part[] {
  const step = (size - 2 * edge) / (inner.count + 1)
  const between = Array.from({length: inner.count}, (_, at) => {
    const from = Math.floor(edge + (at + 1) * step)
    return {from, bytes: Math.min(inner.bytes, size - from)}
  })
  return [{from: 0, bytes: edge}, ...between, {from: size - edge, bytes: edge}]
}

async function readPart(file: FileHandle, path: string, from: number, bytes: number): Promise<Buffer> {
  const block = Buffer.allocUnsafe(bytes)
  let filled = 0
  while (filled < bytes) {
    const {bytesRead} = await file.read(block, filled, bytes - filled, from + filled)
    if (bytesRead === 0) {
      throw new Failure({
        exit: 'file',
        code: 'file-changed',
        message: `cannot upload ${path}: it has become shorter while it was read`,
        try: 'run the command again once nothing writes the file any more',
      })
    }
    filled += bytesRead
  }
  return block
}
