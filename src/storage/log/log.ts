import {closeSync, fdatasyncSync, fstatSync} from 'node:fs'
import {dirname} from 'node:path'
import type * as z from 'zod/mini'
import {exactJson} from '../../text/json.js'
import {appendLines, closeFolder, makePrivateFolder, openToAppend} from '../disk/privateFile.js'
import {systemCode} from '../disk/reason.js'
import {replaceFile} from '../disk/replaceFile.js'
import {beginsWithRecord, type Rotation, rotateLog} from './rotate.js'

/**
 * A log: an append-only file of JSON lines that several processes of one user write. Nothing is truncated: an unfinished last line
 * gets a line break before the next append, and readers skip it.
 */
export interface LogForm<T> {
  readonly shape: z.ZodMiniType<T>
  /**
   * The names of the tool's own files beside it: a folder with no others is made, and closed to other users. Absent: the folder stays
   * as it is.
   */
  readonly folderHolds?: RegExp
  /** Bytes; a larger file is refused. */
  readonly maxBytes?: number
  /** Appending waits until the disk has the lines. */
  readonly isSynced?: true
  /** Absent: the file grows. */
  readonly rotation?: Rotation
}

/** Appends records in one write, so that concurrent writers do not interleave, after a rotation that is due. Raises the system's error. */
export function appendToLog<T>(path: string, form: LogForm<T>, records: readonly T[]): void {
  const lines = logText(records)
  // Once more where the file was put aside, grew old and was deleted between its opening and the writing.
  if (!isWritten(path, form, lines)) isWritten(path, form, lines)
}

/** Replaces a log as a whole. `isCurrent` is asked at the last moment: false raises the system's EBUSY. */
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
