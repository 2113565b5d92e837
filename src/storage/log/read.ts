import {constants} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'
import {TextDecoder} from 'node:util'
import {UnusableFile} from '../disk/privateFile.js'
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
  const searched: LineReader = (file) => linesFromStart(file, damaged ? undefined : wanted)
  let number = 0
  for await (const lines of linesOfAll(path, newestFirst ? linesFromEnd : searched)) {
    for (const line of lines) {
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

/** The bytes of each line of a block without its line break; undefined for a line that is too long to be one. */
type Lines = AsyncGenerator<readonly (Buffer | undefined)[]>
type LineReader = (file: FileHandle) => Lines

/** The lines of all files. The newest is opened first, so that a rotation meanwhile loses none. */
async function* linesOfAll(path: string, linesIn: LineReader): Lines {
  const newest = await opened(path)
  try {
    const older = asides(path)
    if (newest && linesIn === linesFromEnd) yield* linesIn(newest)
    for (const aside of linesIn === linesFromEnd ? older.reverse() : older)
      yield* linesOfAside(aside.path, newest, linesIn)
    if (newest && linesIn !== linesFromEnd) yield* linesIn(newest)
  } finally {
    await newest?.close()
  }
}

/** None if the file was deleted, or is the one that was opened as the newest. */
async function* linesOfAside(path: string, newest: FileHandle | undefined, linesIn: LineReader): Lines {
  const file = await opened(path)
  try {
    if (file && (await identityOf(file)) !== (newest && (await identityOf(newest)))) yield* linesIn(file)
  } finally {
    await file?.close()
  }
}

async function identityOf(file: FileHandle): Promise<string> {
  const {dev, ino} = await file.stat({bigint: true})
  return `${dev} ${ino}`
}

/** Undefined if missing. Throws an UnusableFile for a device or a pipe, which may never end. */
async function opened(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined || (await file.stat()).isFile()) return file
  await file.close()
  throw new UnusableFile('kind', 'it is not a file')
}

const blockSize = 64 * 1024
const searchedSize = 1024 * 1024

/** With `wanted` without most of the lines that do not hold it, at the speed of a search. */
async function* linesFromStart(file: FileHandle, wanted?: Buffer): Lines {
  const line = new LineParts()
  const highWaterMark = wanted ? searchedSize : blockSize
  for await (const chunk of file.createReadStream({autoClose: false, highWaterMark})) {
    // Without an encoding a stream of a file gives Buffers.
    const bytes = chunk as Buffer
    const lines = []
    let from = 0
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, from)) {
      line.add(bytes.subarray(from, at))
      lines.push(line.take())
      from = wanted ? lineWith(bytes, wanted, at + 1) : at + 1
    }
    line.add(bytes.subarray(from))
    yield lines
  }
  if (line.size > 0) yield [line.take()]
}

/** The start of the next line that contains the bytes, else of the last one, which may continue in another block. */
function lineWith(bytes: Buffer, wanted: Buffer, from: number): number {
  const position = bytes.indexOf(wanted, from)
  return Math.max(from, bytes.lastIndexOf(0x0a, position === -1 ? bytes.length : position) + 1)
}

async function* linesFromEnd(file: FileHandle): Lines {
  const line = new LineParts()
  let {size: position} = await file.stat()
  while (position > 0) {
    const length = Math.min(blockSize, position)
    position -= length
    const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, position)
    let bytes = buffer.subarray(0, bytesRead)
    const lines = []
    for (let at = bytes.lastIndexOf(0x0a); at !== -1; at = bytes.lastIndexOf(0x0a)) {
      line.add(bytes.subarray(at + 1))
      lines.push(line.take('reversed'))
      bytes = bytes.subarray(0, at)
    }
    line.add(bytes)
    yield lines
  }
  if (line.size > 0) yield [line.take('reversed')]
}

/** The parts of a line that spans several blocks. */
class LineParts {
  size = 0
  #parts: Buffer[] = []

  add(part: Buffer): void {
    this.size += part.length
    if (this.size <= longestLine) this.#parts.push(part)
    else this.#parts = []
  }

  /** The line, at the start of the next one; undefined if it is too long. `reversed`: the last part was added first. */
  take(order?: 'reversed'): Buffer | undefined {
    const parts = order === 'reversed' ? this.#parts.reverse() : this.#parts
    const [only = Buffer.alloc(0)] = parts
    const line = this.size > longestLine ? undefined : parts.length < 2 ? only : Buffer.concat(parts)
    this.#parts = []
    this.size = 0
    return line
  }
}
