import {existsSync, readFileSync, renameSync, rmSync} from 'node:fs'
import {replaceFile} from '../disk/replaceFile.js'
import {backupPath, profilePath, readBytes} from './file.js'
import {readConfigFile} from './private.js'

// All of this runs under the lock.

/** Makes the backup hold these bytes; nothing is written where it does already, so a full disk does not matter then. */
export function keepBackup(configDir: string, bytes: Uint8Array): void {
  const path = backupPath(configDir)
  if (existsSync(path) && readFileSync(path).equals(bytes)) return
  replaceFile(path, bytes)
}

/** As `keepBackup`, where the profile file itself is whole and the older backup will do. */
export function tryKeepBackup(configDir: string, bytes: Uint8Array): void {
  try {
    keepBackup(configDir, bytes)
  } catch {
    // The disk is full: the next change makes the backup before it writes, or stops there.
  }
}

/**
 * Puts the backup in the place of the profile file and gives back its bytes; undefined, and nothing changed, where there is
 * no whole backup. It is moved, not copied: that needs no room on a full disk and is done at once or not at all.
 */
export function putBackupBack(configDir: string): Buffer | undefined {
  const bytes = wholeBackup(configDir)
  if (bytes === undefined) return undefined
  renameSync(backupPath(configDir), profilePath(configDir))
  tryKeepBackup(configDir, bytes)
  return bytes
}

function wholeBackup(configDir: string): Buffer | undefined {
  try {
    const bytes = readConfigFile(backupPath(configDir))
    return bytes && readBytes(bytes).state === 'whole' ? bytes : undefined
  } catch {
    return undefined
  }
}

/** Takes back a write that went wrong: the file is again what it was before, which the backup holds, or gone. */
export function takeBackWrite(configDir: string, before: Buffer | undefined): void {
  const path = profilePath(configDir)
  if (before === undefined) rmSync(path, {force: true})
  else if (!readFileSync(path).equals(before)) {
    renameSync(backupPath(configDir), path)
    tryKeepBackup(configDir, before)
  }
}
