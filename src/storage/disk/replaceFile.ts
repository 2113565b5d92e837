import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {createPrivateFile} from './privateFile.js'
import {shortWrite} from './reason.js'

/** What the name of a draft has behind that of its file. conf makes such names too (atomically). */
const draftEnd = /\.tmp-\d{10}[0-9a-f]{6}$/

/** A draft of this age was left by a killed run, for a living one writes it in a moment. One of the future says the same. */
const leftAfterMs = 60_000

/** Who may read a file: its user alone, or whom the umask lets. */
type Readers = 'user' | 'umask'

/**
 * Puts a file in place as a whole, in one part or in several: written beside it, flushed, then renamed. A kill or a full disk leaves what was there before.
 * A link is replaced, not followed. Drafts that killed runs left of it are removed. Raises the system's error, one of code ESHORT
 * where the disk took a part, and one of code ENXIO where a pipe or a device stands there.
 */
export function replaceFile(path: string, bytes: Uint8Array | Iterable<Uint8Array>, readers: Readers = 'user'): void {
  const there = lstatSync(path, {throwIfNoEntry: false})
  if (there && !mayBeReplaced(there)) throw Object.assign(new Error('no file'), {code: 'ENXIO'})
  sweepDrafts(dirname(path), [basename(path)])
  const stamp = Date.now().toString().slice(-10)
  const random = Math.floor(Math.random() * 0x1000000)
  const draft = `${path}.tmp-${stamp}${random.toString(16).padStart(6, '0')}`
  try {
    writeNew(draft, bytes, readers)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, {force: true})
    throw error
  }
}

/** Whether a file may take the place of what is there: a device, which root could replace, or a pipe is never given up for it. */
export function mayBeReplaced(there: Stats): boolean {
  return there.isFile() || there.isSymbolicLink() || there.isDirectory()
}

/** Whether a file of that name is one that was being written when its process was killed. */
export function isDraft(name: string): boolean {
  return draftEnd.test(name)
}

function writeNew(path: string, bytes: Uint8Array | Iterable<Uint8Array>, readers: Readers): void {
  const descriptor = readers === 'user' ? createPrivateFile(path) : openSync(path, 'wx', 0o666)
  try {
    for (const part of bytes instanceof Uint8Array ? [bytes] : bytes) {
      if (writeSync(descriptor, part) !== part.length) throw shortWrite()
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes drafts of these files that killed runs left in the folder; a younger one may belong to a run that is alive. */
export function sweepDrafts(folder: string, names: readonly string[]): void {
  sweepLeft(folder, leftAfterMs, (entry) => names.some((name) => entry.startsWith(`${name}.tmp-`) && isDraft(entry)))
}

/** Removes what matches and was not touched for so long. What cannot be removed, and a folder that cannot be read, stay. */
export function sweepLeft(folder: string, afterMs: number, isLeft: (name: string) => boolean): void {
  for (const name of namesIn(folder).filter(isLeft)) {
    const path = join(folder, name)
    const stat = statSync(path, {throwIfNoEntry: false})
    if (stat && Math.abs(Date.now() - stat.mtimeMs) > afterMs) removeQuietly(path)
  }
}

/** The names of what is in a folder; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {
    // Somebody else's, or on a disk that is read-only: it does no harm.
  }
}
