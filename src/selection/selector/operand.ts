import {nearest} from '../../text/nearest.js'
import {parseDuration} from '../duration.js'
import {FormError, quoted} from '../form.js'
import {parseInstant, readRelative} from '../instant.js'

/** room, Enumerations. Written here as well, since this folder knows nothing of the contract's. */
const statuses = ['RESERVED', 'MEETING', 'IDLE', 'ENDED']

const flags: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])

/** A number to compare with, which may move with the time (`start<+5m`). `now` and times are milliseconds since 1970. */
export type Measure = (now: number) => number

/** A room status in any case, in capitals; throws FormError for a word that is none. */
export function readStatus(text: string): string {
  const status = text.toUpperCase()
  if (statuses.includes(status)) return status
  const near = nearest(text.slice(0, 64), statuses)
  throw new FormError(`there is no status ${quoted(text)}${near === undefined ? '' : `; did you mean ${near}?`}`, {
    why: `the statuses are ${statuses.join(', ')}`,
  })
}

/** `yes`, `true`, `no` or `false` in any case. */
export function readFlag(text: string): boolean {
  const flag = flags.get(text.toLowerCase())
  if (flag === undefined) throw new FormError(`${quoted(text)} is neither yes nor no`)
  return flag
}

/** A whole number from 0. */
export function readCount(text: string): Measure {
  if (!/^\d{1,15}$/.test(text)) throw new FormError(`${quoted(text)} is not a whole number`)
  const count = Number(text)
  return () => count
}

/** A duration, as `8h`. */
export function readAge(text: string): Measure {
  const age = parseDuration(text)
  return () => age
}

/** A time: RFC 3339, or relative to the moment of the comparison. `tz` is the zone of a time that names none. */
export function readTime(text: string, tz: string | undefined): Measure {
  const ahead = readRelative(text)
  if (ahead !== undefined) return (now) => now + ahead
  const instant = parseInstant(text, {now: new Date(0), tz}).getTime()
  return () => instant
}
