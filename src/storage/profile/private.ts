import {closeSync, constants, fchmodSync, fstatSync, openSync, type Stats} from 'node:fs'
import process from 'node:process'
import {shellWord} from '../../text/shellWord.js'
import {NotRead, readOwnFile} from '../disk/readFile.js'
import {systemCode} from '../disk/reason.js'
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
  const check = (stat: Stats, descriptor: number) => tighten(descriptor, stat, path, user)
  try {
    return readOwnFile(path, maxBytes, {followLinks: false, check})
  } catch (error) {
    if (error instanceof NotRead) throw refused(path, error.message, `move it away: ${moveAway(path)}`)
    throw error instanceof ProfileProblem ? error : unopened(path, error)
  }
}

/** The command that puts a file out of the way, and keeps it. */
export function moveAway(path: string): string {
  return `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`
}

/**
 * Keeps a folder to its user: a looser mode is tightened to 0700. False where there is no such folder. Raises a
 * ProfileProblem of kind `configuration` for another user's folder and for one shared by everybody, like /tmp.
 */
export function keepFolderPrivate(path: string, user: User): boolean {
  if (user === undefined) return true
  const descriptor = openFolder(path)
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

function openFolder(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw unopened(path, error)
  }
}

function unopened(path: string, error: unknown): ProfileProblem {
  const code = systemCode(error)
  if (code === 'ELOOP') {
    return refused(path, 'it is a symbolic link', 'put the file itself there, or set ROOMCTL_CONFIG_DIR to its folder')
  }
  if (code === 'ENOTDIR') {
    return refused(path, 'a part of this path is no folder', 'set ROOMCTL_CONFIG_DIR to a folder of your own')
  }
  return refused(path, `it cannot be opened (${String(code)})`, `see who may read it: ls -ld ${shellWord(path)}`)
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
    throw refused(path, 'other users may read it and its mode cannot be changed', `chmod go= ${shellWord(path)}`)
  }
}

function refused(path: string, why: string, advice: string): ProfileProblem {
  return new ProfileProblem('configuration', `${path} is not used for the profile: ${why}`, {advice})
}
