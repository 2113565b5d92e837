import {setMaxListeners} from 'node:events'
import {statSync} from 'node:fs'
import type {Runtime} from '../../cli/runtime/runtime.js'
import {fileFailure} from '../../failure.js'
import {cannotUse, eventsOf, inputName, type RecordedEvent, type RecordingPart} from './recordedEvents.js'
import type {Span, Stretch} from './sessions.js'

export type Repeated = NonNullable<Span['repeated']>

/** Receives the events in the order of their times. `run` is the same object for all events of a run. */
interface EventReader {
  readonly read: (event: RecordedEvent, run: object) => void
  /** The run has no more events, unless it continues in another file. */
  readonly leave: (run: object) => void
}

interface ReadRecording<Reader> {
  readonly reader: Reader
  /** How many lines a kill cut, and the first of them. */
  readonly cut: {lines: number; first: string}
  /** The first place at which the clock was set back. */
  readonly setBack: string | undefined
}

/**
 * Reads the events of files, `-` for stdin, in the order of their times: runs of the watch in any order, also within a file.
 * `begin` makes what reads them, again if their order needs a second reading. Throws Failure (file) for what cannot be read, is no
 * event or has none, for events of two services, and for stdin that is not in order.
 */
export async function readRecording<Reader extends EventReader>(
  runtime: Runtime,
  paths: readonly string[],
  begin: (repeated: Repeated) => Reader,
): Promise<ReadRecording<Reader>> {
  // Each open file listens to the signal, and Node warns of more than ten listeners.
  setMaxListeners(0, runtime.signal)
  const files = [...new Set(paths)]
  const first = begin([])
  const inOrder = new Merge(runtime, first)
  const disorder = await inOrder.read(files.map((path): Part => ({path, at: Number.NEGATIVE_INFINITY})))
  if (disorder === undefined) return {reader: first, cut: inOrder.cut, setBack: undefined}
  const once = files.find((path) => path === '-' || !statSync(path).isFile())
  if (once !== undefined) {
    throw fileFailure(`${disorder.where()} is earlier than the line before it`, {
      why: `${inputName(once)} can be read only once, so its lines cannot be put in order`,
      try: 'save it to a file: roomctl room attendance FILE',
    })
  }
  const index = new Index()
  for (const path of files) await index.read(runtime, path)
  index.close()
  const reader = begin(repeatedOf(index.stretches))
  const merge = new Merge(runtime, reader, true)
  await merge.read(index.parts)
  return {reader, cut: merge.cut, setBack: index.setBack}
}

/** A part of a recording in which no time is earlier than the one before. */
interface Part extends RecordingPart {
  /** The time of its first event. */
  readonly at: number
}

/** The places of files at which their times run backwards. */
class Index {
  readonly parts: Part[] = []
  readonly stretches: Stretch[] = []
  setBack: string | undefined
  /** The part that is being read, the time of its last event, and the run of that. */
  #part: Part | undefined
  #last = Number.NEGATIVE_INFINITY
  #run: string | undefined
  /** Events before which times ran backwards within a run. */
  readonly #backward: {readonly event: RecordedEvent; readonly stretch: Stretch}[] = []
  /** An event does not name its run, or says that the clock was set back. */
  #maySetBack = false

  async read(runtime: Runtime, path: string): Promise<void> {
    this.#run = undefined
    const line = (event: RecordedEvent, byte: number, number: number) => this.#note(path, event, byte, number)
    for await (const _ of eventsOf({path}, runtime, {cut: () => undefined, line}));
    this.#end(Number.POSITIVE_INFINITY)
  }

  /**
   * Version 0.3, which did not name the run in each event, wrote no gap when its clock was set back. Else times run backwards where a copy
   * or a piece of a run begins.
   */
  close(): void {
    if (this.#maySetBack) for (const {event, stretch} of this.#backward) this.#repeat(event, stretch)
  }

  #note(path: string, event: RecordedEvent, byte: number, line: number): void {
    const {after, at, run = this.#run, repeated} = event
    if (repeated) this.#repeat(event, {from: after, to: at})
    if (this.#part && at < this.#last) {
      this.#end(byte)
      if (run === this.#run && !repeated) this.#backward.push({event, stretch: {from: after, to: this.#last}})
    }
    this.#maySetBack ||= event.run === undefined || repeated === true
    this.#part ??= {path, at, bytes: {from: byte, to: byte, line}}
    this.#last = at
    this.#run = run
  }

  #end(to: number): void {
    const {path, at, bytes: {from, line} = {from: 0, line: 0}} = this.#part ?? {path: '', at: 0}
    if (this.#part) this.parts.push({path, at, bytes: {from, to, line}})
    this.#part = undefined
  }

  #repeat(event: RecordedEvent, stretch: Stretch): void {
    this.stretches.push(stretch)
    this.setBack ??= event.where()
  }
}

/** Disjoint stretches, each with how often clocks showed its times. */
function repeatedOf(stretches: readonly Stretch[]): Repeated {
  const limits = [...new Set(stretches.flatMap(({from, to}) => [from, to]))].toSorted((one, other) => one - other)
  return limits.flatMap((from, at) => {
    const to = limits[at + 1] ?? from
    const times = 1 + stretches.filter((one) => one.from <= from && one.to >= to).length
    return to > from && times > 1 ? [{from, to, times}] : []
  })
}

/** A run, and the part that it was last found in. */
interface KnownRun {
  source: Source
  /** The time of its last event, and the longest time between two of them. */
  at: number
  silence: number
}

/** An opened part, and the run of its last event. */
interface Source {
  readonly path: string
  readonly batches: AsyncIterator<RecordedEvent[]>
  /** The events read so far, the next one last. */
  events: RecordedEvent[]
  at: number
  id: string | undefined
  run: KnownRun | undefined
}

/** A watch names its run at least once a minute, so at most this many events precede its name. */
const namelessEvents = 1000

/** A watch writes a line at least once a minute, or with each of its readings. */
const longestSilenceMs = 75_000

/** Merges parts by the times of their events. */
class Merge {
  readonly cut = {lines: 0, first: ''}
  #active: Source[] = []
  readonly #runs = new Map<string, KnownRun>()
  #service: string | undefined

  constructor(
    private readonly runtime: Runtime,
    private readonly reader: EventReader,
    private readonly isOrdered = false,
  ) {}

  /** Returns the first event that is not in order, which ends the reading. */
  async read(parts: readonly Part[]): Promise<RecordedEvent | undefined> {
    const pending = parts.toReversed().toSorted((one, other) => other.at - one.at)
    for (;;) {
      const source = await this.#next(pending)
      const event = source?.events.pop()
      if (!source || !event) return undefined
      if (!this.isOrdered && (event.at < source.at || event.repeated)) {
        for (const {batches} of this.#active) await batches.return?.()
        return event
      }
      await this.#leave(this.#pass(event, source), source)
    }
  }

  /** Reads on behind an event of the run. */
  async #leave(run: object, source: Source): Promise<void> {
    if (source.events.length === 0 && !(await fill(source))) {
      this.#active = this.#active.filter((one) => one !== source)
    }
    const next = source.events.at(-1)
    if (!next || (next.run !== undefined && next.run !== source.id)) this.reader.leave(run)
  }

  /** The source of the next event. Opens the parts that begin before it. */
  async #next(pending: Part[]): Promise<Source | undefined> {
    for (;;) {
      const source = this.#earliest()
      const part = pending.at(-1)
      if (!part || (source && part.at > (source.events.at(-1)?.at ?? 0))) return source
      pending.pop()
      await this.#open(part)
    }
  }

  async #open(part: Part): Promise<void> {
    const cut = (where: string) => {
      this.cut.lines += 1
      this.cut.first ||= where
    }
    const batches = eventsOf(part, this.runtime, {cut})
    const source: Source = {path: part.path, batches, events: [], at: 0, id: undefined, run: undefined}
    if (!(await fill(source))) throw cannotUse(`${inputName(part.path)} has no events`)
    while (source.events.length < namelessEvents && source.events.every(({run}) => run === undefined)) {
      if (!(await fill(source, true))) break
    }
    const named = source.events.findLast(({run}) => run !== undefined)
    // A file that begins within a run, which an earlier version did not name in each line.
    if (named?.event === 'looked') source.id = named.run
    this.#active.push(source)
  }

  #pass(event: RecordedEvent, source: Source): object {
    this.#service ??= event.service
    if ((event.service ?? this.#service) !== this.#service) {
      throw fileFailure(`${event.where()} is of another service than the lines before it`)
    }
    const id = event.run ?? source.id
    let {run} = source
    if (run === undefined || id !== source.id) {
      run = id === undefined ? unseenRun(source) : this.#runOf(id, source, event)
    }
    if (run.at > 0) run.silence = Math.max(run.silence, event.after - run.at)
    run.at = event.at
    source.run = run
    source.id = id
    source.at = event.at
    this.reader.read(event, run)
    return run
  }

  /**
   * A run continues in the next file of a rotation, unless a file is missing between them. In two files at the same time, such as a
   * copy, it counts as two runs.
   */
  #runOf(id: string, source: Source, {after}: RecordedEvent): KnownRun {
    const known = this.#runs.get(id)
    if (known) {
      const next = this.#active.includes(known.source) ? known.source.events.at(-1) : undefined
      if (next && known.source !== source && (next.run ?? known.source.id) === id) return unseenRun(source)
      known.source = source
      if (after - known.at <= Math.max(longestSilenceMs, 1.25 * known.silence)) return known
    }
    const run = unseenRun(source)
    this.#runs.set(id, run)
    return run
  }

  /** At equal times the less specific event first: the end of a run before the sightings of the next. */
  #earliest(): Source | undefined {
    let found: Source | undefined
    let least: RecordedEvent | undefined
    for (const source of this.#active) {
      const event = source.events.at(-1)
      if (!event || (least && (event.at > least.at || (event.at === least.at && event.after >= least.after)))) continue
      found = source
      least = event
    }
    return found
  }
}

function unseenRun(source: Source): KnownRun {
  return {source, at: 0, silence: 0}
}

/** Reads on. Returns whether there is another event. `more`: after those already read. */
async function fill(source: Source, more = false): Promise<boolean> {
  for (;;) {
    const {value, done} = await source.batches.next()
    if (done) return false
    if (value.length === 0) continue
    source.events = more ? [...value.reverse(), ...source.events] : value.reverse()
    return true
  }
}
