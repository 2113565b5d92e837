import {constants, copyFileSync, existsSync, linkSync, readFileSync, realpathSync, rmSync, statSync} from 'node:fs'
import {type Failure, failureWith} from '../../failure.js'
import {shellWord, unlessError} from '../../text/text.js'
import {whileFileLocked} from '../disk/lock.js'
import {
  currentUser,
  keepPrivateFolder,
  readPrivateFile,
  reasonOf,
  systemCode,
  systemReason,
  UnusableFile,
  type User,
} from '../disk/privateFile.js'
import {renameFile, replaceFile} from '../disk/replaceFile.js'
import {DamagedDocument, ForeignDocument} from '../document.js'
import {
  backupPath,
  mostProfileBytes,
  type ProfileFile,
  parseProfileFile,
  profilePath,
  profileVersion,
  readProfileFile,
} from './file.js'

/** Throws the Failure of a profile file that could not be read because of `error`, unless that is damage. */
function assertDamaged(configDir: string, error: unknown): asserts error is DamagedDocument {
  if (error instanceof ForeignDocument) throw foreignProfile(profilePath(configDir), error)
  if (error instanceof DamagedDocument) return
  if (keepConfigFolder(configDir)) readConfigFile(profilePath(configDir))
  throw error
}

function foreignProfile(path: string, {message}: ForeignDocument): Failure {
  return failureWith('configuration', `the profile file ${path} ${message}`, {
    why: `another version of roomctl or an editor wrote it (this one writes version ${profileVersion}); it was not changed`,
    try: 'use the roomctl that wrote it or a newer one, correct the file by hand, or set ROOMCTL_CONFIG_DIR to another folder',
  })
}

/**
 * Reads a profile file again that could not be read because of `error`: a damaged one under the lock. If no other process has repaired
 * it, restores the backup and throws a Failure, as for every other error.
 */
export async function repairProfileFile(configDir: string, error: unknown): Promise<ProfileFile> {
  assertDamaged(configDir, error)
  try {
    return await whileProfileLocked(configDir, () => readOrRepair(configDir))
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === undefined ? error : cannotRepair(profilePath(configDir), reason)
  }
}

function cannotRepair(path: string, reason: string): Failure {
  return failureWith('configuration', `the profile file ${path} is damaged and was not repaired: ${reason}`, {
    why: 'no command can use it until it is repaired',
    try: `fix that and run the command again, or ${moveAway(path)}`,
  })
}

/** Reads the profile file and repairs damage; for callers that hold the lock. */
export function readOrRepair(configDir: string): ProfileFile {
  try {
    return readProfileFile(configDir)
  } catch (error) {
    assertDamaged(configDir, error)
    throw repair(configDir, error.message)
  }
}

function repair(configDir: string, damage: string): Failure {
  const path = profilePath(configDir)
  const kept = keepDamaged(path)
  const good = putBackupBack(configDir)
  if (!good) rmSync(path)
  const state = good ? `restored the last good copy, of ${good.toISOString()}, before the last change` : noCopy
  return failureWith('configuration', `the profile file ${path} was damaged: it ${damage}`, {
    why: `${state}; the damaged file is kept as ${kept}`,
    try: good
      ? 'check the settings before you run the command again: roomctl config list'
      : `repair ${kept} by hand and copy it to ${path}, or: roomctl config init`,
  })
}

const noCopy = 'no good copy exists, so there are no profiles now'

/** Links the damaged file to a second name, which needs no room on a full disk; copies it without links. */
function keepDamaged(path: string): string {
  let time = Date.now()
  while (existsSync(damagedPath(path, time))) time += 1
  const kept = damagedPath(path, time)
  try {
    linkSync(path, kept)
  } catch {
    copyFileSync(path, kept, constants.COPYFILE_EXCL)
  }
  return kept
}

function damagedPath(path: string, time: number): string {
  const stamp = new Date(time).toISOString().replace(/[-:.]/g, '')
  return path.replace(/\.json$/, `.damaged-${stamp}.json`)
}

// All of this runs under the lock.

/** Writes these bytes to the backup, unless it has them, so a full disk does not matter then. */
export function keepBackup(configDir: string, bytes: Uint8Array): void {
  const path = backupPath(configDir)
  if (existsSync(path) && readFileSync(path).equals(bytes)) return
  replaceFile(path, bytes)
}

/**
 * As `keepBackup`, if the profile file is whole and the older backup suffices: on a full disk the next change makes the backup
 * before it writes, or stops there.
 */
export function tryKeepBackup(configDir: string, bytes: Uint8Array): void {
  unlessError(() => keepBackup(configDir, bytes), undefined)
}

/**
 * Restores the backup and returns its time; undefined without a whole one. It is moved: that needs no room and happens at once or
 * not at all.
 */
function putBackupBack(configDir: string): Date | undefined {
  const path = backupPath(configDir)
  const bytes = unlessError(() => readConfigFile(path), undefined)
  if (bytes === undefined || !isProfile(bytes)) return undefined
  const {mtime} = statSync(path)
  renameFile(path, profilePath(configDir))
  tryKeepBackup(configDir, bytes)
  return mtime
}

export function isProfile(bytes: Uint8Array): boolean {
  return unlessError(() => parseProfileFile(bytes) !== undefined, false)
}

/** Rolls back a failed write: restores the file from the backup, or removes it. */
export function takeBackWrite(configDir: string, before: Buffer | undefined): void {
  const path = profilePath(configDir)
  if (before === undefined) rmSync(path, {force: true})
  else if (!readFileSync(path).equals(before)) putBackupBack(configDir)
}

/** How long a command waits for others that change the profile; each of them needs a few hundredths of a second. */
const patienceMs = 30_000

/** Runs `work` under the lock of the profile. Throws Failure (configuration) after `waitMs`, and the system's error. */
export function whileProfileLocked<T>(configDir: string, work: () => T | Promise<T>, waitMs = patienceMs): Promise<T> {
  const lockedOut = (lockFolder: string) =>
    failureWith('configuration', `another roomctl has locked the profile file for ${waitMs / 1000} s`, {
      why: `its lock is ${lockFolder}`,
      try: `try again; if no other roomctl is running: rmdir ${lockFolder}`,
    })
  return whileFileLocked(profilePath(realpathSync(configDir)), work, {waitMs, lockedOut})
}

const otherFolder = 'set ROOMCTL_CONFIG_DIR to a folder of your own'

/** Undefined for a missing file. A looser mode becomes 0600. Throws Failure (configuration). */
export function readConfigFile(path: string, owner: User = currentUser()): Buffer | undefined {
  try {
    return readPrivateFile(path, {maxBytes: mostProfileBytes, owner})
  } catch (error) {
    throw refusedForProfile(path, error)
  }
}

/** Keeps the config folder to its user (0700). False for a missing folder. Throws Failure (configuration). */
export function keepConfigFolder(path: string, owner: User = currentUser()): boolean {
  try {
    return keepPrivateFolder(path, {owner})
  } catch (error) {
    throw refusedForProfile(path, error)
  }
}

/** The advice that puts a file out of the way, and keeps it. */
function moveAway(path: string): string {
  return `move it away: mv ${shellWord(path)} ${shellWord(`${path}.old`)}`
}

/** The Failure (configuration) of an unusable profile file. Throws any error but of the system, or for a later version. */
export function refusedForProfile(path: string, error: unknown): Failure {
  if (error instanceof ForeignDocument) return foreignProfile(path, error)
  const why = systemReason(error)
  const advice: Readonly<Record<string, string>> = {
    kind: moveAway(path),
    size: moveAway(path),
    owner: `change its owner with chown, or ${otherFolder}`,
    mode: `chmod go= ${shellWord(path)}`,
    shared: otherFolder,
    ENOTDIR: otherFolder,
    ELOOP: 'put the file itself there, or set ROOMCTL_CONFIG_DIR to its folder',
  }
  const fault = error instanceof UnusableFile ? error.fault : String(systemCode(error))
  return failureWith('configuration', `${path} is not used for the profile: ${why}`, {
    try: advice[fault] ?? `check its permissions: ls -ld ${shellWord(path)}`,
  })
}
