import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {Failure} from '../../../src/failure.js'
import {ago, moment, shortTimes, timeStyle, withTimes} from '../../../src/text/time.js'

const zone = process.env.TZ

/** The tests stand in New York, which has a summer time and an offset behind UTC. */
beforeAll(() => {
  process.env.TZ = 'America/New_York'
})
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

describe('a time of the service', () => {
  test('is local with its offset on a terminal, in winter and in summer', () => {
    const show = timeStyle({terminal: true, utc: false})
    expect(show('2026-12-01T00:00:00Z')).toBe('2026-11-30 19:00:00 -05:00')
    expect(show('2026-07-01T00:00:00.987Z')).toBe('2026-06-30 20:00:00 -04:00')
  })

  test('is unchanged in a pipe', () => {
    const show = timeStyle({terminal: false, utc: false})
    expect(show('2026-12-01T00:00:00.120Z')).toBe('2026-12-01T00:00:00.120Z')
    expect(show('2026-12-01T09:00:00+09:00')).toBe('2026-12-01T09:00:00+09:00')
  })

  test('is UTC when that is asked for', () => {
    expect(timeStyle({terminal: true, utc: true})('2026-12-01T09:00:00+09:00')).toBe('2026-12-01 00:00:00Z')
    expect(timeStyle({terminal: false, utc: true})('2026-12-01T09:00:00+0900')).toBe('2026-12-01T00:00:00Z')
    expect(timeStyle({terminal: false, utc: true})('2026-12-01T09:00:00.25+09:00')).toBe('2026-12-01T00:00:00.250Z')
  })

  test('is in the requested zone', () => {
    expect(timeStyle({terminal: true, utc: false, tz: 'Asia/Seoul'})('2026-12-01T00:00:00Z')).toBe(
      '2026-12-01 09:00:00 +09:00',
    )
    const show = timeStyle({terminal: false, utc: false, tz: 'Europe/Berlin'})
    expect(show('2026-07-01T22:30:00Z')).toBe('2026-07-02T00:30:00+02:00')
    expect(timeStyle({terminal: false, utc: false, tz: 'UTC'})('2026-07-01T22:30:00Z')).toBe(
      '2026-07-01T22:30:00+00:00',
    )
  })

  test('is in the zone of the machine when that is asked for by name', () => {
    expect(timeStyle({terminal: true, utc: false, tz: 'local'})('2026-12-01T00:00:00Z')).toBe(
      '2026-11-30 19:00:00 -05:00',
    )
    expect(timeStyle({terminal: false, utc: false, tz: 'local'})('2026-07-01T00:00:00Z')).toBe(
      '2026-06-30T20:00:00-04:00',
    )
  })

  test('may be followed by the id of its zone, which changes nothing', () => {
    const text = '2026-12-01T09:00:00.5+09:00[Asia/Seoul]'
    expect(timeStyle({terminal: true, utc: true})(text)).toBe('2026-12-01 00:00:00Z')
    expect(timeStyle({terminal: false, utc: false})(text)).toBe(text)
    for (const zone of ['[Z]', '[Etc/GMT+9]', '[America/Port-au-Prince]', '[+09:00]']) {
      expect(moment(`2026-12-01T09:00:00Z${zone}`)?.getTime()).toBe(Date.UTC(2026, 11, 1, 9))
    }
    for (const other of ['[]', '[Asia/Seoul', 'Asia/Seoul]', '[a b]', '[Asia/Seoul][u-ca=hebrew]']) {
      expect(moment(`2026-12-01T09:00:00Z${other}`)).toBeUndefined()
    }
  })

  test('is UTC when both are asked for', () => {
    expect(timeStyle({terminal: false, utc: true, tz: 'Asia/Seoul'})('2026-12-01T00:00:00Z')).toBe(
      '2026-12-01T00:00:00Z',
    )
  })

  test.each([
    ['a time without a zone', '2026-12-01T09:00:00', '2026-12-01T09:00:00'],
    ['a day', '2026-12-01', '2026-12-01'],
    ['an impossible day', '2026-02-30T00:00:00Z', '2026-02-30T00:00:00Z'],
    ['an impossible hour', '2026-12-01T25:00:00Z', '2026-12-01T25:00:00Z'],
    ['another text', 'yesterday\u001b[2J', 'yesterday\\u{1b}[2J'],
    ['a number', 1796083200, '1796083200'],
    ['an object', {at: 1}, '{"at":1}'],
    ['nothing', null, ''],
    ['something absent', undefined, ''],
  ])('that is %s is shown as it is', (_, value, shown) => {
    for (const utc of [true, false]) expect(timeStyle({terminal: true, utc})(value)).toBe(shown)
  })

  test('cannot be shown in a zone that does not exist', () => {
    expect(() => timeStyle({terminal: true, utc: false, tz: 'Mars/\u001bBase'})).toThrow(Failure)
    expect(() => timeStyle({terminal: true, utc: false, tz: 'Mars/\u001bBase'})).toThrow('Mars/\\u{1b}Base')
  })
})

describe('a moment', () => {
  test('is read from every form of RFC 3339', () => {
    const seconds = [
      '2026-12-01T00:00:00Z',
      '2026-12-01 00:00:00z',
      '2026-12-01t09:00+09:00',
      '2026-12-01T00:00:00.000Z',
    ]
    for (const text of seconds) expect(moment(text)?.getTime()).toBe(Date.UTC(2026, 11, 1))
  })

  test('is not a text without a zone, nor a day that does not exist', () => {
    for (const value of ['2026-12-01T00:00:00', '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', 'now', 5, null]) {
      expect(moment(value)).toBeUndefined()
    }
  })

  test('knows the 29th of February of a leap year', () => {
    expect(moment('2028-02-29T00:00:00Z')?.getTime()).toBe(Date.UTC(2028, 1, 29))
    expect(moment('2026-02-29T00:00:00Z')).toBeUndefined()
  })
})

describe('a time in a table of a terminal', () => {
  const short = shortTimes(new Date('2026-12-01T12:00:00Z'))

  test.each([
    ['2026-12-01T05:00:00Z', '00:00'],
    ['2026-12-02T04:59:59Z', '23:59'],
    ['2026-12-01T04:59:59Z', 'Nov 30 23:59'],
    ['2026-01-05T12:41:00Z', 'Jan 05 07:41'],
    ['2027-01-01T05:30:00Z', 'Jan 01 2027 00:30'],
    ['2026-12-01T09:00:00', '2026-12-01T09:00:00'],
    ['soon\u001b', 'soon\\u{1b}'],
  ])('%s is shown as %s', (value, shown) => {
    expect(short(value)).toBe(shown)
  })
})

describe('how long ago', () => {
  const now = new Date('2026-12-01T12:00:00Z')
  const before = (seconds: number) => ago(new Date(now.getTime() - seconds * 1000), now)

  test.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m'],
    [3599, '59m'],
    [3600, '1h'],
    [47 * 3600, '47h'],
    [48 * 3600, '2d'],
    [400 * 86_400, '400d'],
    [800 * 86_400, '2y'],
    [-30, 'in 30s'],
    [-3 * 3600, 'in 3h'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(before(seconds)).toBe(text)
  })
})

test.each([
  ['it ended at 2026-12-01T00:00:00.123Z; later', 'it ended at 2026-12-01 09:00:00 +09:00; later'],
  [
    'from 2026-12-01T00:00:00Z to 2026-12-01T01:00:00Z',
    'from 2026-12-01 09:00:00 +09:00 to 2026-12-01 10:00:00 +09:00',
  ],
  [
    'to resume: roomctl history --since 2026-12-01T00:00:00Z',
    'to resume: roomctl history --since 2026-12-01T00:00:00Z',
  ],
  ['begins at 2026-12-01T01:00+01:00[Europe/Berlin]', 'begins at 2026-12-01 09:00:00 +09:00'],
  ['file-2026-12-01T00:00:00Zulu', 'file-2026-12-01T00:00:00Zulu'],
])('times in a sentence are shown as in tables, except in a command line: %s', (text, shown) => {
  expect(withTimes(text, timeStyle({terminal: true, utc: false, tz: 'Asia/Seoul'}))).toBe(shown)
  expect(withTimes(text, timeStyle({terminal: false, utc: false}))).toBe(text)
})
