import {expect, test} from 'vitest'
import type {Session} from '../../../../src/cli/session/session.js'
import {Failure} from '../../../../src/failure.js'
import {type PollResult, poll} from '../../../../src/features/watch/poll.js'

const away = (retryAfterMs?: number) => {
  const asked = retryAfterMs === undefined ? {} : {retryAfterMs}
  return new Failure({exit: 'temporary', message: 'the service is away', ...asked})
}

/** Looks until the list is over; a number is a good look that takes N milliseconds. */
async function watched(looks: readonly (number | Failure)[]) {
  let time = 0
  let at = 0
  const slept: number[] = []
  const reports: string[] = []
  const sleep = async (ms: number) => {
    slept.push(ms)
    time += ms
  }
  const runtime = {
    signal: new AbortController().signal,
    sleep,
    now: () => new Date(time),
    elapsed: () => time,
  }
  // What the loop uses of a session; the rest has no part in it.
  const session = {runtime, waiting: {hold: () => () => undefined}} as unknown as Session
  const look = async (): Promise<PollResult> => {
    const next = looks[at]
    at += 1
    if (next instanceof Failure) throw next
    time += next ?? 0
    return {isLast: at === looks.length}
  }
  await poll(session, {
    intervalMs: 5000,
    look,
    lost: ({message}) => reports.push(message),
    back: (ms) => reports.push(`back after ${ms}`),
  })
  return {slept, reports}
}

test('polls at the interval', async () => {
  expect((await watched([0, 0, 0])).slept).toEqual([5000, 5000, 5000])
})

test('waits as long as a slow poll took', async () => {
  expect((await watched([12_000, 100, 0])).slept).toEqual([5000, 12_000, 5000])
})

test('an outage is reported once at each end', async () => {
  const {slept, reports} = await watched([away(), away(), away(), 0, 0])
  expect(slept).toEqual([5000, 5000, 5000, 5000, 5000])
  expect(reports).toEqual(['the service is away', 'back after 15000'])
})

test('waits as long as Retry-After asks, an hour at most', async () => {
  expect((await watched([away(120_000), away(86_400_000), away(1000), 0])).slept).toEqual([
    5000, 120_000, 3_600_000, 5000,
  ])
})

test('a permanent failure ends it', async () => {
  const refused = new Failure({exit: 'unauthenticated', message: 'no token'})
  await expect(watched([0, refused, 0])).rejects.toBe(refused)
})
