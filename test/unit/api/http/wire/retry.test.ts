import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {backoffMs, retryAfterMs} from '../../../../../src/api/http/wire/retry.js'

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

  test.each<readonly [string, number]>([
    ['0', 125],
    ['2', 2_000],
    [' 7 ', 7_000],
    ['3600', 3_600_000],
    ['Tue, 01 Dec 2026 00:00:05 GMT', 5_000],
    ['Tuesday, 01-Dec-26 00:00:05 GMT', 5_000],
    ['Tue Dec  1 00:00:05 2026 GMT', 5_000],
    ['Mon, 30 Nov 2026 00:00:00 GMT', 125],
    ...['', 'soon', '-5', '1.5', '1e3', 'soon 1', '2026-12-01'].map((text) => [text, 125] as const),
  ])('is at least what Retry-After asks for: %j', (retryAfter, expected) => {
    expect(backoffMs(policy(0.5), 1, retryAfterMs({'retry-after': retryAfter}, NOW))).toBe(expected)
  })

  test.each([
    ['Tue, 01 Dec 2026 00:00:00 GMT', 'Tue, 01 Dec 2026 00:00:09 GMT', 9_000],
    ['Tue, 01 Dec 2026 08:00:00 GMT', 'Tue, 01 Dec 2026 08:00:09 GMT', 9_000],
    ['Mon, 30 Nov 2026 08:00:00 GMT', 'Mon, 30 Nov 2026 08:00:09 GMT', 9_000],
    ['Tue, 01 Dec 2026 08:00:00 GMT', '9', 9_000],
    ['no date', 'Tue, 01 Dec 2026 00:00:09 GMT', 9_000],
  ])('counts a date from that of the answer (%s)', (date, retryAfter, expected) => {
    expect(retryAfterMs({date, 'retry-after': retryAfter}, NOW)).toBe(expected)
  })
})
