import {setMaxListeners} from 'node:events'
import {addAbortSignal, Readable} from 'node:stream'
import {fixHeapSize} from '../../api/http/transports/selectTransport.js'
import {cannotRead, openInput} from '../../cli/files/readFile.js'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {Failure, fileFailure} from '../../failure.js'
import {reasonOf} from '../../storage/disk/privateFile.js'
import {Interrupted} from '../../terminal/questions.js'

/** A line of `room watch`, as far as it is about presence; times in milliseconds since 1970. */
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
  /** `events.ndjson line 12`. */
  readonly where: () => string
}

interface RecordingReader {
  /** `run`: also of an event that does not name its own; undefined in a file that begins within one. */
  readonly event: (event: RecordedEvent, run: string | undefined) => void
  /** Called with the lines that a kill cut. */
  readonly cut: (where: string) => void
}

/**
 * Reads the events of files, `-` for stdin, merged by their times, so that runs of the watch come in order whatever file they are in.
 * Raises a Failure (file) for what cannot be read, is no event or has none, and for events of two services.
 */
export async function readRecording(
  {stdin, signal}: Runtime,
  paths: readonly string[],
  {event: read, cut}: RecordingReader,
): Promise<void> {
  // Before the first line: a heap that has grown does not shrink.
  await fixHeapSize()
  // Each open file listens to the signal, and Node warns of more than ten listeners.
  setMaxListeners(0, signal)
  let active = [...new Set(paths)].map(
    (path): Source => ({path, batches: batchesOf(path, {stdin, signal, cut}), events: [], run: undefined}),
  )
  for (const source of active) {
    if (!(await fill(source))) throw cannotUse(`${nameOf(source.path)} has no events`)
  }
  let service: string | undefined
  while (active.length > 0) {
    const source = active.reduce(earlier)
    const event = source.events.pop() as RecordedEvent
    service ??= event.service
    if ((event.service ?? service) !== service) {
      throw fileFailure(`${event.where()} is of another service than the lines before it`)
    }
    // Only the events that begin or close a look name their run. Other files may be of watches at the same time.
    source.run = event.run ?? source.run
    read(event, source.run)
    if (source.events.length === 0 && !(await fill(source))) active = active.filter((one) => one !== source)
  }
}

interface Source {
  readonly path: string
  readonly batches: AsyncIterator<RecordedEvent[]>
  /** What was read of it, the next event last. */
  events: RecordedEvent[]
  run: string | undefined
}

/** Reads on. Gives back whether there is another event. */
async function fill(source: Source): Promise<boolean> {
  while (source.events.length === 0) {
    const {value, done} = await source.batches.next()
    if (done) return false
    source.events = value.reverse()
  }
  return true
}

/** Of the same time the one that says less: the end of a run comes before the sightings of the next. */
function earlier(one: Source, other: Source): Source {
  const [first, second] = [one.events.at(-1) as RecordedEvent, other.events.at(-1) as RecordedEvent]
  return second.at < first.at || (second.at === first.at && second.after < first.after) ? other : one
}

interface Input extends Pick<Runtime, 'stdin' | 'signal'>, Pick<RecordingReader, 'cut'> {}

/** In characters; that of a sighting has everybody who is in a room. */
const longestLine = 8 * 1024 * 1024

async function* batchesOf(path: string, {stdin, signal, cut}: Input): AsyncGenerator<RecordedEvent[]> {
  const stream = path === '-' ? new Readable().wrap(stdin) : await openInput(path)
  const lines = new Lines(nameOf(path), cut)
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const chunk of addAbortSignal(signal, stream)) {
      const texts = (rest + decoder.decode(Buffer.from(chunk), {stream: true})).split('\n')
      rest = texts.pop() ?? ''
      yield texts.flatMap((text) => lines.read(text))
      if (rest.length > longestLine) throw noEvent(lines.where())
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw signal.aborted ? new Interrupted() : cannotRead(path, reasonOf(error), undefined, error)
  }
  yield lines.read(rest + decoder.decode())
  lines.end()
}

/** What begins as an event and does not end as one was cut if the next start of the watch, or nothing, follows. */
class Lines {
  #number = 0
  #broken: string | undefined

  constructor(
    private readonly name: string,
    private readonly cut: RecordingReader['cut'],
  ) {}

  read(text: string): RecordedEvent[] {
    this.#number += 1
    if (text === '') return []
    const number = this.#number
    const where = () => this.where(number)
    const whole = eventOf(text, where)
    const event = whole ?? eventBehindCut(text, where)
    if (!event && !/^\{.*[^}\s]\s*$/u.test(text)) throw noEvent(where())
    if (this.#broken !== undefined && !startsRun(event)) throw noEvent(this.#broken)
    this.end()
    this.#broken = event ? undefined : where()
    if (event !== whole) this.cut(where())
    return event ? [event] : []
  }

  /** The place of a line, that of the next one without its number. */
  where(number = this.#number + 1): string {
    return `${this.name} line ${number}`
  }

  end(): void {
    if (this.#broken !== undefined) this.cut(this.#broken)
  }
}

function startsRun(event: RecordedEvent | undefined): boolean {
  return event?.event === 'room-seen' || event?.event === 'looked'
}

/** The first line of a run that was written behind one that a kill had cut. */
function eventBehindCut(text: string, where: () => string): RecordedEvent | undefined {
  for (let at = text.startsWith('{') ? text.indexOf('{"', 1) : -1; at > 0; at = text.indexOf('{"', at + 1)) {
    const event = eventOf(text.slice(at), where)
    if (event) return event
  }
  return undefined
}

function eventOf(text: string, where: () => string): RecordedEvent | undefined {
  try {
    // Objects of one shape, made new: changing those of the parser takes half as long again.
    const {event, after, at, room_id, user_id, present, room_status, service, run} = JSON.parse(text) ?? {}
    const times = {after: timeOf(after), at: timeOf(at)}
    const made = {event, ...times, room_id, user_id, present, room_status, service, run, where}
    return isEvent(made) ? made : undefined
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
  return Array.isArray(present) || (present === undefined && event !== 'room-seen')
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

function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path
}

function noEvent(where: string): Failure {
  return cannotUse(`${where} is not an event of room watch`)
}

function cannotUse(message: string): Failure {
  return fileFailure(message, {try: 'record events: roomctl room watch --initial -o ndjson > FILE'})
}
