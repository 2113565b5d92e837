import {describe, expect, it} from 'vitest'
import {parseInstant} from '../../../src/selection/instant.js'
import {everyCase} from '../../support/everyCase.js'
import {failureOf} from '../../support/failures.js'

const now = new Date('2026-11-20T12:00:00Z')
const read = (text: string, tz?: string) => parseInstant(text, {now, tz}).toISOString()

describe('a time with an offset', () => {
  it('is read with its offset, however it is written', () =>
    everyCase(
      [
        ['2026-12-01T09:00:00+09:00', '2026-12-01T00:00:00.000Z'],
        ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
        ['2026-12-01t09:00:00z', '2026-12-01T09:00:00.000Z'],
        ['2026-12-01 09:00:00Z', '2026-12-01T09:00:00.000Z'],
        ['2026-12-01 09:00:00 +09:00', '2026-12-01T00:00:00.000Z'],
        ['2026-12-01T09:00+09:00', '2026-12-01T00:00:00.000Z'],
        ['2026-12-01T09:00:00.5Z', '2026-12-01T09:00:00.500Z'],
        ['2026-12-01T09:00:00.123456789Z', '2026-12-01T09:00:00.123Z'],
        ['2026-12-01T09:00:00-00:00', '2026-12-01T09:00:00.000Z'],
        ['2026-12-01T09:00:00-03:30', '2026-12-01T12:30:00.000Z'],
        ['2026-12-01T09:00:00+0900', '2026-12-01T00:00:00.000Z'],
        ['2026-12-01T09:00:00-05', '2026-12-01T14:00:00.000Z'],
        ['2026-12-01T09:00:00+23:59', '2026-11-30T09:01:00.000Z'],
        ['2024-02-29T00:00Z', '2024-02-29T00:00:00.000Z'],
        ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
        ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
        [' 2026-12-01T09:00Z\n', '2026-12-01T09:00:00.000Z'],
      ],
      (text, instant) => {
        expect(read(text)).toBe(instant)
      },
    ))

  it('is not moved by --tz, not even by one that does not exist', () => {
    expect(read('2026-12-01T09:00+09:00', 'Europe/Berlin')).toBe('2026-12-01T00:00:00.000Z')
    expect(read('2026-12-01T09:00+09:00', 'Mars/Olympus')).toBe('2026-12-01T00:00:00.000Z')
  })
})

describe('a time relative to now', () => {
  it('counts from now', () =>
    everyCase(
      [
        ['now', '2026-11-20T12:00:00.000Z'],
        ['NOW', '2026-11-20T12:00:00.000Z'],
        ['+2h', '2026-11-20T14:00:00.000Z'],
        ['-30m', '2026-11-20T11:30:00.000Z'],
        ['+1d12h', '2026-11-22T00:00:00.000Z'],
        ['+0s', '2026-11-20T12:00:00.000Z'],
      ],
      (text, instant) => {
        expect(read(text)).toBe(instant)
      },
    ))

  it('does not return the same Date object', () => {
    expect(parseInstant('now', {now})).not.toBe(now)
  })

  it('needs a sign', async () => {
    const error = await failureOf(() => read('2h'))
    expect(error.message).toBe('"2h" is a duration, not a time')
    expect(error.facts.try).toBe('write +2h for a future time or -2h for a past one')
  })

  it('refuses a sign without a duration', () =>
    everyCase(['+', '-', '+2', '+2x', '--2h', '+-2h', '+ 2h', '+11y'], async (text) => {
      expect((await failureOf(() => read(text))).message).toMatch(/^invalid duration|^no unit/u)
    }))

  it('stays in the years 1970 to 9999', async () => {
    const edge = {now: new Date('1970-01-01T00:30:00Z')}
    expect((await failureOf(() => parseInstant('-1h', edge))).message).toContain('outside the years 1970 to 9999')
  })
})

describe('a time without a zone', () => {
  it('is refused with an example made of the typed text', async () => {
    const error = await failureOf(() => read('2026-12-01T09:00'))
    expect(error.message).toBe('"2026-12-01T09:00" has no time zone, so it is ambiguous')
    expect(error.facts.try).toBe('add an offset, as in 2026-12-01T09:00+09:00, or name the zone: --tz Asia/Seoul')
  })

  it('gives an example that can be typed when a space stands for the T', async () => {
    expect((await failureOf(() => read('2026-12-01 09:00:30'))).facts.try).toContain('in 2026-12-01T09:00:30+09:00,')
  })

  it('is read in the zone that is named', () =>
    everyCase(
      [
        ['Asia/Seoul', '2026-12-01T00:00:00.000Z'],
        ['asia/seoul', '2026-12-01T00:00:00.000Z'],
        ['America/New_York', '2026-12-01T14:00:00.000Z'],
        ['Asia/Kathmandu', '2026-12-01T03:15:00.000Z'],
        ['utc', '2026-12-01T09:00:00.000Z'],
        ['UTC', '2026-12-01T09:00:00.000Z'],
      ],
      (tz, instant) => {
        expect(read('2026-12-01T09:00', tz)).toBe(instant)
      },
    ))

  it('is refused with an invalid zone', () =>
    everyCase(
      [
        ['Asia/Soul', 'unknown time zone "Asia/Soul"'],
        ['KST', 'unknown time zone "KST"'],
        ['', 'unknown time zone ""'],
        ['+09:00', '"+09:00" is an offset, not a time zone'],
      ],
      async (tz, message) => {
        expect((await failureOf(() => read('2026-12-01T09:00', tz))).message).toBe(message)
      },
    ))
})

describe('an impossible date', () => {
  it('is refused', () =>
    everyCase(
      [
        '2026-02-30T09:00Z',
        '2100-02-29T09:00Z',
        '2026-04-31T09:00',
        '2026-13-01T09:00Z',
        '2026-12-00T09:00Z',
        '2026-12-01T24:00Z',
        '2026-12-01T09:60Z',
        '2026-12-31T23:59:60Z',
        '2026-12-01T09:00+25:00',
        '2026-12-01T09:00-09:60',
      ],
      async (text) => {
        expect((await failureOf(() => read(text, 'utc'))).message).toBe(
          `"${text}" is impossible: that day, time or offset does not exist`,
        )
      },
    ))

  it('outside the years in UTC is refused', () =>
    everyCase(
      ['1970-01-01T00:00+00:01', '9999-12-31T23:59:59-00:01', '1969-12-31T23:59Z', '0026-12-01T09:00Z'],
      async (text) => {
        expect((await failureOf(() => read(text))).message).toContain('is outside the years 1970 to 9999 in UTC')
      },
    ))
})

describe('an invalid time', () => {
  it('is refused with an example', () =>
    everyCase(
      [
        '',
        ' ',
        'tomorrow',
        '1764547200',
        '09:00',
        '2026-12',
        '2026-12-01T09',
        '2026-12-01T09+09:00',
        '20261201T090000Z',
        '2026/12/01 09:00',
        '2026-335T09:00Z',
        '2026-12-1T09:00Z',
        '2026-12-01T9:00Z',
        '12026-12-01T09:00Z',
        '2026-12-01T09:00 KST',
        '2026-12-01T09:00+9',
        '2026-12-01T09:00+09:00[Asia/Seoul]',
        '2026-12-01T09:00:00,5Z',
        'x'.repeat(100_000),
        `2026-12-01T09:00:00.${'0'.repeat(100_000)}Z`,
      ],
      async (text) => {
        const error = await failureOf(() => read(text, 'utc'))
        expect(error.message).toContain('is not a time')
        expect(error.message.length).toBeLessThan(120)
        expect(error.facts.try).toBe('use RFC 3339 such as 2026-12-01T09:00+09:00, or +2h, -1d or now')
      },
    ))

  it('a day alone asks for its time', async () => {
    const error = await failureOf(() => read('2026-12-01', 'utc'))
    expect(error.message).toBe('"2026-12-01" is a day, not a time')
    expect(error.facts.try).toBe('add the time of day: 2026-12-01T09:00+09:00')
  })
})
