import {isUtf8} from 'node:buffer'
import {addAbortSignal, Readable} from 'node:stream'
import {cannotRead, openInput} from '../../cli/files/readFile.js'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {Failure, fileFailure} from '../../failure.js'
import {reasonOf} from '../../storage/disk/privateFile.js'
import {Interrupted} from '../../terminal/questions.js'

/** The presence in a line of `room watch`; times in milliseconds since 1970. */
export interface RecordedEvent {
  readonly event: string
  readonly after: number
  readonly at: number
  readonly room_id?: string | null
  readonly user_id?: string | null
  readonly present?: readonly string[]
  readonly room_status?: string | null
  readonly service?: string
  readonly run?: string
  /** Of a gap: the clock was set back, and showed these times again. */
  readonly repeated?: boolean
  /** `events.ndjson line 12`. */
  readonly where: () => string
}

/** A file, stdin (`-`), or some bytes of a file. */
export interface RecordingPart {
  readonly path: string
  /** Its bytes up to `to`, and the number of lines before them. */
  readonly bytes?: {readonly from: number; readonly to: number; readonly line: number}
}

export interface LineReader {
  /** Called with the lines that a kill cut. */
  readonly cut: (where: string) => void
  /** Called with each event, the byte at which its line begins, and the number of lines before it. */
  readonly line?: (event: RecordedEvent, byte: number, line: number) => void
}

/** In bytes; a sighting lists all users of a room. */
const longestLine = 8 * 1024 * 1024

const newline = 0x0a

/** The events of a recording in batches. Throws Failure (file) for what cannot be read, or is no event. */
export async function* eventsOf(
  part: RecordingPart,
  {stdin, signal}: Pick<Runtime, 'stdin' | 'signal'>,
  reader: LineReader,
): AsyncGenerator<RecordedEvent[]> {
  const {path, bytes} = part
  const range = bytes && {start: bytes.from, end: bytes.to - 1}
  const stream = path === '-' ? new Readable().wrap(stdin) : await openInput(path, range, toRecord)
  const lines = new Lines(part, reader)
  try {
    for await (const piece of linesIn(addAbortSignal(signal, stream), () => noEvent(lines.where())))
      yield lines.read(piece)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw signal.aborted ? new Interrupted() : cannotRead(path, reasonOf(error), undefined, error)
  }
  lines.end()
}

/** The bytes of a stream in pieces of whole lines, the last one as it ends. Only a line that two chunks share is copied. */
async function* linesIn(stream: Readable, tooLong: () => Failure): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    const piece: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    const [first, end] = [piece.indexOf(newline) + 1, piece.lastIndexOf(newline) + 1]
    if (end > 0) {
      yield Buffer.concat([...rest, piece.subarray(0, first)])
      yield piece.subarray(first, end)
      rest = []
      length = 0
    }
    rest.push(piece.subarray(end))
    length += piece.length - end
    if (length > longestLine) throw tooLong()
  }
  yield Buffer.concat(rest)
}

/** A truncated event: its start is valid, and the next start of the watch, or nothing, follows. */
class Lines {
  readonly #name: string
  #number: number
  /** The byte at which the next line begins. */
  #byte: number
  #broken: string | undefined

  constructor(
    {path, bytes}: RecordingPart,
    private readonly reader: LineReader,
  ) {
    this.#name = inputName(path)
    this.#number = bytes?.line ?? 0
    this.#byte = bytes?.from ?? 0
  }

  /** Reads whole lines. */
  read(bytes: Buffer): RecordedEvent[] {
    if (!isUtf8(bytes)) throw this.#notText(bytes)
    const texts = bytes.toString().split('\n')
    const events: RecordedEvent[] = []
    let begin = 0
    for (const text of texts) {
      if (begin === bytes.length) break
      const event = this.#read(text)
      if (event) {
        this.reader.line?.(event, this.#byte + begin, this.#number - 1)
        events.push(event)
      }
      begin = endOfLine(bytes, begin)
    }
    this.#byte += bytes.length
    return events
  }

  #read(line: string): RecordedEvent | undefined {
    this.#number += 1
    const text = this.#number === 1 && line.startsWith('\uFEFF') ? line.slice(1) : line
    if (text === '') return undefined
    const number = this.#number
    const where = () => this.where(number)
    const whole = eventOf(text, where)
    const event = whole ?? eventBehindCut(text, where)
    if (!event && (!text.startsWith('{') || text.trimEnd().endsWith('}'))) throw noEvent(where())
    if (this.#broken !== undefined && !startsRun(event)) throw noEvent(this.#broken)
    this.end()
    this.#broken = event ? undefined : where()
    if (event !== whole) this.reader.cut(where())
    return event
  }

  /** The place of a line, without its number for the next one. */
  where(number = this.#number + 1): string {
    return `${this.#name} line ${number}`
  }

  end(): void {
    if (this.#broken !== undefined) this.reader.cut(this.#broken)
  }

  #notText(bytes: Buffer): Failure {
    let number = this.#number
    for (let begin = 0, end = 0; begin < bytes.length; begin = end) {
      end = endOfLine(bytes, begin)
      number += 1
      if (!isUtf8(bytes.subarray(begin, end))) break
    }
    return cannotUse(`${this.where(number)} is not UTF-8 text`)
  }
}

function endOfLine(bytes: Buffer, begin: number): number {
  return bytes.indexOf(newline, begin) + 1 || bytes.length
}

function startsRun(event: RecordedEvent | undefined): boolean {
  return event?.event === 'room-seen' || event?.event === 'looked'
}

/** The start of every line of the watch; within a line its quotes would be escaped. */
const lineStart = '{"at":"'

/** The first line of a run that was written behind one that a kill had cut. */
function eventBehindCut(text: string, where: () => string): RecordedEvent | undefined {
  const start = text.lastIndexOf(lineStart)
  return start > 0 && text.startsWith('{') ? eventOf(text.slice(start), where) : undefined
}

function eventOf(text: string, where: () => string): RecordedEvent | undefined {
  try {
    // New objects of one shape: changing those of the parser takes half as long again.
    const {event, after, at, room_id, user_id, present, room_status, service, run, repeated} = JSON.parse(text) ?? {}
    const times = {after: timeOf(after), at: timeOf(at)}
    const made = {event, ...times, room_id, user_id, present, room_status, service, run, repeated, where}
    return isEvent(made) ? checkedTimes(made) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isEvent(line: Partial<Record<keyof RecordedEvent, unknown>>): line is RecordedEvent {
  const {event, after, at, room_id: room, user_id: user, present} = line
  if (typeof event !== 'string' || Number.isNaN(after) || Number.isNaN(at)) return false
  if (typeof room !== 'string' && event !== 'looked' && event !== 'gap') return false
  if (typeof user !== 'string' && (event === 'joined' || event === 'left')) return false
  if (present === undefined) return event !== 'room-seen'
  return Array.isArray(present) && present.every((one) => typeof one === 'string')
}

/** A gap of version 0.3 across a clock that was set back ends before it begins: these times are the ones that were repeated. */
function checkedTimes(line: RecordedEvent): RecordedEvent {
  const {event, at, after} = line
  if (at >= after) return line
  if (event === 'gap') return {...line, at: after, after: at, repeated: true}
  throw fileFailure(`${line.where()} has a time \`at\` before its time \`after\``, {
    why: 'the clock of the watch was set back there, so minutes cannot be counted',
  })
}

const times = new Map<unknown, number>()

/** Neighbours have the same times. */
function timeOf(text: unknown): number {
  const known = times.get(text)
  if (known !== undefined) return known
  if (times.size > 100) times.clear()
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
  times.set(text, time)
  return time
}

export function inputName(path: string): string {
  return path === '-' ? 'stdin' : path
}

function noEvent(where: string): Failure {
  return cannotUse(`${where} is not an event of room watch`)
}

const toRecord = 'record events: roomctl room watch --initial -o ndjson > FILE'

/** A Failure (file) of a recording, with the way to make one. */
export function cannotUse(message: string): Failure {
  return fileFailure(message, {try: toRecord})
}
