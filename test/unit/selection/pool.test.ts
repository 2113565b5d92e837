import {setImmediate as turn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {limiter, mapConcurrently, runAll} from '../../../src/selection/pool.js'

const targets = Array.from({length: 20}, (_, at) => at)
const goesOn = {stop: {why: undefined}, untried: (_: number, why: string) => why}

/** Work that ends when it is told to; a later target before an earlier one. */
function gates() {
  const open = new Map<number, () => void>()
  const work = (target: number) => new Promise<string>((done) => open.set(target, () => done(`did ${target}`)))
  return {open, work}
}

describe('the pool', () => {
  test('gives results in the order of the targets, whatever ends first', async () => {
    const {open, work} = gates()
    const settled: number[] = []
    const all = runAll([1, 2, 3], work, {...goesOn, concurrency: 3, settled: (target) => settled.push(target)})
    await turn()
    for (const target of [3, 1, 2]) {
      open.get(target)?.()
      await turn()
    }
    expect(await all).toEqual(['did 1', 'did 2', 'did 3'])
    expect(settled).toEqual([3, 1, 2])
  })

  test.each([1, 3, 64])('has at most %i under way', async (concurrency) => {
    let now = 0
    let most = 0
    const work = async (target: number) => {
      most = Math.max(most, ++now)
      await turn()
      now -= 1
      return `${target}`
    }
    expect(await runAll(targets, work, {...goesOn, concurrency})).toHaveLength(20)
    expect(most).toBe(Math.min(concurrency, 20))
  })

  test('begins nothing once it is stopped, and lets what is under way end', async () => {
    const stop: {why: string | undefined} = {why: undefined}
    const began: number[] = []
    const work = async (target: number) => {
      began.push(target)
      await turn()
      if (target === 1) stop.why = 'enough'
      await turn()
      return `did ${target}`
    }
    const results = await runAll([0, 1, 2, 3, 4, 5], work, {
      concurrency: 2,
      stop,
      untried: (target, reason) => `${target}: ${reason}`,
    })
    expect(results).toEqual(['did 0', 'did 1', '2: enough', '3: enough', '4: enough', '5: enough'])
    expect(began).toEqual([0, 1])
  })

  test('raises an error once nothing is under way any more, and begins nothing after it', async () => {
    const ended: number[] = []
    const work = async (target: number) => {
      if (target === 1) throw new Error('broken')
      await turn()
      await turn()
      ended.push(target)
      return ''
    }
    await expect(runAll(targets, work, {...goesOn, concurrency: 3})).rejects.toThrow('broken')
    expect(ended).toEqual([0, 2])
  })

  test('has no results where there are no targets', async () => {
    expect(await runAll([], async () => 1, {...goesOn, concurrency: 8, untried: () => 0})).toEqual([])
  })
})

test('mapConcurrently begins nothing after an error', async () => {
  const began: number[] = []
  const work = async (target: number) => {
    began.push(target)
    await turn()
    if (target === 0) throw new Error('broken')
    return target
  }
  await expect(mapConcurrently(targets, 2, work)).rejects.toThrow('broken')
  expect(began).toEqual([0, 1])
})

test('a limiter has at most so many under way, in the order in which they came, also after errors', async () => {
  const limit = limiter(2)
  const began: number[] = []
  let [now, most] = [0, 0]
  const work = (target: number) =>
    limit(async () => {
      began.push(target)
      most = Math.max(most, ++now)
      await turn()
      now -= 1
      if (target % 3 === 0) throw new Error('broken')
      return target
    })
  const all = await Promise.allSettled(targets.map(work))
  expect({began, most, failed: all.filter(({status}) => status === 'rejected').length}).toEqual({
    began: targets,
    most: 2,
    failed: 7,
  })
})
