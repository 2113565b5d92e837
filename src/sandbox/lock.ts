import {setTimeout as pause} from 'node:timers/promises'
import {SandboxProblem} from './problem.js'

/** A lock whose holder has not touched it for so long was left behind by a process that was killed. */
const staleMs = 5000
/** Longer than a left lock lasts, and enough for fifty processes that all want it at once. */
const patienceMs = 30_000
/** Between two attempts, at random, so that those who wait do not come in step. */
const pauseMs = {least: 2, most: 25}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function cannotLock(file: string, error: unknown): string {
  return `cannot lock ${file} (${codeOf(error)}); check that its folder can be written to`
}

/**
 * The library's own retries would also repeat what no waiting mends, such as a folder that must not be written to. So
 * it is asked once each time, and only a lock that somebody holds is waited for.
 */
async function acquire(file: string): Promise<() => Promise<void>> {
  const {lock} = await import('proper-lockfile')
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      // The work under the lock is synchronous and short; were it ever lost meanwhile, nothing could be stopped any more.
      return await lock(file, {realpath: false, stale: staleMs, onCompromised: () => undefined})
    } catch (error) {
      if (codeOf(error) !== 'ELOCKED')
        throw new SandboxProblem(cannotLock(file, error), undefined, {exit: 'configuration', cause: error})
      if (Date.now() > until)
        throw new SandboxProblem(`${file} is in use by another process; try again in a moment`, undefined, {
          exit: 'temporary',
        })
      await pause(pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least))
    }
  }
}

/** Runs `work` while no other process runs any under the lock of the same file. */
export async function withLock<T>(file: string, work: () => T): Promise<T> {
  const release = await acquire(file)
  try {
    return work()
  } finally {
    // A lock that is gone already needs no release.
    await release().catch(() => undefined)
  }
}
