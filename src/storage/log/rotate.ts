import {closeSync, readSync, rmSync, statSync} from 'node:fs'
import {join, parse} from 'node:path'
import {TextDecoder} from 'node:util'
import type * as z from 'zod/mini'
import {unlessError} from '../../text/text.js'
import {dayMs} from '../../text/time.js'
import {createPrivateFile, openPrivateFile, thenClose} from '../disk/privateFile.js'
import {namesIn, renameFile} from '../disk/replaceFile.js'
import {parseLogLine} from './line.js'

export interface Rotation {
  /** The size from which on it is put aside and a new one started. */
  readonly bytes: number
  /** Rotated files that are kept in any case, the newest. */
  readonly files: number
  /** Others are deleted once nothing was written to them for this many days. */
  readonly days: number
}

/** An empty file that reserves a number is forgotten after this: its process has ended without it. */
const staleMs = 10_000

/** Above every line of the tool; longer ones are not held in memory. */
export const longestLine = 1024 * 1024

/** The rotated files, the oldest first: `journal.1.ndjson`, `journal.2.ndjson` and on, never renamed again. None in an unreadable folder. */
export function asides(path: string) {
  const {dir, name, ext} = parse(path)
  const numbers = namesIn(dir).flatMap((file) => {
    const middle = file.startsWith(`${name}.`) && file.endsWith(ext) ? file.slice(name.length + 1) : ''
    const number = middle.slice(0, middle.length - ext.length)
    return /^[1-9]\d{0,8}$/u.test(number) ? [Number(number)] : []
  })
  return numbers.sort((number, other) => number - other).map((number) => ({path: asideOf(path, number), number}))
}

function asideOf(path: string, number: number): string {
  const {dir, name, ext} = parse(path)
  return join(dir, `${name}.${number}${ext}`)
}

/**
 * Rotates a log and deletes files beyond `rotation`. One of several processes does it: the one that creates the empty file of the
 * next number renames the log onto it. A process with the log open writes into the rotated file, which keeps the line. A failure only
 * lets the log grow until the next writer.
 */
export function rotateLog<T>(path: string, shape: z.ZodMiniType<T>, rotation: Rotation): void {
  try {
    const all = asides(path)
    const last = all.at(-1)
    if (last && isBeingMade(last.path)) return
    const next = asideOf(path, (last?.number ?? 0) + 1)
    closeSync(createPrivateFile(next))
    // Another process may have done it since this one looked, and the new log may not be there yet.
    const size = statSync(path, {throwIfNoEntry: false})?.size ?? 0
    if (size >= rotation.bytes) renameFile(path, next)
    else rmSync(next)
    prune(path, shape, rotation)
  } catch {
    // A file of that number is there by now, or the folder takes no new one.
  }
}

function isBeingMade(path: string): boolean {
  const {size, mtimeMs} = statSync(path)
  // One of the future was left before the clock was set back.
  return size === 0 && Math.abs(Date.now() - mtimeMs) < staleMs
}

/** Removes the oldest rotated file. A file of another program may have the same name. */
function prune<T>(path: string, shape: z.ZodMiniType<T>, {files, days}: Rotation): void {
  // Skip anything but a readable regular file.
  const logs = asides(path).filter((aside) => unlessError(() => isLog(aside.path, shape), false))
  for (const old of logs.slice(0, -files)) {
    if (Date.now() - statSync(old.path).mtimeMs > days * dayMs) rmSync(old.path, {force: true})
  }
}

function isLog<T>(path: string, shape: z.ZodMiniType<T>): boolean {
  const file = openPrivateFile(path)
  return file !== undefined && thenClose(file, () => beginsWithRecord(file, shape))
}

/** Whether the first line is a record: a file of another program is neither renamed nor removed. Throws the system's error. */
export function beginsWithRecord<T>(descriptor: number, shape: z.ZodMiniType<T>): boolean {
  let read = Buffer.alloc(0)
  for (let size = 4096; read.length < longestLine; size *= 4) {
    const chunk = Buffer.alloc(size)
    const count = readSync(descriptor, chunk, 0, size, read.length)
    read = Buffer.concat([read, chunk.subarray(0, count)])
    const end = read.indexOf(0x0a)
    if (end !== -1 || count === 0) {
      const line = read.subarray(0, end === -1 ? read.length : end)
      return unlessError(() => parseLogLine(line, shape, new TextDecoder()), undefined) !== undefined
    }
  }
  return false
}
