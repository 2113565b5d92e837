import {Failure} from '../../../api/contract/failure.js'

/** How long one check may take, and what ends all of them. */
export interface Bound {
  readonly ms: number
  /** Ctrl-C. */
  readonly signal: AbortSignal
}

/** What the work comes to; `late` where the time is up before. Raises a Failure (interrupted) when it is given up. */
export async function bounded<T>({ms, signal}: Bound, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  const end = new Promise<'late'>((resolve, reject) => {
    timer = setTimeout(() => resolve('late'), ms)
    stop = () => reject(new Failure({exit: 'interrupted', message: 'interrupted'}))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, {once: true})
  })
  // What comes after the end is nobody's.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
    if (stop) signal.removeEventListener('abort', stop)
  }
}
