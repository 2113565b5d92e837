import {type Failure, wrongUsage} from '../failure.js'
import {parseDuration} from '../text/quantity.js'
import {quotedText} from '../text/text.js'
import {minuteMs, offsetText} from '../text/time.js'
import {clockOf, instantsAt, offsetsAround} from './zone.js'

interface InstantOptions {
  /** The base of `now`, `+2h` and `-30m`. */
  readonly now: Date
  /** The zone of a time that names none: an IANA name, `local` or `utc`. Without it such a time is refused. */
  readonly tz?: string | undefined
}

const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Reads a point in time (docs/times.md); a written offset wins over `tz`. Throws Failure (usage), also for an ambiguous time. */
export function parseInstant(text: string, options: InstantOptions): Date {
  const written = text.trim()
  const ahead = readRelative(written)
  const instant = ahead === undefined ? absolute(written, options.tz) : options.now.getTime() + ahead
  if (instant < earliest || instant > latest) {
    throw wrongUsage(`${quotedText(text)} is outside the years 1970 to 9999 in UTC`)
  }
  return new Date(instant)
}

/** `now`, `+2h` and `-30m` in milliseconds; undefined for any other text. @throws Failure (usage) for an invalid duration, or one without a sign */
export function readRelative(text: string): number | undefined {
  if (text.toLowerCase() === 'now') return 0
  const sign = text[0]
  if (sign === '+' || sign === '-') return (sign === '-' ? -1 : 1) * parseDuration(text.slice(1))
  if (/^\d{1,9}(ms|[smhdw])$/.test(text)) {
    throw wrongUsage(`${quotedText(text)} is a duration, not a time`, {
      try: `write +${text} for a future time or -${text} for a past one`,
    })
  }
  return undefined
}

function absolute(text: string, tz: string | undefined): number {
  if (text === '') throw notATime(text)
  const {wall, offset} = readWallTime(text)
  if (offset !== undefined) return wall - offset
  if (tz === undefined) {
    throw wrongUsage(`${quotedText(text)} has no time zone, so it is ambiguous`, {
      try: `add an offset, as in ${text.replace(' ', 'T')}+09:00, or name the zone: --tz Asia/Seoul`,
    })
  }
  return inZone(text, wall, tz)
}

function inZone(text: string, wall: number, tz: string): number {
  const clock = clockOf(tz)
  const instants = instantsAt(clock, wall)
  const [instant] = instants
  if (instant !== undefined && instants.length === 1) return instant
  const what = instant === undefined ? 'does not exist' : 'happens twice'
  const why = instant === undefined ? 'the clocks are set forward over it' : 'the clocks are set back over it'
  const choices = offsetsAround(clock, wall).map((offset) => `${text.replace(' ', 'T')}${offsetText(offset)}`)
  throw wrongUsage(`${quotedText(text)} ${what} in ${tz}: ${why}`, {
    try: `give an offset: ${choices.join(' or ')}`,
  })
}

interface WallTime {
  /** The local time in milliseconds, as if it were UTC. */
  readonly wall: number
  /** Milliseconds east of UTC, or undefined when no offset was written. */
  readonly offset: number | undefined
}

const shape = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?:(:\d\d)(?:\.(\d+))?)?( ?(?:z|([+-])(\d\d)(?::?(\d\d))?))?)?$/i
const longestText = 64

/** RFC 3339's date and time, a space in place of the T, seconds and offset optional. Throws Failure (usage). */
export function readWallTime(text: string): WallTime {
  const match = text.length > longestText ? null : shape.exec(text)
  if (match === null) throw notATime(text)
  const [, day, time, seconds = ':00', fraction = '', zone, sign, hours = '00', minutes = '00'] = match
  if (time === undefined) {
    throw wrongUsage(`${quotedText(text)} is a day, not a time`, {
      try: `add the time of day: ${text}T09:00+09:00`,
    })
  }
  const second = `${day}T${time}${seconds}`
  const wall = Date.parse(`${second}Z`)
  // Date makes March 2 of February 30.
  const isPossible = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(second)
  if (!isPossible || Number(hours) > 23 || Number(minutes) > 59) {
    throw wrongUsage(`${quotedText(text)} is impossible: that day, time or offset does not exist`)
  }
  const size = (Number(hours) * 60 + Number(minutes)) * minuteMs
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return {wall: wall + milliseconds, offset: zone === undefined ? undefined : sign === '-' ? -size : size}
}

export const timeAdvice = 'use RFC 3339 such as 2026-12-01T09:00+09:00, or +2h, -1d or now'

function notATime(text: string): Failure {
  return wrongUsage(`${quotedText(text)} is not a time`, {try: timeAdvice})
}
