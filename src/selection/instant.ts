import {parseDuration} from './duration.js'
import {FormError, quoted} from './form.js'
import {notATime, readWallTime} from './wallTime.js'
import {clockOf, instantsAt, offsetsAround, offsetText} from './zone.js'

interface InstantOptions {
  /** What `now`, `+2h` and `-30m` count from. */
  readonly now: Date
  /** The zone of a time that names none: an IANA name, `local` or `utc`. Without it such a time is refused. */
  readonly tz?: string | undefined
}

const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Reads a point in time (product §7 "Times"): RFC 3339 with an offset or Z, `now`, `+2h`, `-30m`, and with `tz` a local
 * time without a zone. An offset that is written wins over `tz`. Throws FormError: no zone, a date that cannot be, a
 * local time that the clocks skip or show twice, a year outside 1970 to 9999.
 */
export function parseInstant(text: string, options: InstantOptions): Date {
  const written = text.trim()
  const ahead = readRelative(written)
  const instant = ahead === undefined ? absolute(written, options.tz) : options.now.getTime() + ahead
  if (instant < earliest || instant > latest) {
    throw new FormError(`${quoted(text)} lies outside the years 1970 to 9999 in UTC`)
  }
  return new Date(instant)
}

/**
 * Reads `now`, `+2h` and `-30m` as milliseconds from now on; undefined for a text that is not of this kind.
 * Throws FormError when what follows the sign is no duration, and for a duration without a sign.
 */
export function readRelative(text: string): number | undefined {
  if (text.toLowerCase() === 'now') return 0
  const sign = text[0]
  if (sign === '+' || sign === '-') return (sign === '-' ? -1 : 1) * parseDuration(text.slice(1))
  if (/^\d{1,9}(ms|[smhdw])$/.test(text)) {
    throw new FormError(`${quoted(text)} is a duration, not a time`, {
      advice: `write +${text} for a time to come or -${text} for one that is past`,
    })
  }
  return undefined
}

/** Reads a time with an offset, or one without in the zone `tz`, as milliseconds since 1970. */
function absolute(text: string, tz: string | undefined): number {
  if (text === '') throw notATime(text)
  const {wall, offset} = readWallTime(text)
  if (offset !== undefined) return wall - offset
  if (tz === undefined) {
    throw new FormError(`${quoted(text)} has no time zone, so nobody can say which moment it is`, {
      advice: `add an offset, as in ${text.replace(' ', 'T')}+09:00, or name the zone: --tz Asia/Seoul`,
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
  throw new FormError(`${quoted(text)} ${what} in ${tz}: ${why}`, {advice: `give an offset: ${choices.join(' or ')}`})
}
