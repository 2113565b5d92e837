import {closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {ProfileProblem} from './problem.js'

/** The names of temporary files beside the profile, ours and those that conf makes. A killed run leaves them behind. */
const temporaryName = /^config(?:\.backup)?\.json\.tmp-\d{10}[0-9a-f]{6}$/
const leftOverAfterMs = 60_000

/**
 * Puts a file in place as a whole: written beside it with mode 0600, flushed, then renamed. A kill or a full disk leaves
 * what was there before. Raises the system's error, ENOSPC also where the disk took only a part.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const stamp = Date.now().toString().slice(-10)
  const random = Math.floor(Math.random() * 0x1000000)
  const temporary = `${path}.tmp-${stamp}${random.toString(16).padStart(6, '0')}`
  try {
    writeNew(temporary, bytes)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, {force: true})
    throw error
  }
}

/** Writes a file that is not there yet, mode 0600, and flushes it. */
function writeNew(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    // A file this small is taken whole or the disk is full, and then a second try would only fail louder.
    if (writeSync(descriptor, bytes) !== bytes.length) throw Object.assign(new Error('short write'), {code: 'ENOSPC'})
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes temporary files of killed runs, which hold tokens; younger ones may belong to a run that is alive. */
export function sweepLeftOvers(configDir: string): void {
  for (const name of readdirSync(configDir)) {
    if (!temporaryName.test(name)) continue
    const path = join(configDir, name)
    const stat = statSync(path, {throwIfNoEntry: false})
    if (stat && Date.now() - stat.mtimeMs > leftOverAfterMs) rmSync(path, {force: true})
  }
}

export const fullDisk = 'the disk is full or a size limit was reached'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: fullDisk,
  EDQUOT: 'the disk quota is used up',
  EFBIG: fullDisk,
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'something else is in the way',
  ENOTDIR: 'a part of this path is no folder',
  EIO: 'the disk reports an error',
}

/**
 * Why the system refused something (ENOSPC and the like), in words; undefined for any other error. The message of the error
 * is left out: it is not for people.
 */
export function reasonOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!/^E[A-Z0-9]+$/.test(code)) return undefined
  return (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? `the system refused it (${code})`
}

/** The problem of a profile file that could not be written and is as it was before. */
export function cannotWrite(path: string, reason: string): ProfileProblem {
  return new ProfileProblem('configuration', `cannot write the profile file ${path}: ${reason}`, {
    why: 'nothing was changed, the profile is as it was before',
    advice: 'put that right and run the command again',
  })
}
