import {logLine} from '../../src/storage/log/line.js'

/** The records of a log's text, without version and checksum. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever members a line has
export function recordsIn(text: string): any[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const {v: _, crc: __, ...record} = JSON.parse(line)
    return record
  })
}

/** A log's text with checksums that hold, as by whoever changed it on purpose. */
export function sealed(text: string): string {
  return recordsIn(text).map(logLine).join('')
}
