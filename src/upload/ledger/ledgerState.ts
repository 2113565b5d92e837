import {
  type Chunk,
  type FinishedEntry,
  isFinished,
  type LedgerEntry,
  type LedgerRecord,
  lineOf,
  readRecord,
  type UploadTarget,
} from './entry.js'
import {type FinishedRow, FinishedUploads, targetHash} from './finished.js'

const blockLength = 2 ** 20

/** An upload that is not done, and the lines that told of it, as their offsets. */
interface Begun {
  readonly entry: LedgerEntry
  readonly row: FinishedRow
}

/** What an index keeps of a state beside the rows of what is done. */
export interface StateSummary {
  readonly lines: number
  readonly begun: readonly Begun[]
  readonly others: readonly FinishedRow[]
}

/** The index does not tell of this ledger. */
export class IndexMismatch extends Error {}

/**
 * What the lines of a ledger come to, one after the other (event sourcing: the state is the fold of the events). Of what is done
 * it holds where the lines are, and reads them again for whoever asks.
 */
export class LedgerState {
  readonly #lineAt: (offset: number) => string
  #finished = new FinishedUploads()
  /** The uploads that are not done: few, among many that are. */
  readonly #begun = new Map<string, Begun>()
  #lines = 0
  readonly #damaged: number[] = []

  /** `lineAt`: the line of the ledger at an offset, without its line break. */
  constructor(lineAt: (offset: number) => string) {
    this.#lineAt = lineAt
  }

  /** The numbers of the lines that are no record, or are of an upload that no line before them began. */
  get damaged(): readonly number[] {
    return this.#damaged
  }

  /**
   * Whether there are many more lines than the entries come to (an upload of one part has five), or some that say nothing: a log to
   * be compacted.
   */
  get isUntidy(): boolean {
    return (
      this.#damaged.length > 0 || (this.#lines > 1000 && this.#lines > 6 * (this.#finished.size + this.#begun.size))
    )
  }

  /** A line, and its offset; a blank one is nothing. Raises an OtherVersion. */
  take(line: string, at: number): void {
    const record = line === '' ? undefined : readRecord(line)
    if (record) this.apply(record, at)
    else {
      this.#lines += 1
      if (line !== '') this.#damaged.push(this.#lines)
    }
  }

  /** The record of the line at an offset. */
  apply(record: LedgerRecord, at: number): void {
    this.#lines += 1
    if (!this.#isApplied(record, at)) this.#damaged.push(this.#lines)
  }

  find(id: string): LedgerEntry | undefined {
    const begun = this.#begun.get(id)
    const row = begun ? undefined : this.#finished.find(id)
    return row ? this.#read(row) : begun?.entry
  }

  /** The offset of the line that told of the end of an upload. */
  doneAt(id: string): number | undefined {
    const row = this.#finished.find(id)
    return row?.done ?? row?.entry
  }

  /** The entries in the order in which they began, of what is done the newest of them. */
  list(newest = Number.POSITIVE_INFINITY): LedgerEntry[] {
    return [...this.#entries(newest)]
  }

  /** The uploads that are not done, in the order in which they began. */
  unfinished(): LedgerEntry[] {
    return [...this.#begun.values()].map(({entry}) => entry)
  }

  /** What was uploaded under the names of these targets, the oldest first. */
  finishedAs(targets: readonly Pick<UploadTarget, 'base' | 'container' | 'name'>[]): FinishedEntry[] {
    const wanted = new Set(targets.map(placeText))
    const rows = this.#finished.placedIn(new Set(targets.map(targetHash)))
    return rows.map((row) => this.#read(row)).filter((entry) => wanted.has(placeText(entry)))
  }

  startingWith(prefix: string): LedgerEntry[] {
    const begun = this.unfinished().filter(({id}) => id.startsWith(prefix))
    return [...this.#finished.startingWith(prefix).map((row) => this.#read(row)), ...begun]
  }

  /** The ids of uploads, of finished ones those that begin so. */
  ids(prefix: string): string[] {
    return [...this.#finished.startingWith(prefix).map(({id}) => id), ...this.#begun.keys()]
  }

  /** The fewest lines that come to the same, with their line breaks, in blocks that are worth a write. */
  *compacted(): Generator<Buffer> {
    let block = ''
    for (const entry of this.#entries()) {
      block += lineOf({kind: 'entry', ...entry})
      if (block.length < blockLength) continue
      yield Buffer.from(block)
      block = ''
    }
    yield Buffer.from(block)
  }

  /** What `restore` makes the same of again. */
  packed(): {summary: StateSummary; rows: Uint32Array} {
    const {rows, others} = this.#finished.packed()
    return {summary: {lines: this.#lines, begun: [...this.#begun.values()], others}, rows}
  }

  /** The state that an index tells of, in the place of an empty one. */
  restore({lines, begun, others}: StateSummary, rows: Uint32Array): void {
    this.#lines = lines
    for (const one of begun) this.#begun.set(one.entry.id, one)
    this.#finished = new FinishedUploads(rows, others)
  }

  *#entries(newest = Number.POSITIVE_INFINITY): Generator<LedgerEntry> {
    const finished = this.#finished.all()
    const rows = [
      ...finished.slice(Math.max(0, finished.length - newest)),
      ...[...this.#begun.values()].map(({row}) => row),
    ]
    for (const row of rows.sort((one, other) => one.entry - other.entry)) {
      yield this.#begun.get(row.id)?.entry ?? this.#read(row)
    }
  }

  /** Whether the record follows what came before it: only an upload that began and is not done goes further. */
  #isApplied(record: LedgerRecord, at: number): boolean {
    const {id} = record
    const begun = this.#begun.get(id)
    if (record.kind === 'entry') {
      const {kind: _, ...entry} = record
      // One that starts over stands at the end, too.
      this.#drop(id)
      this.#put(entry, {id, place: targetHash(entry), entry: at})
      return true
    }
    const isKnown = begun !== undefined || (record.kind === 'forget' && this.#finished.find(id) !== undefined)
    if (record.kind === 'forget') this.#drop(id)
    else if (begun) this.#put(changed(begun.entry, record), lineAdded(begun.row, record, at))
    return isKnown
  }

  #put(entry: LedgerEntry, row: FinishedRow): void {
    if (!entry.done) {
      this.#begun.set(entry.id, {entry, row})
      return
    }
    this.#begun.delete(entry.id)
    this.#finished.put(row)
  }

  #drop(id: string): void {
    this.#begun.delete(id)
    this.#finished.drop(id)
  }

  /** The entry of an upload that is done. Raises an IndexMismatch where its lines are not what they were. */
  #read({id, entry: first, created = first, done = first, parts = []}: FinishedRow): FinishedEntry {
    const offsets = new Set([first, created, ...parts, done])
    let entry: LedgerEntry | undefined
    for (const at of [...offsets].sort((one, other) => one - other)) {
      const record = readRecord(this.#lineAt(at))
      if (record?.id !== id) throw new IndexMismatch()
      if (record.kind === 'entry') {
        const {kind: _, ...whole} = record
        entry = whole
      } else if (entry && record.kind !== 'forget') entry = changed(entry, record)
    }
    if (!entry || !isFinished(entry)) throw new IndexMismatch()
    return entry
  }
}

function placeText({base, container, name}: Pick<UploadTarget, 'base' | 'container' | 'name'>): string {
  return JSON.stringify([base, container, name])
}

/** The lines of an upload with another one. */
function lineAdded(row: FinishedRow, {kind}: Progress, at: number): FinishedRow {
  if (kind === 'created') return {...row, created: at}
  if (kind === 'done') return {...row, done: at}
  // What was on its way is not, once the upload is done.
  return kind === 'acked' ? {...row, parts: [...(row.parts ?? []), at]} : row
}

type Progress = Exclude<LedgerRecord, {kind: 'entry' | 'forget'}>

function changed(entry: LedgerEntry, record: Progress): LedgerEntry {
  const {inFlight = [], creating: _, ...rest} = {...entry, updatedAt: record.at}
  switch (record.kind) {
    case 'created':
      return {...rest, ...onItsWay(inFlight), url: record.url}
    case 'sending':
      return {...rest, ...onItsWay([...inFlight.filter((part) => !isSameRange(part, record)), chunkOf(record)])}
    case 'acked':
      return {
        ...rest,
        acked: acknowledged(entry.acked, record),
        ...onItsWay(inFlight.filter(({to}) => to > record.to)),
      }
    case 'done':
      return {...rest, done: {uuid: record.uuid, sha256: record.sha256, at: record.at}}
  }
}

function onItsWay(inFlight: Chunk[]): Pick<LedgerEntry, 'inFlight'> {
  return inFlight.length === 0 ? {} : {inFlight}
}

function isSameRange(one: Chunk, other: Chunk): boolean {
  return one.from === other.from && one.to === other.to
}

/**
 * The acknowledged parts with another at the end. What the service acknowledged before it stands even where its record was lost;
 * a service that went back has lost what came after.
 */
function acknowledged(acked: readonly Chunk[], chunk: Chunk): Chunk[] {
  const isBefore = (acked.at(-1)?.to ?? 0) <= chunk.from
  const kept = isBefore ? [...acked] : acked.filter(({from}) => from < chunk.from).map((part) => cut(part, chunk.from))
  const end = kept.at(-1)?.to ?? 0
  if (end < chunk.from) kept.push({from: end, to: chunk.from})
  if (chunk.to > chunk.from) kept.push(chunkOf(chunk))
  return kept
}

/** A part as far as `end`; its digest is of more than that. */
function cut(part: Chunk, end: number): Chunk {
  return part.to > end ? {from: part.from, to: end} : part
}

function chunkOf({from, to, digest}: Chunk): Chunk {
  return digest === undefined ? {from, to} : {from, to, digest}
}
