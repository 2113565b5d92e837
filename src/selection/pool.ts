/**
 * Does `work` for each item, several at a time, and gives back the results in the order of the items. Raises the first error of
 * `work`, once nothing is under way any more; nothing is begun after it. An item costs nothing before its turn and leaves nothing
 * but its result, so that many thousands take hardly more memory than a few (decision 0014).
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const errors: unknown[] = []
  // Shared by all lanes: each takes the next item that no other has taken.
  const turns = items.entries()

  async function lane(): Promise<void> {
    for (const [at, item] of turns) {
      if (errors.length > 0) return
      results[at] = await work(item)
    }
  }

  const lanes = Math.min(concurrency, items.length)
  await Promise.all(Array.from({length: lanes}, () => lane().catch((error) => errors.push(error))))
  if (errors.length > 0) throw errors[0]
  return results
}

/** Failures that every other target would have too, by their exit, and what the rest is told. */
const endings: Readonly<Record<string, string>> = {
  unauthenticated: 'not started: the token was refused',
  configuration: 'not started: the settings do not allow it',
  bug: 'not started: roomctl failed',
}

/** Why a run that was interrupted begins nothing else; a clause without a full stop. */
export const interruptedRun = 'not started: interrupted'

interface StopOptions {
  /** Ctrl-C, SIGTERM, SIGHUP. */
  readonly signal: AbortSignal
  /** Whether any failure ends the run. */
  readonly failFast: boolean
  /** What a target is: `file`. */
  readonly what: string
}

/** Whether a run of several targets goes on (product §5): a failure that all others would have too ends it, and so does a signal. */
export class RunStop {
  readonly #options: StopOptions
  #why: string | undefined

  constructor(options: StopOptions) {
    this.#options = options
  }

  /** Why no other target is begun, a clause without a full stop; undefined where the run goes on. */
  get why(): string | undefined {
    return this.#options.signal.aborted ? interruptedRun : this.#why
  }

  /** A target failed, with this exit. */
  failed(exit: string): void {
    const {failFast, what} = this.#options
    this.#why ??= endings[exit] ?? (failFast ? `not started: another ${what} failed` : undefined)
  }
}

interface RunOptions<Target, Result> {
  /** Targets under way at once. */
  readonly concurrency: number
  /** Asked before each target. */
  readonly stop: Pick<RunStop, 'why'>
  /** The result of a target that was not begun. */
  readonly untried: (target: Target, why: string) => Result
  /** Told of each result as soon as it is known, also of what was not begun. */
  readonly settled?: (target: Target, result: Result) => void
}

/** As `mapConcurrently`, for a run that can be stopped (product §5): what is under way then finishes. */
export function runAll<Target, Result>(
  targets: readonly Target[],
  work: (target: Target) => Promise<Result>,
  {concurrency, stop, untried, settled}: RunOptions<Target, Result>,
): Promise<Result[]> {
  return mapConcurrently(targets, concurrency, async (target) => {
    const {why} = stop
    const result = why === undefined ? await work(target) : untried(target, why)
    settled?.(target, result)
    return result
  })
}

/** A counting semaphore, for work that is not known all at once: what it is given waits until fewer than `concurrency` are under way. */
export function limiter(concurrency: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let active = 0
  return async (work) => {
    if (active < concurrency) active += 1
    // Whoever ends hands its place on.
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else active -= 1
    }
  }
}
