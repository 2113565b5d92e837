import {closeSync, createReadStream, fstatSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {Failure} from '../../api/contract/failure.js'
import {Interrupted} from '../../terminal/questions.js'
import {openForReading, readUpTo} from './readFileSmallFile.js'
import {unreadableFile} from './readFileTextFile.js'

export interface InputFileLimits {
  readonly maxBytes: number
  /** The limit for people: `16 MiB`. */
  readonly most: string
  /** How long a pipe may be silent, in milliseconds. */
  readonly idleMs: number
  /** Ends the waiting: Ctrl-C. */
  readonly signal: AbortSignal
}

/**
 * The text of a file that a flag names, or of a pipe, as `<(command)` makes one: it is waited for, and Ctrl-C ends that. What is
 * no UTF-8 becomes U+FFFD. Raises a Failure (file): it cannot be read, is a folder, is larger than it may be, or stays silent.
 */
export async function readInputFile(path: string, limits: InputFileLimits): Promise<string> {
  const fd = openForReading(path)
  const stat = fstatSync(fd)
  if (stat.isFile()) return fileText(fd, path, limits)
  if (!stat.isDirectory()) return streamText(await streamOf(fd, path), path, limits)
  closeSync(fd)
  throw refusal(path, 'it is a folder')
}

/** Not as a stream, of which Node prints under NODE_DEBUG how each piece begins: the file may hold a secret. */
function fileText(fd: number, path: string, {maxBytes, most}: InputFileLimits): string {
  try {
    const bytes = readUpTo(fd, maxBytes + 1)
    if (bytes.length <= maxBytes) return bytes.toString('utf8')
  } catch (error) {
    throw unreadableFile(path, error)
  } finally {
    closeSync(fd)
  }
  throw refusal(path, `it is larger than ${most}`)
}

async function streamText(stream: Readable, path: string, limits: InputFileLimits): Promise<string> {
  const {maxBytes, most, idleMs, signal} = limits
  const silent = refusal(path, `nothing came from it for ${idleMs / 1000} s`)
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
      if (size > maxBytes) throw refusal(path, `it is larger than ${most}`)
    }
  } catch (error) {
    throw error instanceof Failure || error instanceof Interrupted ? error : unreadableFile(path, error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** A pipe is read like a connection: reading it like a file would hold the program up until something comes. */
async function streamOf(fd: number, path: string): Promise<Readable> {
  const stat = fstatSync(fd)
  if (!stat.isFIFO() && !stat.isSocket()) return createReadStream(path, {fd})
  const {Socket} = await import('node:net')
  return new Socket({fd, readable: true, writable: false})
}

function refusal(path: string, why: string): Failure {
  return new Failure({exit: 'file', message: `cannot read ${path}`, why})
}
