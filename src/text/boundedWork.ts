/** The signals that a command handles between two turns of the event loop, of which there is none within one piece of work. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Work that took longer than it may. */
export class WorkTooLong extends Error {}

/**
 * Does work whose length an input decides, and which may never end, in one turn of the event loop: it is stopped after `ms`, and a
 * signal ends the process at once, as if nobody listened for it. Raises a WorkTooLong, and what the work raises.
 */
export async function boundedWork<T>(work: () => T, ms = 20_000): Promise<T> {
  const {runInNewContext} = await import('node:vm')
  const listeners = signals.map((name) => ({name, all: process.listeners(name)}))
  for (const {name} of listeners) process.removeAllListeners(name)
  try {
    return runInNewContext('work()', {work}, {timeout: ms})
  } catch (error) {
    // An Error of the other context, which is no instance of this one's.
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new WorkTooLong(`it took longer than ${ms / 1000} s`)
    }
    throw error
  } finally {
    for (const {name, all} of listeners) for (const one of all) process.on(name, one)
  }
}
