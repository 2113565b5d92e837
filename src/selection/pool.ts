export interface PoolOptions<Target, Result> {
  /** Targets under way at once. */
  readonly concurrency: number
  /** Asked before each target: why it is not begun any more, a clause without a stop; undefined where the run goes on. */
  readonly stopped: () => string | undefined
  /** The result of a target that was not begun. */
  readonly untried: (target: Target, why: string) => Result
  /** Told of each result as soon as it is known, also of what was not begun. */
  readonly settled?: (target: Target, result: Result) => void
}

/**
 * Does `work` for each target, several at a time, and gives back the results in the order of the targets (product §5). What is
 * under way when the run is stopped comes to its end. Raises the first error of `work`, once nothing is under way any more;
 * nothing is begun after it. A target costs nothing before its turn and leaves nothing but its result, so that many thousands
 * take hardly more memory than a few.
 */
export async function runAll<Target, Result>(
  targets: readonly Target[],
  work: (target: Target) => Promise<Result>,
  {concurrency, stopped, untried, settled}: PoolOptions<Target, Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const errors: unknown[] = []
  // Shared by all lanes: each takes the next target that no other has taken.
  const turns = targets.entries()

  async function lane(): Promise<void> {
    for (const [at, target] of turns) {
      const why = errors.length > 0 ? 'not tried: the run failed' : stopped()
      const result = why === undefined ? await work(target) : untried(target, why)
      results[at] = result
      settled?.(target, result)
    }
  }

  const lanes = Math.min(concurrency, targets.length)
  await Promise.all(Array.from({length: lanes}, () => lane().catch((error) => errors.push(error))))
  if (errors.length > 0) throw errors[0]
  return results
}
