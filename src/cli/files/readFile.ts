import {isUtf8} from 'node:buffer'
import {constants, createReadStream, fstatSync, openSync, readFileSync, readSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {Failure, fileFailure} from '../../failure.js'
import {reasonOf, thenClose} from '../../storage/disk/privateFile.js'
import {encodingAdvice, readBytes, stdinNotText} from '../../terminal/input.js'
import {Interrupted} from '../../terminal/questions.js'

/** The bytes of a file or a pipe, whole. Throws Failure (file). */
export function readFileBytes(path: string, advice: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw cannotRead(path, reasonOf(error), advice, error)
  }
}

/**
 * The text of a file, or of stdin if `path` is `-`, without a byte order mark. `otherwise`: what to do beside converting it. Throws
 * Failure (file, or usage for stdin), also for zero bytes: UTF-16 of ASCII letters is valid UTF-8 with zero bytes.
 */
export function decodeText(bytes: Uint8Array, path: string, otherwise?: string): string {
  if (isText(bytes)) return new TextDecoder().decode(bytes)
  const advice = otherwise === undefined ? encodingAdvice : `${encodingAdvice}; ${otherwise}`
  const line = `line ${damagedLine(bytes)}`
  throw path === '-' ? stdinNotText(line, advice) : cannotRead(path, `${line} is not UTF-8 text`, advice)
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

function damagedLine(bytes: Uint8Array): number {
  let number = 1
  for (let start = 0, end = 0; start < bytes.length; start = end, number += 1) {
    end = bytes.indexOf(0x0a, start) + 1 || bytes.length
    if (!isText(bytes.subarray(start, end))) return number
  }
  return number
}

interface SmallFile {
  readonly bytes: Buffer<ArrayBuffer>
  readonly isOpenToOthers: boolean
}

interface SmallFileLimits {
  readonly maxBytes: number
  readonly most: string
  readonly advice?: string
  /** Advice if it is too large; has a default. */
  readonly ifLarger?: string | undefined
}

/** The bytes of a small regular file, without waiting: a pipe is refused. Throws Failure (file). */
export function readSmallFile(path: string, limits: SmallFileLimits): SmallFile {
  const {advice} = limits
  return thenClose(openForReading(path, advice), (file) => {
    const stat = fstatSync(file)
    if (stat.isDirectory()) throw cannotRead(path, 'it is a folder', advice)
    if (!stat.isFile()) throw cannotRead(path, 'it is not a regular file: a pipe or a device', advice)
    return {bytes: readLimited(file, path, limits), isOpenToOthers: (stat.mode & 0o077) !== 0}
  })
}

/** Opens without waiting for the other end of a pipe. Throws Failure (file). */
function openForReading(path: string, advice?: string): number {
  try {
    // Windows has no O_NONBLOCK.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw cannotRead(path, reasonOf(error), advice, error)
  }
}

/** All bytes of a file. Its size is not used: some files of the system report 0. Throws Failure (file). */
function readLimited(file: number, path: string, limits: SmallFileLimits): Buffer<ArrayBuffer> {
  const {maxBytes, advice} = limits
  const buffer = Buffer.allocUnsafe(maxBytes + 1)
  let size = 0
  try {
    for (let read = -1; read !== 0 && size <= maxBytes; size += read)
      read = readSync(file, buffer, size, maxBytes + 1 - size, null)
  } catch (error) {
    throw cannotRead(path, reasonOf(error), advice, error)
  }
  if (size > maxBytes) throw tooLarge(path, limits)
  return Buffer.from(buffer.subarray(0, size))
}

interface InputFileLimits extends SmallFileLimits {
  /** How long a pipe may be silent, in milliseconds. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

/** The bytes of a file or of a pipe such as `<(command)`, which is waited for until Ctrl-C. Throws Failure (file). */
export async function readInputFile(path: string, limits: InputFileLimits): Promise<Buffer> {
  const file = openForReading(path)
  const stat = fstatSync(file)
  if (!stat.isFile() && !stat.isDirectory()) return readStream(await streamOf(file, path), path, limits)
  return thenClose(file, () => {
    if (stat.isDirectory()) throw cannotRead(path, 'it is a folder')
    // Not read as a stream: with NODE_DEBUG Node prints the beginning of each chunk, which may be secret.
    return readLimited(file, path, limits)
  })
}

async function readStream(stream: Readable, path: string, limits: InputFileLimits): Promise<Buffer> {
  const idle = `no data from it for ${limits.idleMs / 1000} s`
  try {
    return await readBytes(stream, {
      ...limits,
      refuse: (problem) => (problem === 'idle' ? cannotRead(path, idle) : tooLarge(path, limits)),
    })
  } catch (error) {
    if (error instanceof Interrupted || error instanceof Failure) throw error
    throw cannotRead(path, reasonOf(error), undefined, error)
  }
}

/** Read as a socket: reading a pipe as a file would block the process. */
async function streamOf(fd: number, path: string): Promise<Readable> {
  const stat = fstatSync(fd)
  if (!stat.isFIFO() && !stat.isSocket()) return createReadStream(path, {fd})
  const {Socket} = await import('node:net')
  return new Socket({fd, readable: true, writable: false})
}

function tooLarge(path: string, {most, advice, ifLarger}: SmallFileLimits): Failure {
  return cannotRead(path, `it is larger than ${most}`, ifLarger ?? advice)
}

export function cannotRead(path: string, why: string | undefined, advice?: string, cause?: unknown): Failure {
  return fileFailure(`cannot read ${path}`, {why, try: advice}, {cause})
}
