import {chmodSync, readdirSync, statSync} from 'node:fs'

const sticky = 0o1000

/**
 * Closes a folder to all but its user (0700) where others may look into it, unless it holds more than what `isOurs`: a project's
 * folder, a home, or one that all users share keeps its mode. Raises nothing: whether it can be used shows when it is.
 */
export function closeFolder(path: string, isOurs: (name: string) => boolean): void {
  try {
    const {mode} = statSync(path)
    if ((mode & 0o077) !== 0 && (mode & sticky) === 0 && readdirSync(path).every(isOurs)) chmodSync(path, 0o700)
  } catch {
    // It is not there, or another user's.
  }
}
