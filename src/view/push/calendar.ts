import {dateOf} from './configuration.js'

/** The end of a credential, as an event of a calendar. */
export interface CalendarEvent {
  /** The same for the same end of the same credential, so that a calendar replaces what it has. */
  readonly uid: string
  /** YYYY-MM-DD. */
  readonly date: string
  readonly summary: string
  readonly description: string
}

/** Days before the end at which a calendar reminds. */
const alarmDays = 30
const dayMs = 86_400_000

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
    `DTSTART;VALUE=DATE:${day(start)}`,
    `DTEND;VALUE=DATE:${day(new Date(start.getTime() + dayMs))}`,
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

function day(date: Date): string {
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
