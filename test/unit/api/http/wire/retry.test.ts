import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {backoffMs} from '../../../../../src/api/http/wire/retry.js'

const policy = (random: number) => ({retries: 3, baseMs: 250, capMs: 8000, random: () => random}) as const
const NOW = new Date('2026-12-01T00:00:00Z')

describe('the wait before a retry', () => {
  test('is anything between nothing and a bound that doubles up to the cap', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7, 60].map((attempt) => backoffMs(policy(0.9999999), attempt) + 1)
    expect(bounds).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
    fc.assert(
      fc.property(
        fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true}),
        fc.integer({min: 1, max: 100}),
        (r, n) => {
          const wait = backoffMs(policy(r), n)
          expect(Number.isInteger(wait) && wait >= 0 && wait < 8000).toBe(true)
        },
      ),
    )
  })

  test.each([
    ['0', 0],
    ['2', 2_000],
    [' 7 ', 7_000],
    ['3600', 60_000],
    ['99999999999999999999', 60_000],
    ['Tue, 01 Dec 2026 00:00:05 GMT', 5_000],
    ['Tuesday, 01-Dec-26 00:00:05 GMT', 5_000],
    ['Tue Dec  1 00:00:05 2026 GMT', 5_000],
    ['Mon, 30 Nov 2026 00:00:00 GMT', 0],
    ['Wed, 02 Dec 2026 00:00:00 GMT', 60_000],
  ])('obeys Retry-After: %s', (retryAfter, expected) => {
    expect(backoffMs(policy(0.5), 1, retryAfter, NOW)).toBe(expected)
  })

  test.each(['', 'soon', '-5', '1.5', '1e3', 'soon 1', '2026-12-01'])('passes over Retry-After: %j', (retryAfter) => {
    expect(backoffMs(policy(0.5), 1, retryAfter, NOW)).toBe(125)
  })
})
