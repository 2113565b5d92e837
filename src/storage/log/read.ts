import {fstatSync, readFileSync} from 'node:fs'
import {setImmediate} from 'node:timers/promises'
import {TextDecoder} from 'node:util'
import {openRegularFile, thenClose} from '../disk/privateFile.js'
import {checkLine, parseLogLine} from './line.js'
import type {LogForm} from './log.js'
import {asides, longestLine} from './rotate.js'

export interface ReadOptions {
  /** Called with the number of each line that cannot be read. Without it, the lines that `mentions` or `isAbout` leaves out are not looked at. */
  readonly damaged?: ((line: number) => void) | undefined
  /** Only the lines that hold this text somewhere are parsed, which is much quicker; of the others those that were cut off are damaged. */
  readonly mentions?: string | undefined
  /** Only the lines that it takes are parsed. */
  readonly isAbout?: ((line: Buffer) => boolean) | undefined
  /** Reads lazily from the end, for callers that need only the newest changes. */
  readonly newestFirst?: boolean
}

/**
 * The records of a log and its rotated files, the newest last unless `newestFirst`, without damaged lines. Throws the system's error
 * and an UnusableFile.
 */
export async function* readLog<T>(
  {path, form: {shape}}: {readonly path: string; readonly form: Pick<LogForm<T>, 'shape'>},
  {damaged, mentions = '', isAbout = () => true, newestFirst = false}: ReadOptions = {},
): AsyncGenerator<T> {
  // As JSON writes it into the line.
  const wanted = Buffer.from(JSON.stringify(mentions).slice(1, -1))
  const read = lineReader(shape, (line) => line.includes(wanted) && isAbout(line), damaged !== undefined)
  const searched = damaged ? undefined : wanted
  let number = 0
  for (const bytes of filesOf(path, newestFirst)) {
    // A signal can interrupt between two files.
    await setImmediate()
    for (const line of linesOf(bytes, newestFirst, searched)) {
      number += 1
      const record = line && read(line)
      if (record === undefined) damaged?.(number)
      else if (record !== 'other') yield record
    }
  }
}

/**
 * Reads the record of a line, `other` if it is blank or not wanted; undefined if the line is damaged, which of a line that is not
 * wanted only its checksum shows: three times as long as finding that it is not.
 */
function lineReader<T>(
  shape: LogForm<T>['shape'],
  isWanted: (line: Buffer) => boolean,
  isCounted: boolean,
): (line: Buffer) => T | 'other' | undefined {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  // A line that was cut off or changed is damaged, whatever it held.
  const isWhole = (line: Buffer) => line.at(-1) === closingBrace && checkLine(line) !== 'damaged'
  const isOther = (line: Buffer) => line.length === 0 || (!isWanted(line) && (!isCounted || isWhole(line)))
  return (line) => (isOther(line) ? 'other' : parseLogLine(line, shape, decoder))
}

const closingBrace = 0x7d

/**
 * Reads each file whole: rotation limits its size. Opens the newest first, so that a rotation meanwhile loses no entry.
 */
function* filesOf(path: string, newestFirst: boolean): Generator<Buffer> {
  const newest = readWhole(path)
  const older = asides(path)
  if (newest && newestFirst) yield newest.bytes
  for (const aside of newestFirst ? older.reverse() : older) {
    const file = readWhole(aside.path)
    // It can be the file that was opened as the newest.
    if (file && file.identity !== newest?.identity) yield file.bytes
  }
  if (newest && !newestFirst) yield newest.bytes
}

/** Undefined if missing. Throws an UnusableFile for a device or a pipe, which may never end. */
function readWhole(path: string): {readonly identity: string; readonly bytes: Buffer} | undefined {
  const file = openRegularFile(path)
  if (file === undefined) return undefined
  return thenClose(file, () => {
    const {dev, ino} = fstatSync(file, {bigint: true})
    return {identity: `${dev} ${ino}`, bytes: readFileSync(file)}
  })
}

/** The bytes of each line without its line break; undefined for a line that is too long to be one. */
type Lines = Generator<Buffer | undefined>

function linesOf(bytes: Buffer, newestFirst: boolean, wanted: Buffer | undefined): Lines {
  return newestFirst ? linesFromEnd(bytes) : linesFromStart(bytes, wanted)
}

/** `wanted`: only lines that contain these bytes. */
function* linesFromStart(bytes: Buffer, wanted: Buffer | undefined): Lines {
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(0x0a, from)
    const to = found === -1 ? bytes.length : found
    yield lineIn(bytes, from, to)
    from = wanted ? lineWith(bytes, wanted, to + 1) : to + 1
  }
}

/** The start of the next line that contains the bytes; the end if no line has them. */
function lineWith(bytes: Buffer, wanted: Buffer, from: number): number {
  const position = bytes.indexOf(wanted, from)
  return position === -1 ? bytes.length : Math.max(from, bytes.lastIndexOf(0x0a, position) + 1)
}

function* linesFromEnd(bytes: Buffer): Lines {
  for (let to = bytes.length; to >= 0; ) {
    const from = to === 0 ? 0 : bytes.lastIndexOf(0x0a, to - 1) + 1
    yield lineIn(bytes, from, to)
    to = from - 1
  }
}

function lineIn(bytes: Buffer, from: number, to: number): Buffer | undefined {
  return to - from > longestLine ? undefined : bytes.subarray(from, to)
}
