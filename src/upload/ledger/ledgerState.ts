import {platforms} from '../../api/contract/asset.js'
import {algorithms} from '../model/job.js'
import type {Chunk, LedgerEntry} from './entry.js'

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
const event = {id: isId, at: isText}

const shapes: Readonly<Record<string, Check>> = {
  entry: shaped({
    ...{id: isId, base: isText, container: isText, name: isText, platform: isOneOf(platforms), description: isText},
    ...{link: optional(isText), path: isText, size: isOffset, sample: isText, begunAt: isText, updatedAt: isText},
    stamp: shaped({ino: isText, mtimeNs: isText, ctimeNs: isText}),
    url: optional(isText),
    creating: optional((value) => value === true),
    algorithm: optional(isOneOf(algorithms)),
    acked: (value) => Array.isArray(value) && value.every(isChunk),
    inFlight: optional(isChunk),
    done: optional(shaped({uuid: isText, sha256, at: isText})),
  }),
  created: shaped({...event, url: isText}),
  sending: (value) => shaped(event)(value) && isChunk(value),
  acked: (value) => shaped(event)(value) && isChunk(value),
  done: shaped({...event, uuid: isText, sha256}),
  forget: shaped(event),
}

/** What the lines of a ledger come to, one after the other (event sourcing: the state is the fold of the events). */
export class LedgerState {
  readonly #entries = new Map<string, LedgerEntry>()
  /** The uploads that are not done: few, among many that are. */
  readonly #unfinished = new Map<string, LedgerEntry>()
  /** Lines of a newer version, and of uploads that are not known, which may belong to them. */
  readonly #foreign: string[] = []
  #lines = 0
  #damaged = 0

  /** How many lines said nothing. */
  get damaged(): number {
    return this.#damaged
  }

  /** Whether there are many more lines than the entries come to, or some that say nothing: a log to be compacted. */
  get isUntidy(): boolean {
    return this.#damaged > 0 || (this.#lines > 1000 && this.#lines > 3 * this.#entries.size)
  }

  take(line: string): void {
    this.#lines += 1
    const record = readLine(line)
    if (record === 'damaged') this.#damaged += 1
    else if (record === 'foreign') this.#foreign.push(line)
    else if (!this.#apply(record) && this.#foreign.length > 0) this.#foreign.push(line)
  }

  find(id: string): LedgerEntry | undefined {
    return this.#entries.get(id)
  }

  /** All entries, in the order in which they began. */
  list(): LedgerEntry[] {
    return [...this.#entries.values()]
  }

  /** The uploads that are not done, in the order in which they began. */
  unfinished(): LedgerEntry[] {
    return [...this.#unfinished.values()]
  }

  /** The fewest lines that come to the same. */
  lines(): string {
    const entries = this.list().map((entry) => lineOf({kind: 'entry', ...entry}))
    return [...entries, ...this.#foreign.map((line) => `${line}\n`)].join('')
  }

  /** Whether the record was of an upload that is known, or made one so. */
  #apply(record: LedgerRecord): boolean {
    if (record.kind === 'entry') {
      const {kind: _, ...entry} = record
      // One that starts over stands at the end, too.
      this.#drop(entry.id)
      this.#put(entry)
      return true
    }
    const entry = this.#entries.get(record.id)
    if (!entry) return false
    if (record.kind === 'forget') this.#drop(record.id)
    else this.#put(changed(entry, record))
    return true
  }

  #put(entry: LedgerEntry): void {
    this.#entries.set(entry.id, entry)
    if (entry.done) this.#unfinished.delete(entry.id)
    else this.#unfinished.set(entry.id, entry)
  }

  #drop(id: string): void {
    this.#entries.delete(id)
    this.#unfinished.delete(id)
  }
}

function changed(entry: LedgerEntry, record: Exclude<LedgerRecord, {kind: 'entry' | 'forget'}>): LedgerEntry {
  const {inFlight, creating: _, ...rest} = {...entry, updatedAt: record.at}
  const onItsWay = inFlight && {inFlight}
  switch (record.kind) {
    case 'created':
      return {...rest, ...onItsWay, url: record.url}
    case 'sending':
      return {...rest, inFlight: chunkOf(record)}
    case 'acked':
      return {
        ...rest,
        acked: acknowledged(entry.acked, record),
        ...(inFlight && record.to < inFlight.to ? onItsWay : {}),
      }
    case 'done':
      return {...rest, done: {uuid: record.uuid, sha256: record.sha256, at: record.at}}
  }
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
