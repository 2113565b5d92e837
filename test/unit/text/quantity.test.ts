import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {formatDuration, parseDuration} from '../../../src/text/quantity.js'
import {anyText} from '../../support/anyText.js'
import {everyCase} from '../../support/everyCase.js'
import {failureOf, unlessRefused} from '../../support/failures.js'

const hour = 3_600_000

describe('parseDuration', () => {
  it('reads numbers with units as milliseconds', () =>
    everyCase(
      [
        ['500ms', 500],
        ['0s', 0],
        ['30s', 30_000],
        ['5m', 300_000],
        ['8h', 8 * hour],
        ['2d', 48 * hour],
        ['1w', 168 * hour],
        ['1h30m', 1.5 * hour],
        ['1.5h', 1.5 * hour],
        ['1w2d3h4m5s6ms', 168 * hour + 48 * hour + 3 * hour + 4 * 60_000 + 5006],
        ['0.1s', 100],
        ['1.1h', 3_960_000],
        ['3650d', 87_600 * hour],
      ],
      (text, milliseconds) => {
        expect(parseDuration(text)).toBe(milliseconds)
      },
    ))

  it('refuses other texts, with the reason', () =>
    everyCase(
      [
        ['', 'expected numbers with units'],
        ['5', 'no unit in "5"'],
        ['0', 'no unit in "0"'],
        ['1e3x', 'unknown unit "e"'],
        ['1e3s', 'unknown unit "e"'],
        ['1y', 'unknown unit "y"'],
        ['5mo', 'unknown unit "mo"'],
        ['-5m', 'expected numbers with units'],
        ['+5m', 'expected numbers with units'],
        ['h', 'expected numbers with units'],
        ['1h30', 'expected numbers with units'],
        ['1 h', 'expected numbers with units'],
        [' 1h', 'expected numbers with units'],
        ['.5h', 'expected numbers with units'],
        ['1.h', 'expected numbers with units'],
        ['1,5h', 'expected numbers with units'],
        ['NaNs', 'expected numbers with units'],
        ['٣h', 'expected numbers with units'],
        ['30m1h', 'units go from large to small, each once'],
        ['5m5m', 'units go from large to small, each once'],
        ['3651d', 'it is longer than 10 years'],
        ['3650d1ms', 'it is longer than 10 years'],
        [`${'9'.repeat(50)}h`, 'it is longer than 10 years'],
        ['1h'.repeat(10_000), 'units go from large to small, each once'],
      ],
      async (text, why) => {
        expect((await failureOf(() => parseDuration(text))).message).toContain(why)
      },
    ))

  it('does not read 1M as minutes or months but names the units', async () => {
    const {facts} = await failureOf(() => parseDuration('1M'))
    expect(facts).toMatchObject({
      message: expect.stringContaining('unknown unit "M"'),
      try: expect.stringContaining('15m (minutes)'),
    })
  })

  it('fails only by refusing, and gives whole milliseconds of at most ten years', async () => {
    const pieces = fc.stringMatching(/^[0-9.]{0,4}(ms|[wdhmsyM])?$/)
    const texts = fc.oneof(
      anyText(),
      fc.array(pieces).map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const read = await unlessRefused(() => parseDuration(text))
        if (read === undefined) return
        expect(Number.isSafeInteger(read)).toBe(true)
        expect(read).toBeGreaterThanOrEqual(0)
        expect(read).toBeLessThanOrEqual(3650 * 24 * hour)
      }),
    )
  })
})

describe('formatDuration', () => {
  it('writes milliseconds as they are read', () =>
    everyCase(
      [
        [0, '0s'],
        [500, '500ms'],
        [1.5 * hour, '1h30m'],
        [48 * hour, '2d'],
        [7 * 24 * hour, '7d'],
        [90_061_001, '1d1h1m1s1ms'],
        [-2 * hour, '-2h'],
        [0.4, '0s'],
        [-0.4, '0s'],
      ],
      (milliseconds, text) => {
        expect(formatDuration(milliseconds)).toBe(text)
      },
    ))

  it('writes what parseDuration reads back', () => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 3650 * 24 * hour}), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds)
      }),
    )
  })
})
