import {inspect} from 'node:util'

type Arguments<Case> = Case extends readonly [...infer Args] ? Args : [Case]

/**
 * Checks every case of one promise, and fails with all that do not keep it. `test.each` would make a test of each: that is
 * for promises that differ, this for one that a loop over operations, formats or files tells again.
 */
export async function everyCase<const Case>(
  cases: Iterable<Case>,
  check: (...args: Arguments<Case>) => unknown,
): Promise<void> {
  const offenders: string[] = []
  const causes: unknown[] = []
  let tried = 0
  for (const one of cases) {
    tried += 1
    const args = (Array.isArray(one) ? one : [one]) as Arguments<Case>
    try {
      await check(...args)
    } catch (error) {
      causes.push(error)
      offenders.push(`${titleOf(args)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (tried === 0) throw new Error('there is no case')
  if (offenders.length > 0) {
    const text = `${offenders.length} of ${tried} cases fail:\n${offenders.join('\n')}`
    throw new Error(text, {cause: causes[0]})
  }
}

/** The texts and numbers among the arguments, or what else is there. */
function titleOf(args: readonly unknown[]): string {
  const plain = args.filter((arg) => typeof arg !== 'object' && typeof arg !== 'function')
  return plain.length > 0 ? plain.map(String).join(' ').slice(0, 120) : inspect(args[0], {depth: 0}).slice(0, 120)
}
