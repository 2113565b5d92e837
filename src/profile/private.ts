import {closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync, type Stats} from 'node:fs'
import process from 'node:process'
import {ProfileProblem} from './problem.js'

/** The user this process acts as; undefined on Windows, where files have no mode bits and nothing is checked. */
export type User = number | undefined

/** No profile file comes near it; what is larger is not held in memory. */
const maxBytes = 16 * 1024 * 1024

/** Asked of the system, not of the environment, so that nobody else's file is taken for one's own. */
export function currentUser(): User {
  return process.geteuid?.()
}

/**
 * The bytes of a file that only its user may read, undefined where there is none. A looser mode is tightened to 0600 on the
 * open descriptor, so that no other file can slip in between. Raises a ProfileProblem of kind `configuration` for a symbolic
 * link, something that is no file or too large to be one, another user's file, and one that cannot be read or tightened.
 */
export function readPrivateFile(path: string, user: User): Buffer | undefined {
  // O_NONBLOCK: a pipe of that name must not hang the program.
  const descriptor = open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (descriptor === undefined) return undefined
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw refused(path, 'it is not a file', `move it away: mv ${path} ${path}.old`)
    tighten(descriptor, stat, path, user)
    if (stat.size > maxBytes) throw refused(path, 'it is larger than 16 MiB', `move it away: mv ${path} ${path}.old`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Keeps a folder to its user: a looser mode is tightened to 0700. False where there is no such folder. Raises a
 * ProfileProblem of kind `configuration` for another user's folder and for one shared by everybody, like /tmp.
 */
export function keepFolderPrivate(path: string, user: User): boolean {
  if (user === undefined) return true
  const descriptor = open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  if (descriptor === undefined) return false
  try {
    const stat = fstatSync(descriptor)
    if ((stat.mode & 0o1000) !== 0) {
      throw refused(path, 'it is a folder that all users share', 'set ROOMCTL_CONFIG_DIR to a folder of your own')
    }
    tighten(descriptor, stat, path, user)
    return true
  } finally {
    closeSync(descriptor)
  }
}

function open(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP') {
      throw refused(path, 'it is a symbolic link', 'put the file itself there, or set ROOMCTL_CONFIG_DIR to its folder')
    }
    if (code === 'ENOTDIR') {
      throw refused(path, 'a part of this path is no folder', 'set ROOMCTL_CONFIG_DIR to a folder of your own')
    }
    throw refused(path, `it cannot be opened (${String(code)})`, `see who may read it: ls -ld ${path}`)
  }
}

function tighten(descriptor: number, stat: Stats, path: string, user: User): void {
  if (user === undefined) return
  if (stat.uid !== user) {
    const advice = 'take it over with chown, or set ROOMCTL_CONFIG_DIR to a folder of your own'
    throw refused(path, `it belongs to another user (uid ${stat.uid}, you are ${user})`, advice)
  }
  if ((stat.mode & 0o077) === 0) return
  try {
    fchmodSync(descriptor, stat.mode & 0o700)
  } catch {
    throw refused(path, 'other users may read it and its mode cannot be changed', `chmod go= ${path}`)
  }
}

function refused(path: string, why: string, advice: string): ProfileProblem {
  return new ProfileProblem('configuration', `${path} is not used for the profile: ${why}`, {advice})
}
