import {setImmediate as turn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {type Exit, Failure} from '../../../src/failure.js'
import {mapConcurrently, type Outcome, runAll} from '../../../src/selection/run.js'

const targets = Array.from({length: 20}, (_, at) => at)

/** The result of a target in these runs: `done`, or why not. */
function kept(_: number, end: Outcome<string>): string {
  if (end.outcome === 'failed') return `failed: ${end.failure.message}`
  return end.outcome === 'done' ? end.result : `${end.outcome}: ${end.reason}`
}

const {signal} = new AbortController()
const usual = {concurrency: 1, failFast: false, signal, what: 'room', kept}

const did = async (target: number): Promise<Outcome<string>> => ({outcome: 'done', result: `did ${target}`})

/** Work that fails for target 1. */
const failing = (exit: Exit) => async (target: number) => {
  if (target === 1) throw new Failure({exit, message: exit})
  return did(target)
}

describe('a run', () => {
  test.each([
    ['with fail-fast', 'missing', {failFast: true}, 'not started: another room failed'],
    ['after a refused token', 'unauthenticated', {}, 'not started: the token was refused'],
    ['after settings that forbid it', 'configuration', {}, 'not started: the settings do not allow it'],
    [
      'after what its caller says all would have',
      'forbidden',
      {alsoShared: new Set<Exit>(['forbidden'])},
      'not started: another room failed',
    ],
  ] as const)('begins nothing more %s', async (_, exit, options, reason) => {
    const tried = await runAll([0, 1, 2, 3], failing(exit), {...usual, ...options})
    expect(tried).toEqual(['did 0', `failed: ${exit}`, `not-tried: ${reason}`, `not-tried: ${reason}`])
  })

  test('throws other errors than a Failure, unless they can be made one', async () => {
    const broken = () => Promise.reject(new Error('broken'))
    await expect(runAll(targets, broken, usual)).rejects.toThrow('broken')
    const failureOf = (error: unknown) => new Failure({exit: 'bug', message: String(error)})
    const ends = await runAll([0, 1], broken, {...usual, failureOf})
    expect(ends).toEqual(['failed: Error: broken', 'not-tried: not started: roomctl failed'])
  })
})

describe('mapConcurrently', () => {
  test('throws an error once no work is running, and starts none after it', async () => {
    const began: number[] = []
    const ended: number[] = []
    const work = async (target: number) => {
      began.push(target)
      if (target === 1) throw new Error('broken')
      await turn()
      await turn()
      ended.push(target)
    }
    await expect(mapConcurrently(targets, 3, work)).rejects.toThrow('broken')
    expect({began, ended}).toEqual({began: [0, 1, 2], ended: [0, 2]})
  })

  test('runs added work, as much at once as allowed', async () => {
    const items = [0]
    let [now, most] = [0, 0]
    const work = async (item: number) => {
      most = Math.max(most, ++now)
      await turn()
      now -= 1
      if (item === 0) items.push(1, 2, 3, 4)
      return item
    }
    expect(await mapConcurrently(items, 3, work)).toEqual([0, 1, 2, 3, 4])
    expect(most).toBe(3)
  })
})
