import {realpathSync} from 'node:fs'
import {whileFileLocked} from '../disk/lock.js'
import {profilePath} from './file.js'
import {ProfileProblem} from './problem.js'

/** How long a command waits for others that change the profile; each of them needs a few hundredths of a second. */
const patienceMs = 30_000

/**
 * Does `work` while no other process changes the profile in this folder, which must exist. Raises a ProfileProblem of kind
 * `configuration` after `waitMs` without a turn, and the system's error where no lock can be made.
 */
export function whileLocked<T>(configDir: string, work: () => T | Promise<T>, waitMs = patienceMs): Promise<T> {
  const lockedOut = (lockFolder: string) =>
    new ProfileProblem('configuration', `another roomctl has been changing the profile for ${waitMs / 1000} s`, {
      why: `its lock ${lockFolder} is still there`,
      advice: `try again; where no other roomctl runs: rmdir ${lockFolder}`,
    })
  return whileFileLocked(profilePath(realpathSync(configDir)), work, {waitMs, lockedOut})
}
