import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {mayPass} from './readRooms.js'

/** The longest time between two looks, in milliseconds, while the service does not answer. */
const outageMs = 60_000
/** A service may ask for more patience, but not for more than this. */
const longestAskedMs = 3_600_000
/** Up to this part of the time is added, so that many watches do not look together. */
const spread = 0.1

/** What a look came to. */
export interface Look {
  readonly isLast: boolean
  readonly trouble?: Failure | undefined
}

export interface Watching {
  readonly intervalMs: number
  readonly look: () => Promise<Look>
  /** Called when the service stops answering, and once it answers again, with how long that took in milliseconds. */
  readonly lost: (failure: Failure) => void
  readonly back: (ms: number) => void
}

/**
 * Waits and looks, again and again, one look at a time, until one is the last or the session's signal is aborted. Outages are
 * waited for, with longer and longer pauses; raises what does not pass by itself, such as a refused token.
 */
export async function watchOn({runtime}: Session, {intervalMs, look, lost, back}: Watching): Promise<void> {
  const {signal, sleep, now, random} = runtime
  const outage = new Outage({lost, back})
  let pauseMs = intervalMs
  for (;;) {
    await sleep(Math.round(pauseMs * (1 + spread * random())), signal)
    if (signal.aborted) return
    const begun = now().getTime()
    const {isLast, trouble} = await look().catch(passing)
    const ended = now().getTime()
    if (isLast || signal.aborted) return
    outage.note(trouble, begun, ended)
    // A service that takes long is given as long to rest.
    pauseMs = Math.max(outage.pauseMs(intervalMs), ended - begun, askedMs(trouble))
  }
}

/** Looks in a row that did not come to an end. */
class Outage {
  readonly #told: Pick<Watching, 'lost' | 'back'>
  #since = 0
  #failures = 0

  constructor(told: Pick<Watching, 'lost' | 'back'>) {
    this.#told = told
  }

  note(trouble: Failure | undefined, begun: number, ended: number): void {
    if (trouble && this.#failures === 0) {
      this.#since = begun
      this.#told.lost(trouble)
    }
    if (!trouble && this.#failures > 0) this.#told.back(ended - this.#since)
    this.#failures = trouble ? this.#failures + 1 : 0
  }

  /** It doubles with each failure after the first. */
  pauseMs(intervalMs: number): number {
    return Math.max(intervalMs, Math.min(outageMs, intervalMs * 2 ** Math.max(0, this.#failures - 1)))
  }
}

function askedMs(trouble: Failure | undefined): number {
  return Math.min(longestAskedMs, trouble?.facts.retryAfterMs ?? 0)
}

function passing(error: unknown): Look {
  if (error instanceof Failure && (mayPass(error) || error.facts.exit === 'interrupted')) {
    return {isLast: false, trouble: error}
  }
  throw error
}
