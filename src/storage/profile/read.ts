import {shellWord} from '../../text/text.js'
import {currentUser, keepPrivateFolder, readPrivateFile, type User} from '../disk/privateFile.js'
import {systemCode, UnusableFile} from '../disk/reason.js'
import {emptyFile, type ProfileFile, parseProfileFile, profilePath} from './file.js'
import {DamagedProfile, ProfileProblem} from './problem.js'

/**
 * Reads the profile file of a config folder, and creates nothing. Every command does this, so it is one read and one check, and
 * loads nothing to write with. Looser modes are tightened. Raises a DamagedProfile and a ProfileProblem (configuration).
 */
export function readProfileFile(configDir: string, user: User = currentUser()): ProfileFile {
  const path = profilePath(configDir)
  const bytes = keepConfigFolder(configDir, user) ? readConfigFile(path, user) : undefined
  if (bytes === undefined) return emptyFile()
  const reading = parseProfileFile(bytes)
  if (reading.state === 'whole') return reading.file
  if (reading.state === 'newer') throw writtenByNewer(path, reading.version)
  throw new DamagedProfile(path, reading.damage)
}

function writtenByNewer(path: string, version: number): ProfileProblem {
  return new ProfileProblem('configuration', `the profile file ${path} was written by a newer roomctl`, {
    why: `it has version ${version}, this roomctl knows version 1`,
    advice: 'update roomctl, or set ROOMCTL_CONFIG_DIR to another folder',
  })
}

/** No profile file comes near it. */
const maxBytes = 16 * 1024 * 1024

const otherFolder = 'set ROOMCTL_CONFIG_DIR to a folder of your own'

/** Undefined where there is none. A looser mode becomes 0600. Raises a ProfileProblem (configuration). */
export function readConfigFile(path: string, owner: User = currentUser()): Buffer | undefined {
  try {
    return readPrivateFile(path, {maxBytes, owner})
  } catch (error) {
    throw refusedForProfile(path, error)
  }
}

/** Keeps the config folder to its user (0700). False where there is none. Raises a ProfileProblem (configuration). */
export function keepConfigFolder(path: string, owner: User = currentUser()): boolean {
  try {
    return keepPrivateFolder(path, {owner})
  } catch (error) {
    throw refusedForProfile(path, error)
  }
}

/** The command that puts a file out of the way, and keeps it. */
export function moveAway(path: string): string {
  return `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`
}

function refusedForProfile(path: string, error: unknown): ProfileProblem {
  const {why, advice} = error instanceof UnusableFile ? ofUnusable(path, error) : ofSystem(path, systemCode(error))
  return new ProfileProblem('configuration', `${path} is not used for the profile: ${why}`, {advice})
}

function ofUnusable(path: string, {fault, message}: UnusableFile) {
  const advice = {
    kind: `move it away: ${moveAway(path)}`,
    size: `move it away: ${moveAway(path)}`,
    owner: `change its owner with chown, or ${otherFolder}`,
    mode: `chmod go= ${shellWord(path)}`,
    shared: otherFolder,
  }[fault]
  return {why: message, advice}
}

function ofSystem(path: string, code: string | undefined) {
  if (code === 'ELOOP') {
    return {why: 'it is a symbolic link', advice: 'put the file itself there, or set ROOMCTL_CONFIG_DIR to its folder'}
  }
  if (code === 'ENOTDIR') return {why: 'a part of this path is not a folder', advice: otherFolder}
  return {why: `it cannot be opened (${String(code)})`, advice: `check its permissions: ls -ld ${shellWord(path)}`}
}
