import {type BigIntStats, fstatSync, lstatSync, readFileSync} from 'node:fs'
import {setImmediate} from 'node:timers/promises'
import {TextDecoder} from 'node:util'
import {openRegularFile, thenClose} from '../disk/privateFile.js'
import {checkLine, parseLogLine} from './line.js'
import type {LogForm} from './log.js'
import {asides, longestLine} from './rotate.js'

export interface ReadOptions {
  /** Called for each line that cannot be read. Without it, the lines that `mentions` or `isAbout` leaves out are not looked at. */
  readonly damaged?: (() => void) | undefined
  /** Only the lines that hold this text somewhere are parsed, which is much quicker; of the others those that were cut off are damaged. */
  readonly mentions?: string | undefined
  /** Only the lines that it takes are parsed. */
  readonly isAbout?: ((line: Buffer) => boolean) | undefined
}

/**
 * The records of a log and its rotated files, the newest first, without damaged lines; only as far as they are asked for. Throws the
 * system's error and an UnusableFile.
 */
export async function* readLog<T>(
  {path, form: {shape}}: {readonly path: string; readonly form: Pick<LogForm<T>, 'shape'>},
  options: ReadOptions = {},
): AsyncGenerator<T> {
  const {damaged, mentions = ''} = options
  // As JSON writes it into the line.
  const wanted = Buffer.from(JSON.stringify(mentions).slice(1, -1))
  const read = lineReader(shape, wanted, options)
  for (const bytes of filesOf(path)) {
    // A signal can interrupt between two files.
    await setImmediate()
    for (const line of linesOf(bytes, damaged ? Buffer.of() : wanted)) {
      const record = read(line)
      if (record === undefined) damaged?.()
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
  wanted: Buffer,
  {damaged, isAbout = () => true}: ReadOptions,
): (line: Buffer) => T | 'other' | undefined {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  // A line that was cut off or changed is damaged, whatever it held.
  const isWhole = (line: Buffer) => line.at(-1) === closingBrace && checkLine(line) !== 'damaged'
  const isWanted = (line: Buffer) => line.includes(wanted) && isAbout(line)
  const isOther = (line: Buffer) => line.length === 0 || (!isWanted(line) && (!damaged || isWhole(line)))
  return (line) => {
    if (isOther(line)) return 'other'
    return line.length > longestLine ? undefined : parseLogLine(line, shape, decoder)
  }
}

const closingBrace = 0x7d

/** Reads each file whole: rotation limits its size. Opens the newest first, so that a rotation meanwhile loses no entry. */
function* filesOf(path: string): Generator<Buffer> {
  const newest = readWhole(path)
  const older = asides(path).reverse()
  if (newest) yield newest.bytes
  // The file that was opened as the newest may be rotated by now; those rotated after it are newer.
  const opened = newest ? older.findIndex((aside) => isSameFile(aside.path, newest.stat)) : -1
  for (const aside of older.slice(opened + 1)) {
    const file = readWhole(aside.path)
    if (file) yield file.bytes
  }
}

function isSameFile(path: string, {dev, ino}: BigIntStats): boolean {
  const stat = lstatSync(path, {bigint: true, throwIfNoEntry: false})
  return stat?.ino === ino && stat.dev === dev
}

/** Undefined if missing. Throws an UnusableFile for a device or a pipe, which may never end. */
function readWhole(path: string): {readonly stat: BigIntStats; readonly bytes: Buffer} | undefined {
  const file = openRegularFile(path)
  if (file === undefined) return undefined
  return thenClose(file, () => ({stat: fstatSync(file, {bigint: true}), bytes: readFileSync(file)}))
}

/** The lines that contain these bytes, from the last to the first, without their line breaks. */
function* linesOf(bytes: Buffer, wanted: Buffer): Generator<Buffer> {
  for (let before = bytes.length; before >= 0; ) {
    const position = bytes.lastIndexOf(wanted, before)
    if (position === -1) return
    const lineBreak = bytes.indexOf(0x0a, position)
    const to = lineBreak === -1 ? bytes.length : lineBreak
    const from = to === 0 ? 0 : bytes.lastIndexOf(0x0a, to - 1) + 1
    yield bytes.subarray(from, to)
    before = from - 1
  }
}
