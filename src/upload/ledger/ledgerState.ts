import type {Chunk, LedgerEntry} from './entry.js'
import {type LedgerRecord, lineOf, readLine} from './ledgerRecord.js'

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
      // One that begins anew stands at the end, too.
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
  const {inFlight, ...rest} = {...entry, updatedAt: record.at}
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
