import {lstatSync, mkdirSync, rmdirSync, unlinkSync} from 'node:fs'
import {setTimeout as sleep} from 'node:timers/promises'
import {unlessError} from '../../text/text.js'
import {lockWaits} from './lockWaits.js'
import {systemCode} from './privateFile.js'

/** A lock untouched for this time was left by a killed run; a living one touches its lock twice in that time. */
const usualStaleMs = 10_000

/** Delay of the notice of a wait. */
const quietMs = 2_000

/** Between two attempts, at random, so that those who wait do not collide again. */
const pauseMs = {least: 5, most: 60}

interface LockOptions {
  readonly waitMs: number
  readonly lockedOut: (lockFolder: string) => Error
  readonly cannotLock?: (error: unknown) => Error
  /** The age at which a lock is stale, 2 s at least; default: 10 s. */
  readonly staleMs?: number
}

/** Runs `work` while no other process holds the lock of the same file, which need not exist; its folder must. */
export async function whileFileLocked<T>(path: string, work: () => T | Promise<T>, options: LockOptions): Promise<T> {
  const release = await acquire(path, options)
  try {
    return await work()
  } finally {
    // A lock taken over as stale is no longer ours to release.
    await release().catch(() => undefined)
  }
}

/** The library's own retries would also repeat permanent errors, such as a read-only folder. */
async function acquire(path: string, options: LockOptions): Promise<() => Promise<void>> {
  const {waitMs, lockedOut, cannotLock, staleMs = usualStaleMs} = options
  const {lock} = await import('proper-lockfile')
  const lockFolder = `${path}.lock`
  const startedAt = performance.now()
  for (let isSaid = false; ; ) {
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
      if (systemCode(error) !== 'ELOCKED') throw cannotLock?.(error) ?? error
    }
    removeStale(lockFolder, staleMs)
    const waitedMs = performance.now() - startedAt
    if (waitedMs > waitMs) throw lockedOut(lockFolder)
    if (!isSaid && waitedMs > quietMs) {
      isSaid = true
      lockWaits.publish(`waiting for another roomctl, which has locked ${path}`)
    }
    await sleep(pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least))
  }
}

/** Removes a stale lock. Only the holder of the gate may, so that no process removes a fresh lock. */
function removeStale(lockFolder: string, staleMs: number): void {
  if (!isStale(lockFolder, staleMs)) return
  const gate = `${lockFolder}.takeover`
  try {
    mkdirSync(gate)
  } catch {
    if (isStale(gate, usualStaleMs)) removeEntry(gate)
    return
  }
  if (isStale(lockFolder, staleMs)) removeEntry(lockFolder)
  removeEntry(gate)
}

/** One of the future was left before the clock was set back. */
function isStale(path: string, staleMs: number): boolean {
  const stat = lstatSync(path, {throwIfNoEntry: false})
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > staleMs
}

/** A foreign file, folder or link at the path of a lock, which would be waited for forever. */
function removeEntry(path: string): void {
  // Already gone, or not removable by this user: the next try decides.
  unlessError(() => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)), undefined)
}
