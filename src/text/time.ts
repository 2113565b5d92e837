import {existsSync} from 'node:fs'
import {wrongUsage} from '../failure.js'
import {safeText, shortly} from './text.js'

export const minuteMs = 60_000
export const dayMs = 86_400_000

/** RFC 3339, UTC, to the second, rounded down. */
export function utcSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`
}

/**
 * RFC 3339, and the offset without a colon that ISO 8601 allows; a zone id may follow (push, Transaction record:
 * `2026-12-01T09:00:00+09:00[Asia/Seoul]`).
 */
const instant =
  /^((\d{4})-(\d\d)-(\d\d)[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d))(?:\[[\w+:/-]{1,64}\])?$/

/** The moment of a service's text; undefined for one without a zone (shown unchanged), and for an impossible date. */
export function moment(value: unknown): Date | undefined {
  const [, text, year, month, day] = (typeof value === 'string' && instant.exec(value)) || []
  if (text === undefined || !isDay(Number(year), Number(month), Number(day))) return undefined
  const date = new Date(text.replace(' ', 'T').toUpperCase())
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The same; a time without a zone is UTC, as the documents' times are (room, Room). */
export function utcMoment(value: unknown): Date | undefined {
  return moment(value) ?? (typeof value === 'string' ? moment(`${value}Z`) : undefined)
}

/** Whether two values are the same; services write the same moment in other ways. */
export function isSameValue(value: unknown, other: unknown): boolean {
  const first = value === other ? undefined : moment(value)
  return value === other || (first !== undefined && first.getTime() === moment(other)?.getTime())
}

/** Date takes 30 February for 2 March. */
function isDay(year: number, month: number, day: number): boolean {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

/** `utc` and `tz` are the requested zone (an IANA name such as `Asia/Seoul`). */
export interface TimeOptions {
  readonly terminal: boolean
  readonly utc: boolean
  readonly tz?: string | undefined
}

/**
 * The format of times (docs/times.md). On a terminal: local with offset, `2026-12-01 09:00:00 +09:00`. Off a terminal:
 * unchanged, or with `utc` or `tz` in RFC 3339. Other values become safe text. Throws Failure for an unknown zone.
 */
export function timeStyle(options: TimeOptions): (value: unknown) => string {
  const convert = conversion(options)
  if (convert === undefined) return safeText
  return (value) => {
    const date = moment(value)
    return date === undefined ? safeText(value) : convert(date)
  }
}

/** A sentence with its times as `time` shows them; a command line in it keeps the times that it is given. */
export function withTimes(sentence: string, time: ((value: unknown) => string) | undefined): string {
  if (time === undefined) return sentence
  const [, own = '', command = ''] = /^(.*?)(\broomctl .*)?$/su.exec(sentence) ?? []
  const times = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)(?:\[[\w+:/-]{1,64}\])?(?!\w)/gu
  return `${own.replace(times, time)}${command}`
}

function conversion({terminal, utc, tz}: TimeOptions): ((date: Date) => string) | undefined {
  if (utc) {
    return (date) =>
      terminal ? `${date.toISOString().slice(0, 19).replace('T', ' ')}Z` : date.toISOString().replace('.000Z', 'Z')
  }
  if (tz === 'local') return terminal ? local : (date) => local(date).replace(' ', 'T').replace(' ', '')
  if (tz !== undefined) return inZone(tz, terminal)
  return terminal ? local : undefined
}

/** By the getters of Date: Intl takes ten times as long. */
function local(date: Date): string {
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`
  return `${day} ${time} ${offsetText(-date.getTimezoneOffset() * minuteMs)}`
}

function inZone(timeZone: string, terminal: boolean): (date: Date) => string {
  let partsOf: ReturnType<typeof zoneParts>
  const ready = () => (partsOf ??= zoneParts(timeZone))
  // The list is fast; a format loads all of ICU's data, 12 ms, and most runs show no time.
  if (timeZone !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(timeZone) && !ready()) {
    const advice = 'use an IANA time zone, such as Asia/Seoul or Europe/Berlin'
    throw wrongUsage(`unknown time zone ${safeText(timeZone)}`, {try: advice})
  }
  return (date) => {
    const part = ready()?.(date) ?? new Map<string, string>()
    const day = `${part.get('year')}-${part.get('month')}-${part.get('day')}`
    const time = `${part.get('hour')}:${part.get('minute')}:${part.get('second')}`
    const zone = part.get('timeZoneName')?.replace('GMT', '') || '+00:00'
    return terminal ? `${day} ${time} ${zone}` : `${day}T${time}${zone}`
  }
}

/** Throws Failure (usage) for a TZ of the environment that Node takes for UTC, since it knows no such zone. */
export function checkLocalZone(TZ: string | undefined): void {
  const name = TZ?.replace(/^:/u, '')
  if (!name || /^(?:utc|gmt|uct|z)?[+-]?0*$/iu.test(name)) return
  // A file of a zone, as the usual :/etc/localtime, may be that of UTC.
  if (name.startsWith('/') && existsSync(name)) return
  const isOffset = [0, 182].some((day) => new Date(day * dayMs).getTimezoneOffset() !== 0)
  if (isOffset || Intl.supportedValuesOf('timeZone').includes(name) || zoneParts(name)) return
  throw wrongUsage(`TZ names no time zone that is known: ${safeText(shortly(name))}`, {
    try: 'set TZ to an IANA time zone, such as Asia/Seoul, or add --tz utc',
  })
}

/** The parts of a time in a zone, by their types; undefined for an unknown zone. */
export function zoneParts(timeZone: string): ((instant: Date | number) => Map<string, string>) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
    return (instant) => new Map(format.formatToParts(instant).map(({type, value}) => [type, value]))
  } catch {
    return undefined
  }
}

/** An offset in milliseconds as RFC 3339 writes it, `+09:00`. */
export function offsetText(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / minuteMs)
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.trunc(minutes / 60))}:${twoDigits(minutes % 60)}`
}

const spans = [
  {unit: 'y', seconds: 365 * 86_400, from: 2 * 365 * 86_400},
  {unit: 'd', seconds: 86_400, from: 2 * 86_400},
  {unit: 'h', seconds: 3600, from: 3600},
  {unit: 'm', seconds: 60, from: 60},
]

/** A time on a terminal without its seconds; any other text stays. */
export function toTheMinute(shown: string): string {
  return shown.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d/, '$1')
}

/** The time from `from` to `to` in one unit: `40s`, `8h`, `3d`; `in 3h` for a later `from`. */
export function ago(from: Date, to: Date): string {
  const seconds = Math.floor(Math.abs(to.getTime() - from.getTime()) / 1000)
  const span = spans.find((candidate) => seconds >= candidate.from) ?? {unit: 's', seconds: 1}
  const text = `${Math.floor(seconds / span.seconds)}${span.unit}`
  return from > to ? `in ${text}` : text
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** For tables on a terminal: `07:41` today, `Nov 20 07:41` this year, else with the year. */
export function shortTimes(now: Date): (value: unknown) => string {
  return (value) => {
    const date = moment(value)
    if (date === undefined) return safeText(value)
    const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
    if (date.toDateString() === now.toDateString()) return time
    const day = `${months[date.getMonth()]} ${twoDigits(date.getDate())}`
    return date.getFullYear() === now.getFullYear() ? `${day} ${time}` : `${day} ${date.getFullYear()} ${time}`
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** By the days of UTC, as a service without a time counts: 0 today, below 0 in the past. */
export function wholeDaysUntil(date: Date, now: Date): number {
  const dayOf = (time: Date) => Math.floor(time.getTime() / dayMs)
  return dayOf(date) - dayOf(now)
}

export function daysText(days: number): string {
  if (days === 0) return 'today'
  if (Math.abs(days) === 1) return days === 1 ? 'tomorrow' : 'yesterday'
  return days > 0 ? `in ${days} days` : `${-days} days ago`
}

/** A number of nanoseconds for people: `1h 02m 03s`, `2m 03s`, `3s`, `350ms`. The service measures recordings in them (room, Recording file entry). */
export function nanoseconds(duration: number): string {
  if (duration < 0) return `-${nanoseconds(-duration)}`
  if (duration < 1e9) return `${Math.floor(duration / 1e6)}ms`
  const seconds = Math.floor(duration / 1e9)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  if (hours > 0) return `${hours}h ${twoDigits(minutes)}m ${twoDigits(seconds % 60)}s`
  if (minutes > 0) return `${minutes}m ${twoDigits(seconds % 60)}s`
  return `${seconds}s`
}

/** Milliseconds of the monotonic clock, since some moment. `performance` would be loaded for it. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
