import {closeSync, createReadStream, fstatSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {Failure} from '../contract/failure.js'
import {Interrupted} from '../terminal/questions.js'
import {openedToRead} from './smallFile.js'
import {unreadable} from './textFile.js'

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
export async function readInputFile(path: string, {maxBytes, most, idleMs, signal}: InputFileLimits): Promise<string> {
  const stream = await streamOf(path)
  const refuse = (why: string) => new Failure({exit: 'file', message: `cannot read ${path}`, why})
  const timer = setTimeout(() => stream.destroy(refuse(`nothing came from it for ${idleMs / 1000} s`)), idleMs)
  const end = () => stream.destroy(new Interrupted())
  signal.addEventListener('abort', end, {once: true})
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of stream) {
      timer.refresh()
      pieces.push(piece)
      size += piece.length
      if (size > maxBytes) throw refuse(`it is larger than ${most}`)
    }
  } catch (error) {
    throw error instanceof Failure || error instanceof Interrupted ? error : unreadable(path, error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** A pipe is read like a connection: reading it like a file would hold the program up until something comes. */
async function streamOf(path: string): Promise<Readable> {
  const fd = openedToRead(path)
  const stat = fstatSync(fd)
  if (stat.isDirectory()) {
    closeSync(fd)
    throw new Failure({exit: 'file', message: `cannot read ${path}`, why: 'it is a folder'})
  }
  if (!stat.isFIFO() && !stat.isSocket()) return createReadStream(path, {fd})
  const {Socket} = await import('node:net')
  return new Socket({fd, readable: true, writable: false})
}
