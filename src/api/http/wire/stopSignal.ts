/** What ends an exchange early: of an AbortSignal what the transports use, so that a run need not make one for each call. */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: (event?: unknown) => void, options?: {readonly once: true}): void
  removeEventListener(type: 'abort', listener: (event?: unknown) => void): void
}

const all = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * What is to be told of an abort: one listener of the signal tells them all. Node keeps the listeners of a signal in a list, and one
 * for each call under way would be put into it and taken out again.
 */
export function listenersOf(signal: AbortSignal): Set<() => void> {
  const known = all.get(signal)
  if (known) return known
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  signal.addEventListener('abort', tell, {once: true})
  all.set(signal, listeners)
  return listeners
}
