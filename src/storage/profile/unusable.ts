import {statSync} from 'node:fs'
import {shellWord} from '../../advice.js'
import {type Failure, failureWith} from '../../failure.js'
import {unlessError} from '../../text/text.js'
import {
  currentUser,
  keepPrivateFolder,
  readRegularFile,
  systemCode,
  systemReason,
  UnusableFile,
} from '../disk/privateFile.js'
import {DamagedDocument, ForeignDocument} from '../document.js'
import {backupPath, mostProfileBytes, parseProfileFile, profilePath, profileVersion} from './file.js'

/**
 * The Failure (configuration) of a profile file that `error` kept from being read; nothing is changed. Throws any error but of the system
 * or of a document.
 */
export function unusableProfile(configDir: string, error: unknown): Failure {
  const path = pathAtFault(configDir)
  if (error instanceof ForeignDocument) return foreignProfile(path, error)
  if (error instanceof DamagedDocument) return damagedProfile(configDir, error)
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
    ...(['EACCES', 'EPERM', 'owner'].includes(fault) ? {code: 'not-allowed'} : {}),
    try: advice[fault] ?? `check its permissions: ls -ld ${shellWord(path)}`,
  })
}

/** The folder if it cannot be used, else the file. */
function pathAtFault(configDir: string): string {
  const isFolderUsed = unlessError(() => keepPrivateFolder(configDir, {owner: currentUser(), leavesMode: true}), false)
  return isFolderUsed ? profilePath(configDir) : configDir
}

function foreignProfile(path: string, {message}: ForeignDocument): Failure {
  return failureWith('configuration', `the profile file ${path} ${message}`, {
    why: `another version of roomctl or an editor wrote it (this one writes version ${profileVersion}); it was not changed`,
    try: 'use the roomctl that wrote it or a newer one, correct the file by hand, or set ROOMCTL_CONFIG_DIR to another folder',
  })
}

function damagedProfile(configDir: string, {message}: DamagedDocument): Failure {
  const path = profilePath(configDir)
  const copiedAt = goodCopy(configDir)
  const [file, backup] = [path, backupPath(configDir)].map(shellWord)
  return failureWith('configuration', `the profile file ${path} is damaged: it ${message}`, {
    why: `no command can use it; it was not changed${copiedAt ? '' : ', and there is no good copy of it'}`,
    try: copiedAt
      ? `correct it by hand, or restore the copy of ${copiedAt.toISOString()}: cp ${backup} ${file}`
      : `correct it by hand, or move it away: mv ${file} ${shellWord(`${path}.old`)}`,
  })
}

/** The time of the backup; undefined without a whole one. */
export function goodCopy(configDir: string): Date | undefined {
  const path = backupPath(configDir)
  return unlessError(() => {
    const bytes = readRegularFile(path, mostProfileBytes)
    return bytes && parseProfileFile(bytes) && statSync(path).mtime
  }, undefined)
}

const otherFolder = 'set ROOMCTL_CONFIG_DIR to a folder of your own'

/** The advice that puts a file out of the way, and keeps it. */
function moveAway(path: string): string {
  return `move it away: mv ${shellWord(path)} ${shellWord(`${path}.old`)}`
}
