import {lstatSync, mkdirSync, rmdirSync, unlinkSync} from 'node:fs'
import {setTimeout as sleep} from 'node:timers/promises'

/** A lock untouched for so long was left by a killed run; a living one touches its lock twice in that time. */
const usualStaleMs = 10_000

/** Between two attempts, at random, so that those who wait do not come in step. */
const pauseMs = {least: 5, most: 60}

interface LockOptions {
  /** How long to wait for a turn. */
  readonly waitMs: number
  /** The error of a wait without a turn, from the folder that is the lock. */
  readonly lockedOut: (lockFolder: string) => Error
  /** The error where no lock can be made, from the system's; that one itself where absent. */
  readonly cannotLock?: (error: unknown) => Error
  /** How long a lock lasts that nobody touches: 2 s at least, and ten where absent. */
  readonly staleMs?: number
}

/**
 * Does `work` while no other process does any under the lock of the same file, which need not be there; its folder must. Raises
 * what `lockedOut` gives after a wait without a turn, and what `cannotLock` gives where no lock can be made.
 */
export async function whileFileLocked<T>(path: string, work: () => T | Promise<T>, options: LockOptions): Promise<T> {
  const release = await acquire(path, options)
  try {
    return await work()
  } finally {
    // A lock that somebody took over as stale is no longer ours to release.
    await release().catch(() => undefined)
  }
}

/**
 * The library's own retries would also repeat what no waiting mends, such as a folder that must not be written to. So it is asked
 * once each time, and only a lock that somebody holds is waited for.
 */
async function acquire(path: string, options: LockOptions): Promise<() => Promise<void>> {
  const {waitMs, lockedOut, cannotLock, staleMs = usualStaleMs} = options
  const {lock} = await import('proper-lockfile')
  const lockFolder = `${path}.lock`
  const giveUpAt = performance.now() + waitMs
  const watched = new Watched(lockFolder, staleMs)
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
      if (!isHeld(error)) throw cannotLock?.(error) ?? error
    }
    removeStale(watched)
    if (performance.now() > giveUpAt) throw lockedOut(lockFolder)
    await sleep(pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least))
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ELOCKED'
}

/** A lock that is looked at again and again: stale where it is old, or where nobody has touched it under one's eyes. */
class Watched {
  readonly folder: string
  readonly #staleMs: number
  #touched: number | undefined
  #since = 0

  constructor(folder: string, staleMs: number) {
    this.folder = folder
    this.#staleMs = staleMs
  }

  /** By the watch too: after the clock was set back, a lock that was left lies in the future, and is never old. */
  get isStale(): boolean {
    const touched = lstatSync(this.folder, {throwIfNoEntry: false})?.mtimeMs
    const now = performance.now()
    if (touched !== this.#touched) {
      this.#touched = touched
      this.#since = now
    }
    return touched !== undefined && (Date.now() - touched > this.#staleMs || now - this.#since > this.#staleMs)
  }
}

/** Removes a stale lock. Only who holds the gate may, so nobody removes the fresh lock of a quicker one. */
function removeStale(watched: Watched): void {
  if (!watched.isStale) return
  const gate = `${watched.folder}.takeover`
  try {
    mkdirSync(gate)
  } catch {
    if (isLeft(gate)) removeFolder(gate)
    return
  }
  if (watched.isStale) removeFolder(watched.folder)
  removeFolder(gate)
}

/** A gate is held for a moment; one of the future was left before the clock was set back. */
function isLeft(folder: string): boolean {
  const stat = lstatSync(folder, {throwIfNoEntry: false})
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > usualStaleMs
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') removeFile(folder)
    // Gone already, or not to be removed by this user: the next turn sees.
  }
}

/** A file, or a link, that somebody put where the lock goes: it would be waited for without end. */
function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // As with a folder.
  }
}
