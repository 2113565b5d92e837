import {wrongUsage} from '../failure.js'
import {quotedText} from '../text/text.js'
import {dayMs, minuteMs, zoneParts} from '../text/time.js'

/** The offset that applies at an instant: milliseconds since 1970 in, milliseconds east of UTC out. */
type Clock = (instant: number) => number

/** `utc`, `local` or an IANA name in any case. Intl, which costs start-up time, is loaded for names only. Throws Failure (usage). */
export function clockOf(zone: string): Clock {
  const name = zone.toLowerCase()
  if (name === 'utc' || name === 'z') return () => 0
  if (name === 'local') return (instant) => -new Date(instant).getTimezoneOffset() * minuteMs
  return namedClock(zone)
}

/** The instants at which a clock shows a wall time: none in a gap, two in an overlap, earlier first. */
export function instantsAt(clock: Clock, wall: number): number[] {
  return offsetsAround(clock, wall)
    .filter((offset) => clock(wall - offset) === offset)
    .map((offset) => wall - offset)
}

/** The one or two offsets in force around a wall time. No zone changes twice within two days. */
export function offsetsAround(clock: Clock, wall: number): number[] {
  return [...new Set([clock(wall - dayMs), clock(wall + dayMs)])]
}

function namedClock(zone: string): Clock {
  // Newer Node takes offsets as zones, older does not: refused everywhere, so that a script runs everywhere.
  if (/^[+-]/.test(zone)) {
    throw wrongUsage(`${quotedText(zone)} is an offset, not a time zone`, {
      try: `write it behind the time itself, as 2026-12-01T09:00+09:00`,
    })
  }
  const partsOf = zoneParts(zone)
  if (!partsOf) {
    throw wrongUsage(`unknown time zone ${quotedText(zone)}`, {
      try: 'use an IANA zone such as Asia/Seoul, or local, or utc',
    })
  }
  return (instant) => {
    const parts = partsOf(instant)
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
    const date = Date.UTC(part('year'), part('month') - 1, part('day'))
    const clock = Date.UTC(1970, 0, 1, part('hour'), part('minute'), part('second'))
    return date + clock - Math.floor(instant / 1000) * 1000
  }
}
