import {platforms} from '../../api/contract/assetShapes.js'
import {algorithms} from '../model/job.js'
import {type Chunk, type FinishedEntry, isFinished, type LedgerEntry, type UploadTarget} from './entry.js'
import {type FinishedRow, FinishedUploads, targetHash} from './finished.js'

/** An event of the log, one line of the ledger. `at`: ISO 8601 UTC. */
export type LedgerRecord =
  /** An upload as a whole: one that begins, or one that was tidied up. Takes the place of an entry of the same id. */
  | ({readonly kind: 'entry'} & LedgerEntry)
  | {readonly kind: 'created'; readonly id: string; readonly at: string; readonly url: string}
  | ({readonly kind: 'sending' | 'acked'; readonly id: string; readonly at: string} & Chunk)
  | {
      readonly kind: 'done'
      readonly id: string
      readonly at: string
      readonly uuid: string
      readonly sha256: string | null
    }
  | {readonly kind: 'forget'; readonly id: string; readonly at: string}

/** What the lines of this version say of themselves. */
const version = 1

/** How the file of a ledger begins, of whatever version. */
export const ledgerLineStart = /^\{"v":\d+,"kind":"\w+","id":"/u

/** A record as its line, with the line break. JSON has no line break inside a line, whatever the names hold. */
export function lineOf(record: LedgerRecord): string {
  return `${JSON.stringify({v: version, ...record})}\n`
}

/** The record of a line; `foreign` for one that a newer version wrote, `damaged` for one that nobody did. */
export function readLine(line: string): LedgerRecord | 'foreign' | 'damaged' {
  const value = parsed(line)
  if (!isObject(value) || typeof value.kind !== 'string' || typeof value.v !== 'number') return 'damaged'
  const {v, ...record} = value
  const shape = Object.hasOwn(shapes, value.kind) ? shapes[value.kind] : undefined
  if (v !== version || !shape) return 'foreign'
  // The shape has looked at every member of it.
  return shape(record) ? (record as unknown as LedgerRecord) : 'damaged'
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

type Check = (value: unknown) => boolean

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Check = (value) => typeof value === 'string'
const isId: Check = (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
const isOffset: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isOneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const shaped =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]))

const sha256 = (value: unknown) => value === null || isText(value)
const range = {from: isOffset, to: isOffset, digest: optional(isText)}
const isChunk: Check = (value) => shaped(range)(value) && isObject(value) && Number(value.to) >= Number(value.from)
const isChunks: Check = (value) => Array.isArray(value) && value.every(isChunk)
const event = {id: isId, at: isText}

const shapes: Readonly<Record<string, Check>> = {
  entry: shaped({
    ...{id: isId, base: isText, container: isText, name: isText, platform: isOneOf(platforms), description: isText},
    ...{link: optional(isText), path: isText, size: isOffset, sample: isText, begunAt: isText, updatedAt: isText},
    stamp: shaped({ino: isText, mtimeNs: isText, ctimeNs: isText}),
    url: optional(isText),
    creating: optional((value) => value === true),
    algorithm: optional(isOneOf(algorithms)),
    acked: isChunks,
    inFlight: optional(isChunks),
    done: optional(shaped({uuid: isText, sha256, at: isText})),
  }),
  created: shaped({...event, url: isText}),
  sending: (value) => shaped(event)(value) && isChunk(value),
  acked: (value) => shaped(event)(value) && isChunk(value),
  done: shaped({...event, uuid: isText, sha256}),
  forget: shaped(event),
}

/** An upload that is not done, and the lines that told of it, as their offsets. */
interface Begun {
  readonly entry: LedgerEntry
  readonly row: FinishedRow
}

/** What an index keeps of a state beside the rows of what is done. */
export interface StateSummary {
  readonly lines: number
  readonly foreign: readonly number[]
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
  /** Lines of a newer version, and of uploads that are not known, which may belong to them. */
  readonly #foreign: number[] = []
  #lines = 0
  #damaged = 0

  /** `lineAt`: the line of the ledger at an offset, without its line break. */
  constructor(lineAt: (offset: number) => string) {
    this.#lineAt = lineAt
  }

  /** How many lines said nothing. */
  get damaged(): number {
    return this.#damaged
  }

  /**
   * Whether there are many more lines than the entries come to (an upload of one part has five), or some that say nothing: a log to
   * be compacted.
   */
  get isUntidy(): boolean {
    return this.#damaged > 0 || (this.#lines > 1000 && this.#lines > 6 * (this.#finished.size + this.#begun.size))
  }

  /** A line, and its offset. */
  take(line: string, at: number): void {
    const record = readLine(line)
    if (typeof record === 'object') {
      this.apply(record, at)
      return
    }
    this.#lines += 1
    if (record === 'damaged') this.#damaged += 1
    else this.#foreign.push(at)
  }

  /** The record of the line at an offset. */
  apply(record: LedgerRecord, at: number): void {
    this.#lines += 1
    if (!this.#apply(record, at) && this.#foreign.length > 0) this.#foreign.push(at)
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

  /** The fewest lines that come to the same, with their line breaks. */
  *compacted(): Generator<string> {
    for (const entry of this.#entries()) yield lineOf({kind: 'entry', ...entry})
    for (const at of this.#foreign) yield `${this.#lineAt(at)}\n`
  }

  /** What `restore` makes the same of again. */
  packed(): {summary: StateSummary; rows: Uint32Array} {
    const {rows, others} = this.#finished.packed()
    return {summary: {lines: this.#lines, foreign: this.#foreign, begun: [...this.#begun.values()], others}, rows}
  }

  /** The state that an index tells of, in the place of an empty one. */
  restore({lines, foreign, begun, others}: StateSummary, rows: Uint32Array): void {
    this.#lines = lines
    this.#foreign.push(...foreign)
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

  /** Whether the record was of an upload that is known, or made one so. */
  #apply(record: LedgerRecord, at: number): boolean {
    const {id} = record
    if (record.kind === 'entry') {
      const {kind: _, ...entry} = record
      // One that starts over stands at the end, too.
      this.#drop(id)
      this.#put(entry, {id, place: targetHash(entry), entry: at})
      return true
    }
    const begun = this.#begun.get(id)
    const row = begun ? undefined : this.#finished.find(id)
    if (!row && !begun) return false
    if (record.kind === 'forget') this.#drop(id)
    else if (row) this.#finished.put(lineAdded(row, record, at))
    else if (begun) this.#put(changed(begun.entry, record), lineAdded(begun.row, record, at))
    return true
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
      const record = readLine(this.#lineAt(at))
      if (typeof record === 'string' || record.id !== id) throw new IndexMismatch()
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

function onItsWay(inFlight: readonly Chunk[]): Pick<LedgerEntry, 'inFlight'> {
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
