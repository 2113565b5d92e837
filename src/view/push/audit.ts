import {createHash} from 'node:crypto'
import {safeText} from '../../text/text.js'
import {dayMs} from '../../text/time.js'
import {colouredColumn, type ListView} from '../format/columns.js'
import {dateOf} from './configuration.js'

export type AuditState = 'ok' | 'due' | 'expired' | 'dead interface' | 'missing' | 'unreadable'

/** A credential of an application, or of a file that belongs to none that was asked about. */
export interface AuditRow {
  /** Only if several profiles are audited. */
  readonly profile?: string
  readonly application_id: string | null
  readonly platform: 'ios' | 'android'
  readonly kind: 'key' | 'certificate' | 'server-key' | null
  readonly key_id: string | null
  readonly bundle_id: string | null
  /** YYYY-MM-DD. Of a server key the day from which its interface was shut down. */
  readonly expires: string | null
  readonly days_left: number | null
  readonly file: string | null
  readonly state: AuditState
  readonly reason: string | null
  /** The result of the last `push rotate` on this machine, if any. */
  readonly rotation?: 'begun' | 'registered' | 'proven' | 'rolled-back'
}

const stateColours = {
  ok: 'green',
  due: 'yellow',
  missing: 'dim',
  expired: 'red',
  'dead interface': 'red',
  unreadable: 'red',
} as const

/** The words of a table; those of JSON and CSV are a promise. */
const shownStates: Readonly<Partial<Record<AuditState, string>>> = {'dead interface': 'shut down', missing: 'none'}

/** Two rows for each application; `withProfile`: of several profiles. */
export function auditList(withProfile: boolean): ListView<AuditRow> {
  return {
    id: ({application_id: id, file}) => safeText(id ?? file),
    empty: 'no applications',
    columns: [
      ...(withProfile ? [{name: 'profile'} as const] : []),
      {name: 'application_id', label: 'application', id: true},
      {name: 'platform', kept: true},
      {name: 'kind'},
      {name: 'key_id', label: 'key id'},
      {name: 'bundle_id', label: 'bundle id', fit: 'name'},
      {name: 'expires', fit: 'whole', kept: true},
      {name: 'days_left', label: 'days left', right: true, kept: true},
      {name: 'file', fit: 'path', ifKnown: true},
      {name: 'rotation', only: 'table', ifKnown: true},
      {...colouredColumn('state', stateColours), show: ({state}) => shownStates[state] ?? state, kept: true},
      {name: 'reason', fit: 'prose', ifKnown: true, kept: true},
    ],
  }
}

export interface CalendarEvent {
  /** The same for the same end of the same credential, so that a calendar replaces its event. */
  readonly uid: string
  readonly date: string
  readonly summary: string
  readonly description: string
}

/** The event of a certificate's end. An interface that was shut down has no end to be reminded of. */
export function calendarEvents({
  application_id: id,
  platform,
  kind,
  bundle_id: bundle,
  expires,
  file,
}: AuditRow): CalendarEvent[] {
  if (kind !== 'certificate' || expires === null) return []
  const of = id ?? bundle ?? file ?? ''
  const digest = createHash('sha256')
    .update(JSON.stringify([of, platform, expires]))
    .digest('hex')
  return [
    {
      uid: `${digest.slice(0, 32)}@roomctl`,
      date: expires,
      summary: `iOS push certificate of ${of} expires`,
      description: `bundle id: ${bundle ?? 'unknown'}\nregister a new one: roomctl push ios FILE --application-id ${id ?? 'ID'}`,
    },
  ]
}

/** Days before the end at which a calendar reminds. */
const alarmDays = 30

/** A calendar file, recognised by its start. */
export const calendar = {
  what: 'calendar',
  starts: [/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:-\/\/roomctl\/\//u],
}

/** The text of an iCalendar file (RFC 5545): an all-day event for each end, with an alarm 30 days before it. */
export function calendarText(events: readonly CalendarEvent[], now: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//roomctl//push audit//EN',
    'CALSCALE:GREGORIAN',
    ...events.flatMap((event) => eventLines(event, now)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventLines({uid, date, summary, description}: CalendarEvent, now: Date): string[] {
  const start = dateOf(date) ?? now
  const stamp = basic(now.toISOString())
  const isPast = start.getTime() - alarmDays * dayMs <= now.getTime()
  const triggers = [`TRIGGER:-P${alarmDays}D`, ...(isPast ? [`TRIGGER;VALUE=DATE-TIME:${stamp}`] : [])]
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${basicDay(start)}`,
    `DTEND;VALUE=DATE:${basicDay(new Date(start.getTime() + dayMs))}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    'TRANSP:TRANSPARENT',
    ...triggers.flatMap((trigger) => [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `DESCRIPTION:${escaped(summary)}`,
      trigger,
      'END:VALARM',
    ]),
    'END:VEVENT',
  ]
}

/** `20261201T120000Z`. */
function basic(iso: string): string {
  return iso.replace(/[-:]|\.\d+/gu, '')
}

function basicDay(date: Date): string {
  return basic(date.toISOString()).slice(0, 8)
}

/** RFC 5545, 3.3.11. Other control characters no text may have. */
function escaped(text: string): string {
  return text
    .replace(/\r\n?|\n/gu, '\n')
    .replace(/(?!\n)\p{Cc}/gu, '')
    .replace(/[\\;,]/gu, '\\$&')
    .replaceAll('\n', '\\n')
}

/** RFC 5545, 3.1: no line has more than 75 octets, and none is broken within a character. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line
  const rows = ['']
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > 75) {
      rows.push(' ')
      octets = 1
    }
    rows.push(`${rows.pop()}${character}`)
    octets += size
  }
  return rows.join('\r\n')
}
