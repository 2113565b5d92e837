import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  parseChoice,
  parseDurationFlag,
  parseInstantFlag,
  parseWholeNumber,
} from '../../../../src/cli/flags/parseValues.js'
import type {Session} from '../../../../src/cli/session/session.js'
import {Failure} from '../../../../src/failure.js'
import {failing} from '../../../support/failures.js'

/** What these functions read of a session: the clock, and the zone that was chosen. */
function session(tz?: string): Session {
  const runtime = {now: () => new Date('2026-12-01T12:00:00Z')}
  return {runtime, resolved: {values: {tz}}} as unknown as Session
}

describe('a whole number', () => {
  test.each([
    ['0', 0],
    ['30', 30],
    ['007', 7],
    ['1000000000', 1_000_000_000],
  ])('%s', (text, value) => {
    expect(parseWholeNumber('--max', text)).toBe(value)
  })

  test.each([
    '',
    ' ',
    '1e3x',
    '1e3',
    '-1',
    '+1',
    '1.5',
    '0x10',
    '1_000',
    ' 7',
    '٣',
    'Infinity',
    '1000000001',
    '9'.repeat(30),
  ])('is not %j, and the failure names the flag', (text) => {
    const {exit, message} = failing(() => parseWholeNumber('--max', text))
    expect(exit).toBe('usage')
    expect(message).toMatch(/^invalid --max ".*": expected a number$/su)
  })

  test('keeps to its bounds, and says them', () => {
    expect(parseWholeNumber('--max', '1', {min: 1, max: 9})).toBe(1)
    expect(parseWholeNumber('--max', '9', {min: 1, max: 9})).toBe(9)
    for (const text of ['0', '10'])
      expect(failing(() => parseWholeNumber('--max', text, {min: 1, max: 9})).why).toMatch(/1 to 9/)
  })

  test('is either read as written or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String)), (text) => {
        try {
          expect(parseWholeNumber('--max', text)).toBe(Number.parseInt(text, 10))
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
    )
  })
})

describe('one of some words', () => {
  const words = ['SPEAKER', 'SINGLE_SPEAKER', 'GRID'] as const

  test.each([
    ['grid', 'GRID'],
    ['single-speaker', 'SINGLE_SPEAKER'],
    ['Single_Speaker', 'SINGLE_SPEAKER'],
  ])('%s is %s', (text, word) => {
    expect(parseChoice('--layout', text, words)).toBe(word)
  })

  test('is suggested when it is near', () => {
    const {message, try: advice} = failing(() => parseChoice('--layout', 'gird', words))
    expect(message).toMatch(/^--layout takes SPEAKER, SINGLE_SPEAKER or GRID/)
    expect(advice).toBe('--layout grid')
  })

  test('is not repeated when it is near none', () => {
    const facts = failing(() => parseChoice('--layout', 'eyJhbGciOi.S3CRET', words))
    expect(facts.message).toBe('--layout takes SPEAKER, SINGLE_SPEAKER or GRID')
    expect(JSON.stringify(facts)).not.toContain('S3CRET')
  })
})

describe('a duration', () => {
  test.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
  ])('%s', (text, ms) => {
    expect(parseDurationFlag('--for', text)).toBe(ms)
  })

  test.each(['', '90', 'soon', '-1h', '1h 30m'])('is not %j, and the failure names the flag', (text) => {
    expect(failing(() => parseDurationFlag('--for', text))).toMatchObject({
      exit: 'usage',
      message: expect.stringMatching(/^--for: /),
    })
  })
})

describe('a moment', () => {
  test.each([
    ['2026-12-01T09:00+09:00', undefined, '2026-12-01T00:00:00.000Z'],
    ['+2h', undefined, '2026-12-01T14:00:00.000Z'],
    ['2026-12-01T09:00', 'Asia/Seoul', '2026-12-01T00:00:00.000Z'],
  ])('%s with the zone %s is sent as %s', (text, tz, sent) => {
    expect(parseInstantFlag(session(tz), '--start', text)).toBe(sent)
  })

  test.each(['2026-12-01T09:00', '2026-02-30T09:00Z', 'tomorrow', ''])(
    'is not %j, and the failure names the flag',
    (text) => {
      expect(failing(() => parseInstantFlag(session(), '--start', text))).toMatchObject({
        exit: 'usage',
        message: expect.stringMatching(/^--start: /),
      })
    },
  )
})
