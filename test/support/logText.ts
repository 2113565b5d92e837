import {logLine} from '../../src/storage/log/line.js'

/** The values of a text with JSON in each line. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever members a line has
export function jsonLines(text: string): any[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}

/** The records of a log's text, without version and checksum. */
export const recordsIn = (text: string) => jsonLines(text).map(({v: _, crc: __, ...record}) => record)

/** A log's text with valid checksums, as after an edit on purpose. */
export function sealed(text: string): string {
  return recordsIn(text).map(logLine).join('')
}
