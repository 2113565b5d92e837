import {fsyncSync, lstatSync, openSync, readdirSync, renameSync, rmSync, type Stats, statSync, writeSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {unlessError} from '../../text/text.js'
import {createPrivateFile, shortWrite, systemCode, thenClose} from './privateFile.js'

/** The end of a draft's name, as conf (atomically) makes it, too. */
export const draftEnd = /\.tmp-\d{10}[0-9a-f]{6}$/

/** A draft of this age, or of the future, was left by a killed run. */
const leftAfterMs = 60_000
const unwrittenMs = 1000

type Readers = 'user' | 'umask'

/**
 * Replaces a file as a whole: written beside it, flushed, renamed, so that a kill or a full disk leaves the old one. A link is
 * replaced, not followed. Throws the system's error: ESHORT for a part, ENXIO for a pipe or a device.
 */
export function replaceFile(path: string, bytes: Uint8Array | Iterable<Uint8Array>, readers: Readers = 'user'): void {
  const there = lstatSync(path, {throwIfNoEntry: false})
  if (there && !mayBeReplaced(there)) throw Object.assign(new Error('no file'), {code: 'ENXIO'})
  sweepDrafts(dirname(path), [basename(path)])
  const draft = draftOf(path)
  try {
    writeNew(draft, bytes, readers)
    renameFile(draft, path)
  } catch (error) {
    rmSync(draft, {force: true})
    throw error
  }
}

/** A name that `sweepDrafts` knows, with the process that writes it. */
export function draftOf(path: string): string {
  const stamp = Date.now().toString().slice(-10)
  return `${path}.tmp-${stamp}${(process.pid % 0x1000000).toString(16).padStart(6, '0')}`
}

const busyCodes: readonly unknown[] = ['EPERM', 'EBUSY', 'EACCES']

/** As renameSync; on Windows retried for 2 s, while a virus scanner or an indexer has the file open. Throws the system's error. */
export function renameFile(from: string, to: string, platform: string = process.platform): void {
  const until = performance.now() + 2000
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (platform !== 'win32' || !busyCodes.includes(systemCode(error)) || performance.now() > until) throw error
      Atomics.wait(pause, 0, 0, 50)
    }
  }
}

/** A pipe or a device, which root could replace, is never replaced. */
export function mayBeReplaced(there: Stats): boolean {
  return there.isFile() || there.isSymbolicLink() || there.isDirectory()
}

function writeNew(path: string, bytes: Uint8Array | Iterable<Uint8Array>, readers: Readers): void {
  thenClose(readers === 'user' ? createPrivateFile(path) : openSync(path, 'wx', 0o666), (descriptor) => {
    for (const part of bytes instanceof Uint8Array ? [bytes] : bytes) {
      if (writeSync(descriptor, part) !== part.length) throw shortWrite()
    }
    fsyncSync(descriptor)
  })
}

/** Removes drafts that killed runs left; a younger one of a process that may live is kept. */
export function sweepDrafts(folder: string, names: readonly string[]): void {
  const isDraft = (entry: string) => names.some((name) => entry.startsWith(`${name}.tmp-`) && draftEnd.test(entry))
  sweepLeft(folder, leftAfterMs, isDraft)
  // A process of another container may look dead; it writes its draft in less time.
  sweepLeft(folder, unwrittenMs, (entry) => isDraft(entry) && !mayLive(Number.parseInt(entry.slice(-6), 16)))
}

export function mayLive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

/** Removes what matches and was not touched for this time, as far as possible. */
export function sweepLeft(folder: string, afterMs: number, isLeft: (name: string) => boolean): void {
  for (const name of namesIn(folder).filter(isLeft)) {
    const path = join(folder, name)
    const stat = statSync(path, {throwIfNoEntry: false})
    const isLeftLong = stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > afterMs
    // A leftover of another user, or on a read-only disk, is harmless.
    if (isLeftLong) unlessError(() => rmSync(path, {force: true}), undefined)
  }
}

/** None if the folder cannot be read. */
export function namesIn(folder: string): string[] {
  return unlessError(() => readdirSync(folder), [])
}
