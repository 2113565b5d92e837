const signals = ['SIGINT', 'SIGBREAK', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does work that may take seconds in one turn of the event loop, in which no listener of a signal could be called: until it is done, a
 * signal ends the process at once. Throws what the work throws.
 */
export function runInterruptible<T>(work: () => T): T {
  const listeners = signals.map((name) => ({name, all: process.listeners(name)}))
  for (const {name} of listeners) process.removeAllListeners(name)
  try {
    return work()
  } finally {
    for (const {name, all} of listeners) for (const listener of all) process.on(name, listener)
  }
}
