import {inspect} from 'node:util'
import {mapConcurrently} from '../../src/selection/run.js'

type Arguments<Case> = Case extends readonly [...infer Args] ? Args : [Case]

interface Limits {
  /** How many cases are checked at once; one after the other unless it says more. */
  readonly atOnce?: number
}

/**
 * Checks every case of one promise, and fails with all that do not keep it. `test.each` would make a test of each: that is
 * for promises that differ, this for one that a loop over operations, formats or files repeats.
 */
export async function everyCase<const Case>(
  cases: Iterable<Case>,
  check: (...args: Arguments<Case>) => unknown,
  {atOnce = 1}: Limits = {},
): Promise<void> {
  const all = [...cases].map((one) => (Array.isArray(one) ? one : [one]) as Arguments<Case>)
  if (all.length === 0) throw new Error('there is no case')
  const failed: {readonly text: string; readonly error: unknown}[] = []
  const checked = async (args: Arguments<Case>) => {
    try {
      await check(...args)
    } catch (error) {
      failed.push({text: `${titleOf(args)}: ${error instanceof Error ? error.message : String(error)}`, error})
    }
  }
  await mapConcurrently(all, atOnce, checked)
  if (failed.length === 0) return
  const texts = failed.map(({text}) => text).join('\n')
  throw new Error(`${failed.length} of ${all.length} cases fail:\n${texts}`, {cause: failed[0]?.error})
}

/** The texts and numbers among the arguments, or what else is there. */
function titleOf(args: readonly unknown[]): string {
  const plain = args.filter((arg) => typeof arg !== 'object' && typeof arg !== 'function')
  return plain.length > 0 ? plain.map(String).join(' ').slice(0, 120) : inspect(args[0], {depth: 0}).slice(0, 120)
}
