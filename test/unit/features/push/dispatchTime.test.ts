import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Session} from '../../../../src/cli/session/session.js'
import {dispatchTime} from '../../../../src/features/push/dispatchTime.js'
import {failing} from '../../../support/failures.js'

const zone = process.env.TZ

/** The machine of these tests is in Seoul. */
beforeAll(() => {
  process.env.TZ = 'Asia/Seoul'
})
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

interface Place {
  readonly now?: string
  readonly tz?: string
  readonly format?: 'basic' | 'extended'
  readonly isTerminal?: boolean
  readonly warned?: string[]
}

/** The part of a session that is read: the clock, the zone that was chosen, and the form of the date. */
function session({
  now = '2026-11-21T01:00:00Z',
  tz,
  format = 'basic',
  isTerminal = false,
  warned = [],
}: Place = {}): Session {
  const values = {tz, 'push.dispatchDateFormat': format}
  const warn = (text: string) => warned.push(text)
  return {runtime: {now: () => new Date(now), stdout: {isTerminal}}, resolved: {values}, warn} as unknown as Session
}

describe('the date that is sent is UTC, of year, month, day, T, hour, minute and second', () => {
  test.each([
    ['2026-12-01T09:00:00+09:00', '20261201T000000', '2026-12-01T00:00:00'],
    ['2026-12-01T09:00+09:00', '20261201T000000', '2026-12-01T00:00:00'],
    ['2026-12-01T00:00:00Z', '20261201T000000', '2026-12-01T00:00:00'],
    ['2026-12-31T23:59:59-05:00', '20270101T045959', '2027-01-01T04:59:59'],
    ['2027-01-01T00:30:00+14:00', '20261231T103000', '2026-12-31T10:30:00'],
    ['2026-12-01T09:00:00.999+09:00', '20261201T000000', '2026-12-01T00:00:00'],
    ['+2h', '20261121T030000', '2026-11-21T03:00:00'],
    [' +90m ', '20261121T023000', '2026-11-21T02:30:00'],
  ])('%s', (text, basic, extended) => {
    expect(dispatchTime(session(), text).dispatch_date).toBe(basic)
    expect(dispatchTime(session({format: 'extended'}), text).dispatch_date).toBe(extended)
  })

  test('whatever the zone, by way of the formatter of the language', () => {
    const zones = ['Asia/Seoul', 'America/New_York', 'Pacific/Chatham', 'UTC', 'Asia/Kathmandu', 'Europe/London']
    const now = Date.parse('2026-11-21T01:00:00Z')
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({min: 60, max: 360 * 86_400}), (tz, ahead) => {
        const {dispatch_at, dispatch_local, dispatch_date} = dispatchTime(session({tz}), `+${ahead}s`)
        expect(Date.parse(dispatch_at)).toBe(now + ahead * 1000)
        expect(Date.parse(dispatch_local)).toBe(now + ahead * 1000)
        const utc = new Date(now + ahead * 1000).toISOString()
        expect(dispatch_date).toBe(utc.replaceAll(/[-:]|\..*/g, ''))
        const shown = new Intl.DateTimeFormat('sv', {timeZone: tz, dateStyle: 'short', timeStyle: 'medium'})
        expect(dispatch_local.slice(0, 19).replace('T', ' ')).toBe(shown.format(now + ahead * 1000))
      }),
      {numRuns: 200},
    )
  })
})

describe('the time shown beside UTC', () => {
  test.each([
    ['the offset that was written', {}, '2026-12-01T09:00+05:30', '2026-12-01T09:00:00+05:30'],
    ['UTC where that was written', {}, '2026-12-01T09:00Z', '2026-12-01T09:00:00+00:00'],
    ['the zone of the machine for a length of time', {}, '+24h', '2026-11-22T10:00:00+09:00'],
    ['the zone that was named', {tz: 'Europe/Berlin'}, '+24h', '2026-11-22T02:00:00+01:00'],
  ])('is %s', (_, place, text, local) => {
    const {dispatch_local, dispatch_at, words} = dispatchTime(session(place), text)
    expect(dispatch_local).toBe(local)
    expect(words).toMatch(local.endsWith('+00:00') ? `${dispatch_at} (in ` : `${local} = ${dispatch_at} (in `)
  })

  test.each([
    ['+1m', 'in 1m'],
    ['+90s', 'in 2m'],
    ['+2h', 'in 2h'],
    ['+1h59m', 'in 1h 59m'],
    ['+49h30m10s', 'in 2d 1h'],
    ['+52w', 'in 364d'],
  ])('%s is %s', (text, words) => {
    expect(dispatchTime(session(), text).words).toMatch(new RegExp(`\\(${words}\\)$`))
  })
})

describe('invalid times', () => {
  test.each([
    ['2026-11-21T00:59:59Z', 'is past'],
    ['-30m', 'is past'],
    ['1970-01-01T00:00Z', 'is past'],
    ['now', 'is less than a minute ahead'],
    ['+59s', 'is less than a minute ahead'],
    ['2026-11-21T10:00:59.999+09:00', 'is less than a minute ahead'],
  ])('%s', (text, why) => {
    const {exit, message, try: advice} = failing(() => dispatchTime(session(), text))
    expect({exit, message}).toEqual({exit: 'usage', message: `--at: ${text} ${why}; nothing was sent`})
    expect(advice).toBeTruthy()
  })

  test('a minute, and a year, are just enough', () => {
    for (const text of ['+1m', '2026-11-21T01:01:00Z', '2027-11-21T01:00:00Z']) {
      expect(() => dispatchTime(session(), text)).not.toThrow()
    }
    // The clock is between two seconds: the part of a second that is dropped does not make a minute too short.
    expect(() => dispatchTime(session({now: '2026-11-21T01:00:00.700Z'}), '+1m')).not.toThrow()
  })
})
