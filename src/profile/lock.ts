import {mkdirSync, realpathSync, rmdirSync, statSync} from 'node:fs'
import {setTimeout as sleep} from 'node:timers/promises'
import {profilePath} from './file.js'
import {ProfileProblem} from './problem.js'

/** How long a command waits for others that change the profile; each of them needs a few hundredths of a second. */
const patienceMs = 30_000
/** A lock untouched for so long was left by a killed run; a living one touches its lock twice in that time. */
const staleMs = 10_000

/**
 * Does `work` while no other process changes the profile in this folder, which must exist. Raises a ProfileProblem of kind
 * `configuration` after `waitMs` without a turn, and the system's error where no lock can be made.
 */
export async function whileLocked<T>(configDir: string, work: () => T | Promise<T>, waitMs = patienceMs): Promise<T> {
  const release = await acquire(profilePath(realpathSync(configDir)), waitMs)
  try {
    return await work()
  } finally {
    // A lock that somebody took over as stale is no longer ours to release.
    await release().catch(() => undefined)
  }
}

async function acquire(path: string, waitMs: number): Promise<() => Promise<void>> {
  const {lock} = await import('proper-lockfile')
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    try {
      // Stale locks are taken over below: lock() itself lets two waiters in who find one stale at the same moment.
      return await lock(path, {
        realpath: false,
        retries: 0,
        stale: Number.POSITIVE_INFINITY,
        update: staleMs / 2,
        onCompromised: () => undefined,
      })
    } catch (error) {
      if (!isHeld(error)) throw error
    }
    removeStale(`${path}.lock`)
    if (performance.now() > giveUpAt) throw lockedOut(`${path}.lock`, waitMs)
    await sleep(40 + Math.random() * 80)
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ELOCKED'
}

/** Removes a stale lock. Only who holds the gate may, so nobody removes the fresh lock of a quicker one. */
function removeStale(lockFolder: string): void {
  if (!isStale(lockFolder)) return
  const gate = `${lockFolder}.takeover`
  try {
    mkdirSync(gate)
  } catch {
    if (isStale(gate)) removeFolder(gate)
    return
  }
  if (isStale(lockFolder)) removeFolder(lockFolder)
  removeFolder(gate)
}

function isStale(folder: string): boolean {
  const stat = statSync(folder, {throwIfNoEntry: false})
  return stat !== undefined && Date.now() - stat.mtimeMs > staleMs
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Gone already, or not to be removed by this user: the next turn sees.
  }
}

function lockedOut(lockFolder: string, waitMs: number): ProfileProblem {
  return new ProfileProblem('configuration', `another roomctl has been changing the profile for ${waitMs / 1000} s`, {
    why: `its lock ${lockFolder} is still there`,
    advice: `try again; where no other roomctl runs: rmdir ${lockFolder}`,
  })
}
