import {closeSync, constants, fstatSync, openSync} from 'node:fs'
import {dirname} from 'node:path'
import {exactJson} from '../../text/json.js'
import {appendLines, closeFolder, createPrivateFile, makePrivateFolder, openToAppend} from '../disk/privateFile.js'
import {reasonOf, systemCode, UnusableFile} from '../disk/reason.js'
import {beginsWithEntry, type JournalEntry} from './entry.js'
import {modeOfAside, putAside, sizeOfFile} from './rotate.js'

/** Where a journal lies. */
export interface JournalPlace {
  /** The file that is written to. */
  readonly path: string
  /** Others may write to it: its mode and its folder are theirs to say. */
  readonly isShared: boolean
  /** Files that were put aside are kept for this many days. */
  readonly keepDays?: number
}

/** The name of the journal in the state folder. */
export const journalFile = 'journal.ndjson'

/**
 * Adds lines to the journal: one write for all of them, at the end, so that concurrent writers do not interleave; a blank line may
 * stand between two. One's own journal is a file of 0600 in a folder of 0700; a shared one keeps the mode it has, and its folder
 * must be there. A file that has grown to `sizeOfFile` bytes is put aside first. A shared one that does not begin with an entry is not written into. Raises an Error for a person where the lines, or a
 * part of them, cannot be written.
 */
export function appendToJournal(place: JournalPlace, ...entries: readonly JournalEntry[]): void {
  const lines = entries.map((entry) => `${exactJson(entry)}\n`).join('')
  try {
    // Once more where the file was put aside, grew old and was deleted between its opening and the writing.
    if (!written(place, lines)) written(place, lines)
  } catch (error) {
    throw unwritten(place, error)
  }
}

function unwritten({path, isShared}: JournalPlace, error: unknown): Error {
  const reason = reasonOf(error)
  if (reason === undefined) throw error
  const elsewhere = isShared ? 'set journal.path to another file' : 'set ROOMCTL_STATE_DIR to another folder'
  return new Error(`${path} cannot be written: ${reason}; fix that, or ${elsewhere}`, {cause: error})
}

/** Whether the lines are in a file that is still there. */
function written(place: JournalPlace, lines: string): boolean {
  const file = openedToWrite(place)
  try {
    const isThere = fstatSync(file).nlink > 0
    appendLines(file, lines)
    return !isThere || fstatSync(file).nlink > 0
  } finally {
    closeSync(file)
  }
}

/** What is kept in the state folder. */
const ours = /^(?:journal(?:\.\d+)?\.ndjson|uploads)$/

function openedToWrite(place: JournalPlace): number {
  // Who could put a file in its place could have anything undone.
  if (!place.isShared) closeFolder(dirname(place.path), (name) => ours.test(name))
  const file = opened(place)
  const stat = fstatSync(file)
  if (!stat.isFile() || stat.size < sizeOfFile || !beginsWithEntry(file)) return file
  closeSync(file)
  putAside(place)
  return opened(place)
}

/** The folder is made where it is missing: a run of many uploads has many lines, and only the first may need that. */
function opened({path, isShared}: JournalPlace): number {
  if (isShared) return openedShared(path)
  try {
    return openToAppend(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  makePrivateFolder(dirname(path))
  return openToAppend(path)
}

/** O_NONBLOCK: a pipe in its place must not hang the program. Windows has no such flag. */
const appending = constants.O_RDWR | constants.O_APPEND | (constants.O_NONBLOCK ?? 0)

/** Why a file cannot be the journal that `journal.path` names; undefined for one that is empty or begins with an entry. */
function unfitJournal(file: number): string | undefined {
  const stat = fstatSync(file)
  if (!stat.isFile()) return stat.isFIFO() ? 'it is not a file' : undefined
  return stat.size === 0 || beginsWithEntry(file) ? undefined : 'it does not begin with a roomctl entry'
}

/** A journal that others write to as well: a link is followed, and its mode is theirs to say. */
function openedShared(path: string): number {
  try {
    const file = openSync(path, appending)
    const why = unfitJournal(file)
    if (why === undefined) return file
    closeSync(file)
    throw new UnusableFile('kind', why)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  try {
    // Readable by those who could read the one before it.
    return createPrivateFile(path, modeOfAside(path))
  } catch (error) {
    // Another process was quicker.
    if (systemCode(error) === 'EEXIST') return openedShared(path)
    throw error
  }
}

/** Crockford's, in lower case: no letter looks like a digit, and ids sort as their times do. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const timeDigits = 9
const tailDigits = 3
const tails = digits.length ** tailDigits

let last = {time: 0, tail: 0}

/**
 * The id of an entry that is written at this time: 12 characters, greater than all that this process has given before, and unlike
 * those of other processes but for one chance in 32,768 within the same millisecond.
 */
export function journalEntryId(at: Date): string {
  const time = at.getTime()
  const isLater = time > last.time
  // Room is left for the ids that follow in the same millisecond.
  if (isLater) last = {time, tail: Math.floor(Math.random() * tails * 0.9)}
  else if (last.tail + 1 < tails) last = {time: last.time, tail: last.tail + 1}
  else last = {time: last.time + 1, tail: 0}
  return `${text(last.time, timeDigits)}${text(last.tail, tailDigits)}`
}

/** A number in this many digits. */
function text(number: number, length: number): string {
  const ours = [...number.toString(digits.length)].map((digit) => digits.charAt(Number.parseInt(digit, digits.length)))
  return ours.join('').padStart(length, '0')
}
