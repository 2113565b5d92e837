import {constants, copyFileSync, linkSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {reasonOf} from '../disk/reason.js'
import {putBackupBack} from './backup.js'
import {describeDamage} from './damage.js'
import {backupPath, type ProfileFile, profilePath} from './file.js'
import {whileLocked} from './lock.js'
import {moveAway, readConfigFile} from './private.js'
import {DamagedProfile, ProfileProblem} from './problem.js'
import {readProfileFile} from './read.js'

/**
 * Looks at a damaged profile file again under the lock that writers take. Gives back the file where another process put it
 * right meanwhile; else keeps the damaged bytes, puts the last good copy back and raises a ProfileProblem that says so.
 */
export async function repairProfileFile(configDir: string): Promise<ProfileFile> {
  try {
    return await whileLocked(configDir, () => readOrRepair(configDir))
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === undefined ? error : cannotRepair(profilePath(configDir), reason)
  }
}

function cannotRepair(path: string, reason: string): ProfileProblem {
  return new ProfileProblem('configuration', `the profile file ${path} is damaged and was not put right: ${reason}`, {
    why: 'no command can use it as it is',
    advice: `put that right and run the command again, or move it away: ${moveAway(path)}`,
  })
}

/** Reads the profile file and repairs it where it is damaged; for callers that hold the lock. */
export function readOrRepair(configDir: string): ProfileFile {
  try {
    return readProfileFile(configDir)
  } catch (error) {
    throw error instanceof DamagedProfile ? repair(configDir) : error
  }
}

function repair(configDir: string): ProfileProblem {
  const path = profilePath(configDir)
  const what = describeDamage(readConfigFile(path) ?? new Uint8Array())
  const kept = keepDamaged(configDir)
  const copiedAt = statSync(backupPath(configDir), {throwIfNoEntry: false})?.mtime
  const good = putBackupBack(configDir)
  if (good === undefined) rmSync(path)
  const state = good && copiedAt ? `the last good copy, of ${copiedAt.toISOString()}, is back in its place` : noCopy
  return new ProfileProblem('configuration', `the profile file ${path} was damaged: it ${what}`, {
    why: `${state}; the damaged file is kept as ${kept}`,
    advice: good
      ? 'check the settings with roomctl config list, then run the command again'
      : `roomctl config init, or repair ${kept} by hand and copy it to ${path}`,
  })
}

const noCopy = 'there is no good copy of it, so there are no profiles now'

/** Gives the damaged file a second name. A link needs no room on a full disk; where there are no links it is copied. */
function keepDamaged(configDir: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const path = profilePath(configDir)
  for (let count = 1; ; count += 1) {
    const kept = join(configDir, `config.damaged-${stamp}${count > 1 ? `-${count}` : ''}.json`)
    try {
      return linkOrCopy(path, kept)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function linkOrCopy(path: string, kept: string): string {
  try {
    linkSync(path, kept)
  } catch {
    copyFileSync(path, kept, constants.COPYFILE_EXCL)
  }
  return kept
}
