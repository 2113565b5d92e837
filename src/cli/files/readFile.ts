import {isUtf8} from 'node:buffer'
import {closeSync, constants, createReadStream, fstatSync, openSync, readFileSync, readSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {Failure} from '../../api/contract/failure.js'
import {Interrupted} from '../../terminal/questions.js'

/** The text of a file. Raises a Failure (file) that says why it cannot be read, and what to do where that is known. */
export function readTextFile(path: string, advice?: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadableFile(path, error, advice)
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

/** The Failure (file) of a file that the system does not let be read. */
function unreadableFile(path: string, error: unknown, advice?: string): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const why = reasons[code ?? ''] ?? code
  return new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice}, {cause: error})
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

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
  readonly ifLarger?: string
}

/**
 * The bytes of a regular file that must be small. Raises a Failure (file): it cannot be read, is a folder, a pipe or a device,
 * or is larger than it may be. Never waits: a pipe that nobody writes to is refused like any other.
 */
export function readSmallFile(path: string, {maxBytes, most, advice, ifLarger}: SmallFileLimits): SmallFile {
  const file = openForReading(path, advice)
  try {
    const stat = fstatSync(file)
    const refuse = (why: string) => new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice})
    if (stat.isDirectory()) throw refuse('it is a folder')
    if (!stat.isFile()) throw refuse('it is not a regular file: a pipe or a device')
    const bytes = readUpTo(file, maxBytes + 1)
    if (bytes.length > maxBytes) throw cannotRead(path, `it is larger than ${most}`, ifLarger ?? advice)
    return {bytes, isOpenToOthers: (stat.mode & 0o077) !== 0}
  } catch (error) {
    throw error instanceof Failure ? error : unreadableFile(path, error, advice)
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
    throw unreadableFile(path, error, advice)
  }
}

/** What a file holds, at most this many bytes. The size that it states is not asked: some of the system's files state none. */
function readUpTo(file: number, most: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafe(most)
  let size = 0
  for (let read = -1; read !== 0 && size < most; size += read) read = readSync(file, buffer, size, most - size, null)
  return Buffer.from(buffer.subarray(0, size))
}

interface InputFileLimits {
  readonly maxBytes: number
  /** The limit for people: `16 MiB`. */
  readonly most: string
  /** How long a pipe may be silent, in milliseconds. */
  readonly idleMs: number
  /** What to do where it is larger. */
  readonly ifLarger?: string | undefined
  /** Ends the waiting: Ctrl-C. */
  readonly signal: AbortSignal
}

/**
 * The bytes of a file that a flag names, or of a pipe, as `<(command)` makes one: it is waited for, and Ctrl-C ends that. Raises
 * a Failure (file): it cannot be read, is a folder, is larger than it may be, or stays silent.
 */
export async function readInputFile(path: string, limits: InputFileLimits): Promise<Buffer> {
  const fd = openForReading(path)
  const stat = fstatSync(fd)
  if (stat.isFile()) return fileBytes(fd, path, limits)
  if (!stat.isDirectory()) return streamBytes(await streamOf(fd, path), path, limits)
  closeSync(fd)
  throw cannotRead(path, 'it is a folder')
}

/** Not as a stream, of which Node prints under NODE_DEBUG how each piece begins: the file may hold a secret. */
function fileBytes(fd: number, path: string, {maxBytes, most, ifLarger}: InputFileLimits): Buffer {
  try {
    const bytes = readUpTo(fd, maxBytes + 1)
    if (bytes.length <= maxBytes) return bytes
  } catch (error) {
    throw error instanceof Failure ? error : unreadableFile(path, error)
  } finally {
    closeSync(fd)
  }
  throw cannotRead(path, `it is larger than ${most}`, ifLarger)
}

async function streamBytes(stream: Readable, path: string, limits: InputFileLimits): Promise<Buffer> {
  const {maxBytes, most, idleMs, ifLarger, signal} = limits
  const silent = cannotRead(path, `no data from it for ${idleMs / 1000} s`)
  const timer = setTimeout(() => stream.destroy(silent), idleMs)
  const end = () => stream.destroy(new Interrupted())
  signal.addEventListener('abort', end, {once: true})
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of stream) {
      timer.refresh()
      pieces.push(piece)
      size += piece.length
      if (size > maxBytes) throw cannotRead(path, `it is larger than ${most}`, ifLarger)
    }
  } catch (error) {
    throw error instanceof Failure || error instanceof Interrupted ? error : unreadableFile(path, error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return Buffer.concat(pieces)
}

/** A pipe is read like a connection: reading it like a file would hold the program up until something comes. */
async function streamOf(fd: number, path: string): Promise<Readable> {
  const stat = fstatSync(fd)
  if (!stat.isFIFO() && !stat.isSocket()) return createReadStream(path, {fd})
  const {Socket} = await import('node:net')
  return new Socket({fd, readable: true, writable: false})
}

function cannotRead(path: string, why: string, advice?: string): Failure {
  return new Failure({exit: 'file', message: `cannot read ${path}`, why, try: advice})
}
