import {FormError, quoted} from './form.js'

/** A date and a time of day as they were written. */
interface WallTime {
  /** What the clock shows, in milliseconds as if it stood in UTC. */
  readonly wall: number
  /** Milliseconds east of UTC, or undefined when no offset was written. */
  readonly offset: number | undefined
}

const minute = 60_000
const shape = /^(\d+)-(\d+)-(\d+)(?:[T ](\d+):(\d+)(?::(\d+)(?:\.(\d+))?)?(.*))?$/is
const offsetShape = /^ ?([+-])(\d\d)(?::?(\d\d))?$/
const longestText = 64

/**
 * Reads RFC 3339's date and time: seconds may be left out, a space may stand for the T, letters may be lower case,
 * the offset may be written `+0900` or be missing. Fractions are cut to milliseconds; the years are 1970 to 9999.
 * Throws FormError that names what is missing or impossible.
 */
export function readWallTime(text: string): WallTime {
  const match = text.length > longestText ? null : shape.exec(text)
  if (match === null) throw notATime(text)
  const [, year = '', month = '', day = '', hour, min = '', second = '00', fraction = '', zone = ''] = match
  checkDate(text, year, month, day)
  if (hour === undefined) {
    throw new FormError(`${quoted(text)} is a day, not a time`, {advice: `add the time of day: ${text}T09:00+09:00`})
  }
  checkClock(text, hour, min, second)
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(min),
    Number(second),
    milliseconds,
  )
  return {wall, offset: readOffset(text, zone)}
}

/** What is said of a text that is no time at all. */
export function notATime(text: string): FormError {
  return new FormError(`${quoted(text)} is not a time`, {
    advice: 'write it as 2026-12-01T09:00+09:00, or from now on as +2h or -30m, or now',
  })
}

function checkDate(text: string, year: string, month: string, day: string): void {
  checkDigits(text, 'year', year, 4)
  checkDigits(text, 'month', month, 2)
  checkDigits(text, 'day', day, 2)
  if (Number(year) < 1970) throw impossible(text, 'the year must lie between 1970 and 9999')
  checkRange(text, 'month', month, 1, 12)
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(day) > days) throw impossible(text, `${year}-${month} has ${days} days, there is no day ${day}`)
  checkRange(text, 'day', day, 1, days)
}

function checkClock(text: string, hour: string, min: string, second: string): void {
  checkDigits(text, 'hour', hour, 2)
  checkDigits(text, 'minute', min, 2)
  checkDigits(text, 'second', second, 2)
  if (hour === '24') throw impossible(text, 'there is no hour 24; midnight is 00:00 of the next day')
  checkRange(text, 'hour', hour, 0, 23)
  checkRange(text, 'minute', min, 0, 59)
  if (second === '60') throw impossible(text, 'second 60, a leap second, is not counted; write 59')
  checkRange(text, 'second', second, 0, 59)
}

function checkDigits(text: string, part: string, digits: string, length: 2 | 4): void {
  if (digits.length === length) return
  const form = length === 2 ? 'two digits, as 09' : 'four digits, as 2026'
  throw new FormError(`${quoted(text)} is not a time: the ${part} has ${form}`, {
    advice: 'write it as 2026-12-01T09:00+09:00',
  })
}

function checkRange(text: string, part: string, digits: string, from: number, to: number): void {
  const value = Number(digits)
  if (value < from || value > to) throw impossible(text, `there is no ${part} ${digits}`)
}

function readOffset(text: string, zone: string): number | undefined {
  if (zone.trim() === '') return undefined
  if (/^ ?z$/i.test(zone)) return 0
  const match = offsetShape.exec(zone)
  if (match === null) {
    throw new FormError(`${quoted(text)} is not a time: ${quoted(zone.trim())} is not an offset`, {
      advice: 'end it with Z or an offset such as +09:00; a zone by name goes into --tz',
    })
  }
  const [, sign, hours = '', minutes = '00'] = match
  if (Number(hours) > 23 || Number(minutes) > 59) {
    throw impossible(text, `there is no offset ${zone.trim()}; they go from -23:59 to +23:59`)
  }
  const size = (Number(hours) * 60 + Number(minutes)) * minute
  return sign === '-' ? -size : size
}

function impossible(text: string, what: string): FormError {
  return new FormError(`${quoted(text)} is impossible: ${what}`)
}
