import type {Session} from '../../cli/session/session.js'
import {type Failure, onFailure} from '../../failure.js'
import {formatDuration} from '../../text/quantity.js'
import {safeText} from '../../text/text.js'
import {secondAfter} from './differences.js'
import {mayPass} from './watchReaders.js'

/** The longest time between two looks, in milliseconds, while the service does not answer. */
const outageMs = 60_000
/** A service may ask for more patience, but not for more than this. */
const longestAskedMs = 3_600_000
/** Up to this part of the time is added, so that many watches do not look together. */
const spread = 0.1

export interface PollResult {
  readonly isLast: boolean
  readonly trouble?: Failure | undefined
}

export interface PollOptions {
  readonly intervalMs: number
  readonly look: () => Promise<PollResult>
  /** Called when the service stops answering, and once it answers again, with how long that took in milliseconds. */
  readonly lost: (failure: Failure) => void
  readonly back: (ms: number) => void
}

/** Waits and looks until the last look or the signal; through outages with growing pauses. Throws what does not pass by itself. */
export async function poll({runtime, waiting}: Session, {intervalMs, look, lost, back}: PollOptions): Promise<void> {
  const {signal, sleep, elapsed, random} = runtime
  const outage = new Outage({lost, back})
  let pauseMs = intervalMs
  for (;;) {
    await sleep(Math.round(pauseMs * (1 + spread * random())), signal)
    if (signal.aborted) return
    const begun = elapsed()
    const release = waiting.hold()
    const {isLast, trouble} = await look().catch(keepPolling)
    release()
    const ended = elapsed()
    if (isLast || signal.aborted) return
    outage.note(trouble, begun, ended)
    // After a slow poll wait as long again, to spare the service.
    pauseMs = Math.max(
      outage.pauseMs(intervalMs),
      ended - begun,
      Math.min(longestAskedMs, trouble?.facts.retryAfterMs ?? 0),
    )
  }
}

/** Looks in a row that failed. */
class Outage {
  #since = 0
  #failures = 0

  constructor(private readonly listener: Pick<PollOptions, 'lost' | 'back'>) {}

  note(trouble: Failure | undefined, begun: number, ended: number): void {
    if (trouble && this.#failures === 0) {
      this.#since = begun
      this.listener.lost(trouble)
    }
    if (!trouble && this.#failures > 0) this.listener.back(ended - this.#since)
    this.#failures = trouble ? this.#failures + 1 : 0
  }

  /** It doubles with each failure after the first. */
  pauseMs(intervalMs: number): number {
    return Math.max(intervalMs, Math.min(outageMs, intervalMs * 2 ** Math.max(0, this.#failures - 1)))
  }
}

const keepPolling = onFailure(
  (failure) => mayPass(failure) || failure.facts.exit === 'interrupted',
  (trouble): PollResult => ({isLast: false, trouble}),
)

/** Lines on stderr: one when the service stops answering, and one when it answers again. */
export function outageNotes({progress, view, runtime}: Session): Pick<PollOptions, 'lost' | 'back'> {
  const at = () => view.time(secondAfter(runtime.now().getTime()))
  return {
    lost: ({facts}) => progress(`${at()}  cannot reach the service: ${safeText(facts.message)} (still watching)`),
    back: (ms) =>
      progress(`${at()}  the service is reachable again after ${formatDuration(Math.ceil(ms / 1000) * 1000)}`),
  }
}
