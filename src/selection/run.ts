import {type Exit, Failure, type FailureJson} from '../failure.js'
import {notStarted} from '../text/text.js'

/** The outcome of one target of a run. A target that is not done may have a result all the same: what the service holds. */
export type Outcome<Result> =
  | {readonly outcome: 'done'; readonly result: Result; readonly reason?: string}
  | {readonly outcome: 'failed'; readonly failure: Failure; readonly result?: Result}
  | ({readonly outcome: 'skipped' | 'not-tried'; readonly reason: string; readonly result?: Result} & Skipped)

/** Of a skipped target whose `reason` is a code: `unchanged` or `unfinished`. */
interface Skipped {
  /** The proof that it is unchanged. */
  readonly proven_by?: 'ledger' | 'metadata' | 'stamp' | 'content' | 'other-run'
  /** How much of it is done, if it is unfinished and that is known. */
  readonly percent?: number
}

/** An item of the result of any run, as JSON shows it. */
export interface RunItem {
  /** `unknown`: the answer was lost, or the run ended meanwhile. */
  readonly outcome: Outcome<unknown>['outcome'] | 'unknown'
  /** Why it was skipped, not tried or not verified; `error` has the reason of a failure. */
  readonly reason?: string
  readonly error?: FailureJson
}

/** The same of a file, which may have been there already, or partly sent. */
export interface FileItem extends RunItem, Skipped {}

/** Thrown by work that does not change its target: `skipped` if no change is needed, `not-tried` if it was not started. */
export class SkipTarget extends Error {
  override readonly name = 'SkipTarget'

  constructor(
    readonly outcome: 'skipped' | 'not-tried',
    reason: string,
  ) {
    super(reason)
  }
}

/** Why a run that was interrupted begins nothing else. */
export const interruptedRun = `${notStarted}interrupted`

/** Failures that all other targets would have too, with the reason shown for the rest. */
const endings: Readonly<Partial<Record<Exit, string>>> = {
  unauthenticated: `${notStarted}the token was refused`,
  configuration: `${notStarted}the settings do not allow it`,
  bug: `${notStarted}roomctl failed`,
}

interface RunOptions<Target, Result, Kept> {
  readonly concurrency: number
  readonly failFast: boolean
  /** Ctrl-C, SIGTERM, SIGHUP: running work finishes, and no other starts. */
  readonly signal: AbortSignal
  /** The noun for a target: `file`. */
  readonly what: string
  /** Failures beside `endings` that every target would have. */
  readonly alsoShared?: ReadonlySet<Exit>
  /** The Failure of an error; without it an error that is no Failure ends the run. */
  readonly failureOf?: (error: unknown) => Failure
  /** Maps a target to the part that is kept, as soon as its outcome is known. */
  readonly kept: (target: Target, outcome: Outcome<Result>) => Kept
}

/** Runs `work` for each target, in order. A Failure ends the run with `failFast`, or if all would have it. */
export function runAll<Target, Result, Kept>(
  targets: readonly Target[],
  work: (target: Target) => Promise<Outcome<Result>>,
  {concurrency, failFast, signal, what, alsoShared, failureOf, kept}: RunOptions<Target, Result, Kept>,
): Promise<Kept[]> {
  let stopped: string | undefined
  const untouched = (error: unknown): Outcome<Result> => {
    if (error instanceof SkipTarget) return {outcome: error.outcome, reason: error.message}
    const failure = failureOf?.(error) ?? error
    if (failure instanceof Failure) return {outcome: 'failed', failure}
    throw error
  }
  return mapConcurrently(targets, concurrency, async (target) => {
    const reason = signal.aborted ? interruptedRun : stopped
    const outcome =
      reason === undefined ? await work(target).catch(untouched) : ({outcome: 'not-tried', reason} as const)
    if (outcome.outcome === 'failed') {
      const exit = sharedExit(outcome.failure)
      const ends = failFast || alsoShared?.has(exit)
      stopped ??= endings[exit] ?? (ends ? `not started: another ${what} failed` : undefined)
    }
    return kept(target, outcome)
  })
}

/** The exit, but for a 401: whatever it leaves open about one change, every other would be refused. */
function sharedExit({facts}: Failure): Exit {
  return facts.httpStatus === 401 ? 'unauthenticated' : facts.exit
}

/**
 * Runs `work` for each item, several at a time, and returns the results in the order of the items, to
 * which `work` may add more. Throws the first error of `work` once running work has ended; no other starts. An item
 * costs nothing before its turn and leaves only its result, so that many thousands take hardly more memory than a few
 * (decision 0014).
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const errors: unknown[] = []
  let [next, active] = [0, 0]

  // Each lane takes the next item that no other has taken.
  async function lane(): Promise<void> {
    active += 1
    try {
      while (next < items.length && errors.length === 0) {
        const at = next++
        // It is there: items are only added.
        results[at] = await work(items[at] as Item)
        openLanes()
      }
    } catch (error) {
      errors.push(error)
    }
    active -= 1
  }

  const lanes: Promise<void>[] = []
  function openLanes(): void {
    while (active < concurrency && next < items.length && errors.length === 0) lanes.push(lane())
  }
  openLanes()
  // More may open while the first are waited for.
  for (const running of lanes) await running
  if (errors.length > 0) throw errors[0]
  return results
}
