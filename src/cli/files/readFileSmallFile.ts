import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs'
import {Failure} from '../../api/contract/failure.js'
import {unreadableFile} from './readFileTextFile.js'

export interface SmallFile {
  readonly bytes: Buffer<ArrayBuffer>
  /** Whether others than its owner may read it. */
  readonly isOpenToOthers: boolean
}

export interface SmallFileLimits {
  readonly maxBytes: number
  /** The limit for people: `1 MiB`. */
  readonly most: string
  /** What to do where it is no file that can be read. */
  readonly advice?: string
}

/**
 * The bytes of a regular file that must be small. Raises a Failure (file): it cannot be read, is a folder, a pipe or a device,
 * or is larger than it may be. Never waits: a pipe that nobody writes to is refused like any other.
 */
export function readSmallFile(path: string, {maxBytes, most, advice}: SmallFileLimits): SmallFile {
  const file = openForReading(path, advice)
  try {
    const stat = fstatSync(file)
    const refuse = (why: string) => new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice})
    if (stat.isDirectory()) throw refuse('it is a folder')
    if (!stat.isFile()) throw refuse('it is no regular file: a pipe or a device')
    const bytes = readUpTo(file, maxBytes + 1)
    if (bytes.length > maxBytes) throw refuse(`it is larger than ${most}`)
    return {bytes, isOpenToOthers: (stat.mode & 0o077) !== 0}
  } catch (error) {
    throw error instanceof Failure ? error : unreadableFile(path, error, advice)
  } finally {
    closeSync(file)
  }
}

/** A descriptor of what is there, without waiting for the other end of a pipe. Raises a Failure (file). */
export function openForReading(path: string, advice?: string): number {
  try {
    // Windows has no such flag, and no such pipes.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw unreadableFile(path, error, advice)
  }
}

/** What a file holds, at most so many bytes. The size that it states is not asked: some of the system's files state none. */
export function readUpTo(file: number, most: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafe(most)
  let size = 0
  for (let read = -1; read !== 0 && size < most; size += read) read = readSync(file, buffer, size, most - size, null)
  return Buffer.from(buffer.subarray(0, size))
}
