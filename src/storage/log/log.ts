import {closeSync, fdatasyncSync, fstatSync} from 'node:fs'
import {dirname} from 'node:path'
import type * as z from 'zod/mini'
import {exactJson} from '../../text/json.js'
import {appendLines, closeFolder, makePrivateFolder, openToAppend} from '../disk/privateFile.js'
import {systemCode} from '../disk/reason.js'
import {replaceFile} from '../disk/replaceFile.js'
import {beginsWithRecord, type Rotation, rotateLog} from './rotate.js'

/**
 * A log: an append-only file of JSON lines of one shape (0600, in a folder of 0700) that several processes of one user write. Nothing
 * is ever truncated: an unfinished last line gets a line break before the next append, and readers skip it.
 */
export interface LogForm<T> {
  /** Of a line. */
  readonly shape: z.ZodMiniType<T>
  /**
   * The names of the tool's own files beside it: the folder is made where it is missing, and one with no others is closed to other
   * users. Absent: the folder is the user's, and stays as it is.
   */
  readonly folderHolds?: RegExp
  /** Bytes; a larger file is refused. */
  readonly maxBytes?: number
  /** Appending waits until the disk has the lines. */
  readonly isSynced?: true
  /** Absent: the file grows. */
  readonly rotation?: Rotation
}

/**
 * Adds records: one write for all of them, at the end, so that those of concurrent writers do not interleave; a blank line may separate
 * two. A file that has grown to its rotation is put aside first. Raises the system's error, of code ESHORT where only a part was taken.
 */
export function appendToLog<T>(path: string, form: LogForm<T>, records: readonly T[]): void {
  const lines = logText(records)
  // Once more where the file was put aside, grew old and was deleted between its opening and the writing.
  if (!isWritten(path, form, lines)) isWritten(path, form, lines)
}

/**
 * Puts a log of these records in place as a whole. Raises the system's error, of code EBUSY where the log that is there is not to be
 * replaced after all: `isCurrent` is asked at the last moment.
 */
export function replaceLog<T>(path: string, records: Iterable<T>, isCurrent = () => true): void {
  replaceFile(path, blocksOf(records, isCurrent))
}

const blockLength = 2 ** 20

function* blocksOf<T>(records: Iterable<T>, isCurrent: () => boolean): Generator<Buffer> {
  let block = ''
  for (const record of records) {
    block += logText([record])
    if (block.length < blockLength) continue
    yield Buffer.from(block)
    block = ''
  }
  yield Buffer.from(block)
  if (!isCurrent()) throw Object.assign(new Error('changed meanwhile'), {code: 'EBUSY'})
}

/** Records as lines. */
export function logText(records: readonly unknown[]): string {
  return records.map((record) => `${exactJson(record)}\n`).join('')
}

/** Whether the lines are in a file that is still there. */
function isWritten<T>(path: string, form: LogForm<T>, lines: string): boolean {
  const file = openRotated(path, form)
  try {
    const isThere = fstatSync(file).nlink > 0
    appendLines(file, lines)
    if (form.isSynced) fdatasyncSync(file)
    return !isThere || fstatSync(file).nlink > 0
  } finally {
    closeSync(file)
  }
}

function openRotated<T>(path: string, {shape, folderHolds, rotation}: LogForm<T>): number {
  if (!folderHolds) return openToAppend(path)
  closeFolder(dirname(path), (name) => folderHolds.test(name))
  const file = openInFolder(path)
  if (!rotation || fstatSync(file).size < rotation.bytes || !beginsWithRecord(file, shape)) return file
  closeSync(file)
  rotateLog(path, shape, rotation)
  return openInFolder(path)
}

/** The folder is made where it is missing: a run of many uploads has many lines, and only the first may need that. */
function openInFolder(path: string): number {
  try {
    return openToAppend(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  makePrivateFolder(dirname(path))
  return openToAppend(path)
}
