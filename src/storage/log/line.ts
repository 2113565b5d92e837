import type {TextDecoder} from 'node:util'
import {crc32} from 'node:zlib'
import type * as z from 'zod/mini'
import {exactJson} from '../../text/json.js'
import {UnusableFile} from '../disk/privateFile.js'

const version = 2
const crcDigits = 8

const frame = new RegExp(`^\\{"v":(\\d{1,9}),(?:"crc":"([0-9a-f]{${crcDigits}})",)?`, 'u')
const ownFrame = Buffer.from(`{"v":${version},"crc":"`)
const longestFrame = '{"v":123456789,"crc":"89abcdef",'.length

/** The start of a record's members in a line of this version. */
export const membersAt = `{"v":${version},"crc":"89abcdef",`.length

/**
 * The line of a record, which has at least one member: `{"v":2,"crc":"89abcdef",` and its members. The checksum (CRC-32) is of what
 * follows it and of the version, so that no flipped bit makes a line one of another version. Lines of version 1 have no checksum.
 */
export function logLine(record: unknown): string {
  const members = exactJson(record).slice(1)
  return `{"v":${version},"crc":"${hex(crc32(members, version))}",${members}\n`
}

/** The start of a log whose records begin with `members`, by which our files are recognised. */
export function logStart(members: string): RegExp {
  return new RegExp(`^\\{(?:"v":\\d+,(?:"crc":"[0-9a-f]{${crcDigits}}",)?)?${members}`, 'u')
}

/** Whether a line of this version has a valid checksum. A lookup passes over many thousand lines, without a text for each. */
function isWhole(line: Buffer): boolean {
  if (line.length <= membersAt || ownFrame.compare(line, 0, ownFrame.length) !== 0) return false
  const crc = line.toString('latin1', ownFrame.length, membersAt - 2)
  return Number.parseInt(crc, 16) === crc32(line.subarray(membersAt), version)
}

/** Whether a line has a valid checksum, or is of version 1 without one. Throws an UnusableFile for a line of a later version. */
export function checkLine(line: Buffer): 'checked' | 'unchecked' | 'damaged' {
  if (isWhole(line)) return 'checked'
  const [start, number, crc] = frame.exec(line.toString('latin1', 0, longestFrame)) ?? []
  if (start === undefined) return 'unchecked'
  const lineVersion = Number(number)
  const isSame = crc !== undefined && crc === hex(crc32(line.subarray(start.length), lineVersion))
  if (lineVersion > version && (isSame || crc === undefined)) {
    throw new UnusableFile('version', `it has lines of version ${lineVersion}, and this roomctl reads ${version}`)
  }
  if (lineVersion === 1 && crc === undefined) return 'unchecked'
  return lineVersion === version && isSame ? 'checked' : 'damaged'
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(crcDigits, '0')
}

/** The record of a line; undefined for any other text. Throws as `checkLine`. */
export function parseLogLine<T>(line: Buffer, shape: z.ZodMiniType<T>, decoder: TextDecoder): T | undefined {
  const state = checkLine(line)
  if (state === 'damaged') return undefined
  try {
    const {v: _, crc, ...record} = JSON.parse(decoder.decode(line))
    const read = shape.safeParse(record)
    // A bit of the frame itself may have flipped.
    return read.success && (crc === undefined || state === 'checked') ? read.data : undefined
  } catch {
    return undefined
  }
}
