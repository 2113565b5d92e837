import type {Chunk, LedgerEntry} from './entry.js'
import {type LedgerRecord, lineOf} from './ledgerRecord.js'

type Growing = {-readonly [K in keyof LedgerEntry]: LedgerEntry[K]} & {acked: Chunk[]}

/** Lines stay below this, so that any system writes one at once. */
const longLine = 4000

/** What the lines of a ledger come to, one after the other. A record of an upload that is not known tells nothing. */
export class Folded {
  readonly #entries = new Map<string, Growing>()
  /** The uploads that are not done: few, among many that are. */
  readonly #unfinished = new Map<string, Growing>()

  get size(): number {
    return this.#entries.size
  }

  /** Whether the record was of an upload that is known, or made one so. */
  take(record: LedgerRecord): boolean {
    if (record.kind === 'entry') return this.#put({...record.entry, acked: [...record.entry.acked]})
    if (record.kind === 'forget') return this.#drop(record.id)
    const entry = this.#entries.get(record.id)
    if (entry) change(entry, record)
    if (record.kind === 'done') this.#unfinished.delete(record.id)
    return entry !== undefined
  }

  /** An entry as it is now; it does not change with the ledger. */
  find(id: string): LedgerEntry | undefined {
    const entry = this.#entries.get(id)
    return entry && copyOf(entry)
  }

  /** All entries, in the order in which they began. */
  list(): LedgerEntry[] {
    return [...this.#entries.values()].map(copyOf)
  }

  /** The uploads that are not done and that `wanted` is true for, in the order in which they began. */
  unfinished(wanted: (entry: LedgerEntry) => boolean): LedgerEntry[] {
    return [...this.#unfinished.values()].filter(wanted).map(copyOf)
  }

  /** The fewest lines that come to the same. */
  *lines(): Generator<string> {
    for (const entry of this.#entries.values()) {
      const line = lineOf({kind: 'entry', entry})
      if (line.length <= longLine || entry.acked.length === 0) yield line
      else yield* severalLines(entry)
    }
  }

  /** At the end, also where it was known before. */
  #put(entry: Growing): true {
    this.#drop(entry.id)
    this.#entries.set(entry.id, entry)
    if (!entry.done) this.#unfinished.set(entry.id, entry)
    return true
  }

  #drop(id: string): boolean {
    this.#unfinished.delete(id)
    return this.#entries.delete(id)
  }
}

function copyOf(entry: Growing): LedgerEntry {
  return {...entry, acked: [...entry.acked]}
}

function* severalLines(entry: LedgerEntry): Generator<string> {
  const {id, updatedAt: at, acked, done} = entry
  const {inFlight, done: _, ...bare} = entry
  yield lineOf({kind: 'entry', entry: {...bare, acked: []}})
  for (const chunk of acked) yield lineOf({kind: 'acked', id, at, chunk})
  if (inFlight) yield lineOf({kind: 'sending', id, at, chunk: inFlight})
  if (done) yield lineOf({kind: 'done', id, ...done})
}

function change(entry: Growing, record: Exclude<LedgerRecord, {kind: 'entry' | 'forget'}>): void {
  entry.updatedAt = record.at
  if (record.kind === 'created') {
    entry.url = record.url
  } else if (record.kind === 'sending') {
    entry.inFlight = record.chunk
  } else if (record.kind === 'acked') {
    acknowledge(entry, record.chunk)
  } else {
    delete entry.inFlight
    entry.done = {uuid: record.uuid, sha256: record.sha256, at: record.at}
  }
}

/**
 * Puts an acknowledged chunk at the end. What the service acknowledged before it stands even where its record was lost; a
 * service that went back has lost what came after.
 */
function acknowledge(entry: Growing, chunk: Chunk): void {
  const {acked, inFlight} = entry
  let last = acked.at(-1)
  while (last && last.to > chunk.from) {
    acked.pop()
    if (last.from < chunk.from) acked.push({from: last.from, to: chunk.from})
    last = acked.at(-1)
  }
  const end = last?.to ?? 0
  if (end < chunk.from) acked.push({from: end, to: chunk.from})
  if (chunk.to > chunk.from) acked.push(chunk)
  if (inFlight && chunk.to >= inFlight.to) delete entry.inFlight
}
