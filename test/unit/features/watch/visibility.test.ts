import {expect, test} from 'vitest'
import {Failure} from '../../../../src/failure.js'
import {Visibility} from '../../../../src/features/watch/visibility.js'

const away = new Failure({exit: 'temporary', message: 'the service is away'})
const interrupted = new Failure({exit: 'interrupted', message: 'interrupted'})

/** Looks, each with its length in milliseconds and how it ends; gives what the watch ends with at an interval of 5 s. */
async function after(...looks: readonly [ms: number, ends: Failure | undefined][]) {
  let time = 0
  const sight = new Visibility({now: () => new Date(time), elapsed: () => time})
  for (const [ms, ends] of looks) {
    const look = async () => {
      time += ms
      if (ends) throw ends
    }
    await sight.during(look).catch(() => undefined)
  }
  return {seen: sight.seen, why: sight.lost(5000)?.facts.message}
}

test('the service counts as seen as long as reads finish', async () => {
  expect(await after([10, undefined], [10, undefined])).toEqual({seen: 10, why: undefined})
  expect(await after([10, undefined], [10, away], [10, undefined])).toEqual({seen: 20, why: undefined})
})

test('it is not seen after a failure, nor while an answer takes longer than a poll may', async () => {
  expect(await after([10, undefined], [10, away], [0, interrupted])).toEqual({seen: 0, why: 'the service is away'})
  expect(await after([10, undefined], [6000, interrupted])).toEqual({seen: 0, why: 'no response for 6s'})
  expect(await after([10, undefined], [4000, interrupted])).toEqual({seen: 0, why: undefined})
  expect(await after([4000, undefined], [7000, interrupted])).toEqual({seen: 0, why: undefined})
})
