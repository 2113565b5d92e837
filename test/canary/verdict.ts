import {expect, test} from 'vitest'
import {finder} from './canaries.js'
import {commands, nameOf} from './cases.js'
import {lines} from './lines.js'
import type {Results} from './matrix.js'

/** What a run of the matrix may take on a machine that has much else to do, in milliseconds. */
export const longest = 400_000

/** For every command: that it has lines, that nothing of a secret was seen, and that nothing failed that should not. */
export function expectNothingSeen(results: () => Results): void {
  test.each(commands)('by %s', (command) => {
    const {cases, exits, found} = results()
    expect(lines[command], `test/canary/lines.ts has no line for ${command}`).toBeDefined()
    expect(found.get(command) ?? []).toEqual([])
    const bad = cases.flatMap((one, at) =>
      one.command === command && isBad(exits[at]) ? [`${nameOf(one)}: ${exits[at]}`] : [],
    )
    expect(bad).toEqual([])
  })

  test('and nothing secret goes to another origin', () => {
    const {arrived, elsewhere} = results()
    expect(elsewhere.filter((headers) => finder.find(JSON.stringify(headers)).length > 0)).toEqual([])
    expect(arrived.filter(({script}) => script === -1)).toEqual([])
  })
}

/** A bug of ours, or no end. */
function isBad(exit: string | undefined): boolean {
  return exit === undefined || exit === '1' || exit === 'too long'
}
