import type {Session} from '../../cli/session/session.js'
import {type Failure, onFailure} from '../../failure.js'
import {formatDuration} from '../../text/quantity.js'
import {safeText} from '../../text/text.js'
import {secondAfter} from './differences.js'
import {mayPass} from './watchReaders.js'

/** A service may ask for more patience, but not for more than this. */
const longestAskedMs = 3_600_000

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

/** Waits and looks until the last look or the signal; through outages, too. Throws what does not pass by itself. */
export async function poll({runtime, waiting}: Session, {intervalMs, look, lost, back}: PollOptions): Promise<void> {
  const {signal, sleep, elapsed} = runtime
  let lostAt: number | undefined
  await sleep(intervalMs, signal)
  while (!signal.aborted) {
    const begun = elapsed()
    const release = waiting.hold()
    const {isLast, trouble} = await look().catch(keepPolling)
    release()
    const ended = elapsed()
    if (isLast) return
    if (trouble && lostAt === undefined) lost(trouble)
    if (!trouble && lostAt !== undefined) back(ended - lostAt)
    lostAt = trouble && (lostAt ?? begun)
    // After a slow poll wait as long again, to spare the service.
    const pauseMs = Math.max(intervalMs, ended - begun, Math.min(longestAskedMs, trouble?.facts.retryAfterMs ?? 0))
    await sleep(pauseMs, signal)
  }
}

const keepPolling = onFailure(
  (failure) => mayPass(failure) || failure.facts.exit === 'interrupted',
  (trouble): PollResult => ({isLast: trouble.facts.exit === 'interrupted', trouble}),
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
