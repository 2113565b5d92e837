import {closeSync, constants, fstatSync, openSync, renameSync, rmSync, statSync} from 'node:fs'
import {join, parse} from 'node:path'
import {createPrivateFile} from '../disk/privateFile.js'
import {namesIn} from '../disk/replaceFile.js'
import {beginsWithEntry} from './entry.js'

/** Bytes from which on a journal is put aside and a new one begun. */
export const sizeOfFile = 5 * 1024 * 1024

/** Files that are kept in any case beside the one that is written to. */
const filesKept = 5

/** The default of `journal.keep`. */
const daysKept = 90
const dayMs = 86_400_000

/** A file that stands for one still to come is forgotten after this: its process has ended without it. */
const staleMs = 10_000

interface Rotated {
  readonly path: string
  readonly keepDays?: number
}

/** A file that was put aside. */
interface Aside {
  readonly path: string
  readonly number: number
}

/**
 * The files that were put aside, the oldest first: of `journal.ndjson` they are `journal.1.ndjson`, `journal.2.ndjson` and so on,
 * always upwards, so that none is ever renamed again. None where the folder cannot be read.
 */
export function asides(path: string): Aside[] {
  const {dir, name, ext} = parse(path)
  const numbers = namesIn(dir).flatMap((file) => {
    const middle = file.startsWith(`${name}.`) && file.endsWith(ext) ? file.slice(name.length + 1) : ''
    const number = middle.slice(0, middle.length - ext.length)
    return /^[1-9]\d{0,8}$/u.test(number) ? [Number(number)] : []
  })
  return numbers.sort((one, other) => one - other).map((number) => ({path: asideOf(path, number), number}))
}

function asideOf(path: string, number: number): string {
  const {dir, name, ext} = parse(path)
  return join(dir, `${name}.${number}${ext}`)
}

/**
 * Puts the journal, which the caller knows to be one by its content, aside and deletes those beyond the newest that nothing was
 * written to for `keepDays`: a run of any size can be undone for that time. Among several processes one does it: it makes the empty file of the next number, which nobody else can make, and renames the
 * journal onto it. Who has the journal open meanwhile writes into the file that was put aside, where the line is kept as well. What
 * hinders it is no error: the journal then grows on, and the next writer tries again.
 */
export function putAside({path, keepDays = daysKept}: Rotated): void {
  try {
    const all = asides(path)
    const last = all.at(-1)
    if (last && isBeingMade(last.path)) return
    const next = asideOf(path, (last?.number ?? 0) + 1)
    closeSync(createPrivateFile(next))
    // Another process may have done it since this one looked, and the new journal may not be there yet.
    const size = statSync(path, {throwIfNoEntry: false})?.size ?? 0
    if (size >= sizeOfFile) renameSync(path, next)
    else rmSync(next)
    prune(path, keepDays)
  } catch {
    // A file of that number is there by now, or the folder takes no new one.
  }
}

function isBeingMade(path: string): boolean {
  const {size, mtimeMs} = statSync(path)
  // One of the future was left before the clock was set back.
  return size === 0 && Math.abs(Date.now() - mtimeMs) < staleMs
}

/** Removes the oldest of the files that were put aside. */
function prune(path: string, keepDays: number): void {
  for (const old of journalsAside(path).slice(0, -filesKept)) {
    if (Date.now() - statSync(old.path).mtimeMs > keepDays * dayMs) rmSync(old.path, {force: true})
  }
}

/** Those of `asides` that are journals by their content: a file of another program may have such a name. */
function journalsAside(path: string): Aside[] {
  return asides(path).filter((aside) => {
    try {
      return isJournal(aside.path)
    } catch {
      // Another process has deleted it meanwhile, or it cannot be read.
      return false
    }
  })
}

/** Whether a shared journal can be kept at a path: in a new or empty file, or in one that begins with an entry. */
export function isFreeForJournal(path: string): boolean {
  try {
    return statSync(path).size === 0 || isJournal(path)
  } catch {
    // There is none, or it cannot be read, which a change says that is to be written there.
    return true
  }
}

function isJournal(path: string): boolean {
  // O_NONBLOCK: a pipe of that name must not hang the program.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    return fstatSync(file).isFile() && beginsWithEntry(file)
  } finally {
    closeSync(file)
  }
}

/** The permission bits of the file that was put aside last; undefined where there is none. */
export function modeOfAside(path: string): number | undefined {
  const last = journalsAside(path).at(-1)
  return last && statSync(last.path).mode & 0o777
}
