import {refuse} from '../wire/refusal.js'

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** A moment as the service writes it: ISO 8601 UTC, with milliseconds only where there are any. */
export function utc(moment: Date): string {
  return moment.toISOString().replace('.000Z', 'Z')
}

/**
 * The moment that a request field holds, written as the service writes it. Refuses with CE001 what is no date-time of
 * ISO 8601 with its zone, and days that no calendar has, such as 30 February.
 */
export function moment(field: string, text: string): string {
  const [, year, month, day] = dateTime.exec(text) ?? []
  const sameDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const read = new Date(text)
  if (!sameDay || Number.isNaN(read.getTime())) {
    return refuse('CE001', `${field}: expected a date-time such as 2026-12-01T09:00:00Z, got ${JSON.stringify(text)}`)
  }
  return utc(read)
}

/** Refuses with CE001 a reservation that does not end after it starts. */
export function checkReservation(start: string, end: string | undefined): void {
  if (end !== undefined && Date.parse(end) <= Date.parse(start)) {
    refuse('CE001', `reserved_end_time: ${end} is not after reserved_start_time ${start}`)
  }
}
