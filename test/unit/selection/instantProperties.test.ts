import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {parseInstant} from '../../../src/selection/instant.js'
import {anyText} from '../../support/anyText.js'
import {failureOf, unlessRefused} from '../../support/failures.js'

const now = new Date('2026-11-20T12:00:00Z')
const instants = fc.date({
  min: new Date('1972-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const zones = ['Asia/Seoul', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns']

/** What a clock on the wall of `zone` shows, written by another part of Intl than the one the parser uses. */
function written(instant: Date, zone: string): {local: string; offset: string} {
  const text = instant.toLocaleString('sv-SE', {timeZone: zone})
  const milliseconds = String(instant.getUTCMilliseconds()).padStart(3, '0')
  const name = new Intl.DateTimeFormat('en-US', {timeZone: zone, timeZoneName: 'longOffset'}).format(instant)
  const offset = /GMT(.*)$/.exec(name)?.[1]
  return {local: `${text.replace(' ', 'T')}.${milliseconds}`, offset: offset === '' ? '+00:00' : (offset ?? 'none')}
}

describe.each(zones)('any instant written in %s', (zone) => {
  it('is read back from its local time with an offset', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const {local, offset} = written(instant, zone)
        expect(parseInstant(local + offset, {now})).toEqual(instant)
      }),
      {numRuns: 60},
    )
  })

  it('is read back from its local time in the zone, or is one of the two that the error names', async () => {
    await fc.assert(
      fc.asyncProperty(instants, async (instant) => {
        const {local, offset} = written(instant, zone)
        const read = await unlessRefused(() => parseInstant(local, {now, tz: zone}))
        if (read === undefined) {
          const error = await failureOf(() => parseInstant(local, {now, tz: zone}))
          expect(error.message).toContain('happens twice')
          expect(error.facts.try).toContain(local + offset)
        } else {
          expect(read).toEqual(instant)
        }
      }),
      {numRuns: 60},
    )
  })
})

describe.each(zones)('a clock in %s', (zone) => {
  const hour = 3_600_000
  const format = new Intl.DateTimeFormat('sv-SE', {timeZone: zone, dateStyle: 'short', timeStyle: 'medium'})
  const shown = (instant: number) => format.format(instant).replace(' ', 'T')

  /** The moments in which the clock is set to another offset, found by Intl alone. */
  const changes: number[] = []
  const ahead = (instant: number) => Date.parse(`${shown(instant)}Z`) - instant
  for (let at = Date.UTC(2019, 0, 1); at < Date.UTC(2031, 0, 1); at += 24 * hour) {
    let [before, after] = [at, at + 24 * hour]
    if (ahead(before) === ahead(after)) continue
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000
      if (ahead(middle) === ahead(before)) before = middle
      else after = middle
    }
    changes.push(after)
  }
  // Korea keeps one offset all year.
  const moments = changes.length > 0 ? changes : [Date.UTC(2026, 2, 29, 1)]

  it('shows times around a change that exist once, twice or not at all, as Intl shows them', async () => {
    const walls = fc
      .tuple(fc.constantFrom(...moments), fc.integer({min: -3 * 3600, max: 3 * 3600}))
      .map(([moment, seconds]) => moment + ahead(moment) + seconds * 1000)
    await fc.assert(
      fc.asyncProperty(walls, async (wall) => {
        const local = new Date(wall).toISOString().slice(0, 19)
        const offsets = Array.from({length: 4 * 27}, (_, at) => (at - 4 * 12) * (hour / 4))
        const match = offsets.map((offset) => wall - offset).filter((instant) => shown(instant) === local)
        const read = await unlessRefused(() => parseInstant(local, {now, tz: zone}))
        if (match.length === 1) {
          expect(read?.getTime()).toBe(match[0])
          return
        }
        expect(read).toBeUndefined()
        const {message, try: advice} = (await failureOf(() => parseInstant(local, {now, tz: zone}))).facts
        expect(message).toContain(match.length === 0 ? 'does not exist' : 'happens twice')
        expect(advice).toMatch(/ or /)
      }),
      {numRuns: 100},
    )
  })
})

describe('any text', () => {
  const digits = fc.integer({min: 0, max: 99}).map((value) => String(value).padStart(2, '0'))
  const nearly = fc
    .tuple(fc.integer({min: 0, max: 99999}), fc.array(digits, {minLength: 5, maxLength: 5}), anyText())
    .map(([year, [month, day, hour, min, second], tail]) => `${year}-${month}-${day}T${hour}:${min}:${second}${tail}`)
  const pieces = fc.constantFrom(
    '2026',
    '-',
    '12',
    '01',
    'T',
    ' ',
    ':',
    '.',
    '+',
    'Z',
    '09',
    '2h',
    'now',
    '30',
    '\u0000',
  )
  const texts = fc.oneof(
    anyText(),
    nearly,
    fc.array(pieces).map((parts) => parts.join('')),
  )

  it('is a moment from 1970 to 9999 or is refused in one short line', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(undefined, 'utc', 'local', 'Europe/Berlin'), async (text, tz) => {
        const read = await unlessRefused(() => parseInstant(text, {now, tz}))
        if (read !== undefined) {
          expect(read.getTime()).toBeGreaterThanOrEqual(0)
          expect(read.getUTCFullYear()).toBeLessThanOrEqual(9999)
          return
        }
        const error = await failureOf(() => parseInstant(text, {now, tz}))
        expect(error.message).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        expect(error.message.length).toBeLessThan(1200)
      }),
      {numRuns: 200},
    )
  })

  it('agrees with Date on every moment that both read', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseInstant(instant.toISOString(), {now})).toEqual(instant)
      }),
    )
  })
})
