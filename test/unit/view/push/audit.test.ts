import {expect, test} from 'vitest'
import {calendarText} from '../../../../src/view/push/audit.js'

const now = new Date('2026-12-01T12:00:00Z')
const event = {uid: 'u@roomctl', date: '2027-01-31', summary: 'x', description: 'y'}

test('no line has more than 75 octets, and unfolding restores each', () => {
  const summary = `iOS push certificate of ${'스탠드업🚪'.repeat(40)} expires`
  const text = calendarText([{...event, summary}], now)
  const lines = text.split('\r\n')
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(lines.some((line) => Buffer.byteLength(line) > 70)).toBe(true)
  expect(text).not.toContain('\u{fffd}')
  expect(text.replaceAll('\r\n ', '')).toContain(`\r\nSUMMARY:${summary}\r\n`)
})

test('characters with a meaning in the format are escaped, and nothing can begin a line of its own', () => {
  const summary = 'a,b;c\\d\r\nEND:VCALENDAR\u0007'
  const text = calendarText([{...event, summary}], now)
  expect(text).toContain('SUMMARY:a\\,b\\;c\\\\d\\nEND:VCALENDAR\r\n')
  expect(text.match(/^END:VCALENDAR/gmu)).toHaveLength(1)
})

test('an event of a whole day ends on the next, over the end of a month', () => {
  const text = calendarText([event], now)
  expect(text).toContain('DTSTART;VALUE=DATE:20270131\r\nDTEND;VALUE=DATE:20270201\r\n')
})

test('a calendar without events is one', () => {
  expect(calendarText([], now)).toBe(
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//roomctl//push audit//EN\r\nCALSCALE:GREGORIAN\r\nEND:VCALENDAR\r\n',
  )
})
