/** The part of an AbortSignal that the transports use, so that a run need not make one for each call. */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: (event?: unknown) => void, options?: {readonly once: true}): void
  removeEventListener(type: 'abort', listener: (event?: unknown) => void): void
}

/** Calls `stop` when the signal is aborted, at once where it is already; gives back what ends the listening. */
export function onStop(signal: StopSignal | undefined, stop: () => void): () => void {
  signal?.addEventListener('abort', stop, {once: true})
  if (signal?.aborted) stop()
  return () => signal?.removeEventListener('abort', stop)
}

/** The result of some work, or the error that `stopped` makes of the signal's reason if it is aborted before. */
export async function unlessStopped<T>(
  work: Promise<T>,
  signal: StopSignal | undefined,
  stopped: (reason: unknown) => unknown,
): Promise<T> {
  let release = () => {}
  const stop = new Promise<never>((_, reject) => {
    release = onStop(signal, () => reject(stopped(signal?.reason)))
  })
  return Promise.race([work, stop]).finally(release)
}

const all = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Listeners of a signal that it calls through one of its own: Node keeps those of a signal in a list, which is slow to add to and
 * to remove from for each call.
 */
export function listenersOf(signal: AbortSignal): Set<() => void> {
  const known = all.get(signal)
  if (known) return known
  const listeners = new Set<() => void>()
  const callAll = () => {
    for (const listener of listeners) listener()
  }
  signal.addEventListener('abort', callAll, {once: true})
  all.set(signal, listeners)
  return listeners
}
