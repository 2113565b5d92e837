import {closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, readSync, writeSync} from 'node:fs'
import {dirname} from 'node:path'
import {closeFolder} from '../disk/closeFolder.js'
import {reasonOf, shortWrite} from '../disk/reason.js'
import {modeOfAside, putAside, sizeOfFile} from './rotate.js'

/** One change, as the journal keeps it (product §5). Never a credential, never the data that was sent. */
export interface JournalEntry {
  /** What `undo` takes; lines of older versions have none. */
  readonly id?: string | undefined
  /** RFC 3339, UTC. */
  readonly at: string
  readonly profile: string
  /** Who did it, `user@machine`, in a journal that several share. */
  readonly by?: string | undefined
  readonly operation: string
  /** What it was done to, by the documents' names: `{roomId, attendees}`. */
  readonly targets: Readonly<Record<string, unknown>>
  /** The requester it was done as, where the operation has one. */
  readonly as?: string | undefined
  /** What was there before, where that was read: the fields of an update, the host of a delegation. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
  /** The id of the entry that this one undoes. */
  readonly undoes?: string | undefined
  readonly outcome: 'done' | 'failed' | 'unknown'
  readonly code?: string | undefined
}

/** Where a journal lies. */
export interface JournalPlace {
  /** The file that is written to. */
  readonly path: string
  /** Others may write to it: its mode and its folder are theirs to say. */
  readonly isShared: boolean
}

/** The name of the journal in the state folder. */
export const journalFile = 'journal.ndjson'

/**
 * Adds lines to the journal: one write for all of them, at the end, so that concurrent writers do not interleave; a blank line may
 * stand between two. One's own journal is a file of 0600 in a folder of 0700; a shared one keeps the mode it has, and its folder
 * must be there. A file that has grown to `sizeOfFile` bytes is put aside first. Raises an Error for a person where the lines, or a
 * part of them, cannot be written.
 */
export function appendToJournal(place: JournalPlace, ...entries: readonly JournalEntry[]): void {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
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
  return new Error(`${path} cannot be written: ${reason}; put that right, or ${elsewhere}`, {cause: error})
}

/** Whether the lines are in a file that is still there. */
function written(place: JournalPlace, lines: string): boolean {
  const file = openedToWrite(place)
  try {
    const stat = fstatSync(file)
    // An older file may have been made under a laxer rule; a device that stands in for the journal keeps its mode.
    if (stat.isFile() && !place.isShared && (stat.mode & 0o777) !== 0o600) fchmodSync(file, 0o600)
    const bytes = Buffer.from(`${endsInLine(file, stat.size) ? '' : '\n'}${lines}`)
    // The rest is not written after it: another writer's line may stand there by now.
    if (writeSync(file, bytes) < bytes.length) throw shortWrite()
    return stat.nlink === 0 || fstatSync(file).nlink > 0
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
  if (stat.isFIFO()) {
    closeSync(file)
    throw Object.assign(new Error('a pipe'), {code: 'ENXIO'})
  }
  if (!stat.isFile() || stat.size < sizeOfFile) return file
  closeSync(file)
  putAside(place.path)
  return opened(place)
}

/** O_NONBLOCK: a pipe in its place must not hang the program. Windows has neither, and no links of that kind. */
const appending = constants.O_RDWR | constants.O_APPEND | (constants.O_NONBLOCK ?? 0)

/** A link could lead the writing to any other file; whoever wants that says so with `journal.path`. */
const ownFile = constants.O_NOFOLLOW ?? 0

/** The folder is made where it is missing: a run of many uploads has many lines, and only the first may need that. */
function opened(place: JournalPlace): number {
  const {path, isShared} = place
  try {
    return openSync(path, appending | (isShared ? 0 : ownFile))
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  if (!isShared) mkdirSync(dirname(path), {recursive: true, mode: 0o700})
  try {
    return made(place)
  } catch (error) {
    // Another process was quicker.
    if (isCode(error, 'EEXIST')) return opened(place)
    throw error
  }
}

/** A new file: readable by its user, where it is shared by those who could read the one before it. */
function made({path, isShared}: JournalPlace): number {
  const mode = (isShared ? modeOfAside(path) : undefined) ?? 0o600
  const file = openSync(path, appending | constants.O_CREAT | constants.O_EXCL, mode)
  // Whatever the umask took away.
  fchmodSync(file, mode)
  return file
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/**
 * Whether the last line is whole: one that a full disk or a kill cut off must not swallow the next. A line that another
 * process is just writing can look cut off too, which costs a blank line.
 */
function endsInLine(file: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  return last[0] === 0x0a
}
