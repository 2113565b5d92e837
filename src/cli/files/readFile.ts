import {isUtf8} from 'node:buffer'
import {closeSync, constants, createReadStream, fstatSync, openSync, readFileSync, readSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {Failure} from '../../api/contract/failure.js'
import {reasonOf} from '../../storage/disk/reason.js'
import {InputError, readBytes} from '../../terminal/input.js'
import {Interrupted} from '../../terminal/questions.js'

/** The text of a file, also of a pipe. Raises a Failure (file) that says why it cannot be read, with the advice. */
export function readTextFile(path: string, advice: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw cannotRead(path, reasonOf(error), advice, error)
  }
}

/**
 * The text of a file, or of stdin where `path` is `-`, that is read, without a byte order mark. Raises the Failure of `notUtf8`,
 * also for zero bytes: UTF-16 of ASCII letters is valid UTF-8 that has them, and no text does.
 */
export function decodeText(bytes: Uint8Array, path: string, advice?: string): string {
  if (isText(bytes)) return new TextDecoder().decode(bytes)
  throw notUtf8(path, damagedLine(bytes), advice)
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

/** The first line that is not UTF-8, counted from 1. No character but the line break holds its byte. */
function damagedLine(bytes: Uint8Array): number {
  let number = 1
  for (let start = 0, end = 0; start < bytes.length; start = end, number += 1) {
    end = bytes.indexOf(0x0a, start) + 1 || bytes.length
    if (!isText(bytes.subarray(start, end))) return number
  }
  return number
}

/** The Failure of input in another encoding, or of no text: file, or usage for stdin (`-`). */
export function notUtf8(path: string, line?: number, advice = encodingAdvice): Failure {
  const where = line === undefined ? 'it' : `line ${line}`
  const isStdin = path === '-'
  return new Failure({
    exit: isStdin ? 'usage' : 'file',
    message: isStdin ? 'stdin is not UTF-8 text; nothing was sent' : `cannot read ${path}`,
    why: isStdin ? `${where} is in another encoding and would be sent damaged` : `${where} is not UTF-8 text`,
    try: advice,
  })
}

/** For a text that a spreadsheet saved, often in another encoding. */
export const encodingAdvice = 'save it as UTF-8, or convert: iconv -f CP949 -t UTF-8 FILE'

interface SmallFile {
  readonly bytes: Buffer<ArrayBuffer>
  /** Whether others than its owner may read it. */
  readonly isOpenToOthers: boolean
}

interface SmallFileLimits {
  readonly maxBytes: number
  /** The limit for people: `1 MiB`. */
  readonly most: string
  /** What to do where it is no file that can be read. */
  readonly advice?: string
  /** What to do where it is larger, if that is not the advice. */
  readonly ifLarger?: string | undefined
}

/**
 * The bytes of a regular file that must be small. Raises a Failure (file): it cannot be read, is a folder, a pipe or a device,
 * or is larger than it may be. Never waits: a pipe that nobody writes to is refused like any other.
 */
export function readSmallFile(path: string, limits: SmallFileLimits): SmallFile {
  const {advice} = limits
  const file = openForReading(path, advice)
  try {
    const stat = fstatSync(file)
    if (stat.isDirectory()) throw cannotRead(path, 'it is a folder', advice)
    if (!stat.isFile()) throw cannotRead(path, 'it is not a regular file: a pipe or a device', advice)
    return {bytes: readLimited(file, path, limits), isOpenToOthers: (stat.mode & 0o077) !== 0}
  } finally {
    closeSync(file)
  }
}

/** A descriptor of what is there, without waiting for the other end of a pipe. Raises a Failure (file). */
function openForReading(path: string, advice?: string): number {
  try {
    // Windows has no such flag, and no such pipes.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw cannotRead(path, reasonOf(error), advice, error)
  }
}

/** All that a file holds. The size that it states is not asked: some of the system's files state none. Raises a Failure (file). */
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
  /** Ends the waiting: Ctrl-C. */
  readonly signal: AbortSignal
}

/**
 * The bytes of a file that a flag names, or of a pipe, as `<(command)` makes one: it is waited for, and Ctrl-C ends that. Raises
 * a Failure (file): it cannot be read, is a folder, is larger than it may be, or stays silent.
 */
export async function readInputFile(path: string, limits: InputFileLimits): Promise<Buffer> {
  const file = openForReading(path)
  const stat = fstatSync(file)
  if (!stat.isFile() && !stat.isDirectory()) return readStream(await streamOf(file, path), path, limits)
  try {
    if (stat.isDirectory()) throw cannotRead(path, 'it is a folder')
    // Not as a stream, of which Node prints under NODE_DEBUG how each piece begins: the file may hold a secret.
    return readLimited(file, path, limits)
  } finally {
    closeSync(file)
  }
}

async function readStream(stream: Readable, path: string, limits: InputFileLimits): Promise<Buffer> {
  try {
    return await readBytes(stream, limits)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    if (!(error instanceof InputError)) throw cannotRead(path, reasonOf(error), undefined, error)
    if (error.reason === 'too-large') throw tooLarge(path, limits)
    throw cannotRead(path, `no data from it for ${limits.idleMs / 1000} s`)
  }
}

/** A pipe is read like a connection: reading it like a file would hold the program up until something comes. */
async function streamOf(fd: number, path: string): Promise<Readable> {
  const stat = fstatSync(fd)
  if (!stat.isFIFO() && !stat.isSocket()) return createReadStream(path, {fd})
  const {Socket} = await import('node:net')
  return new Socket({fd, readable: true, writable: false})
}

function tooLarge(path: string, {most, advice, ifLarger}: SmallFileLimits): Failure {
  return cannotRead(path, `it is larger than ${most}`, ifLarger ?? advice)
}

function cannotRead(path: string, why: string | undefined, advice?: string, cause?: unknown): Failure {
  return new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice}, {cause})
}
