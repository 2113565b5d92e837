import type {LogFold} from '../../storage/log/fold.js'
import {
  type Chunk,
  type FinishedEntry,
  isFinished,
  type LedgerEntry,
  type LedgerLine,
  type LedgerRecord,
} from './entry.js'
import {OtherVersion} from './ledgerFailure.js'

/** What the lines of the log come to. An upload that begins again is in two places until it is done. */
export class LedgerState implements LogFold<LedgerLine> {
  /** In the order in which they began. */
  readonly unfinished = new Map<string, LedgerEntry>()
  /** In the order in which they were done, but for those of long ago (finished.ts). */
  readonly finished = new Map<string, FinishedEntry>()
  /** Of these nothing is known that is not in the log. */
  readonly forgotten = new Set<string>()

  restart(): void {
    for (const all of [this.unfinished, this.finished, this.forgotten]) all.clear()
  }

  /** Only an upload that began and is not done goes further. Raises an OtherVersion. */
  take(line: LedgerLine): boolean {
    if (!('id' in line)) throw new OtherVersion()
    const {id} = line
    const began = this.unfinished.get(id)
    if (line.kind === 'forget') {
      const isNews = this.finished.delete(id) || began !== undefined || !this.forgotten.has(id)
      this.unfinished.delete(id)
      this.forgotten.add(id)
      return isNews
    }
    if (line.kind === 'entry') {
      const {v: _, kind: __, ...entry} = line
      // One that starts over stands at the end, too.
      this.unfinished.delete(id)
      this.#put(entry)
    } else if (line.kind === 'withdrawn') this.unfinished.delete(id)
    else if (began) this.#put(changed(began, line))
    return line.kind === 'entry' || began !== undefined
  }

  #put(entry: LedgerEntry): void {
    if (!isFinished(entry)) {
      this.unfinished.set(entry.id, entry)
      return
    }
    this.unfinished.delete(entry.id)
    this.finished.delete(entry.id)
    this.finished.set(entry.id, entry)
  }
}

type Progress = Exclude<LedgerRecord, {kind: 'entry' | 'withdrawn' | 'forget'}>

function changed(entry: LedgerEntry, record: Progress): LedgerEntry {
  const {inFlight = [], creating: _, ...rest} = {...entry, updatedAt: record.at}
  switch (record.kind) {
    case 'created':
      return {...rest, ...onItsWay(inFlight), url: record.url}
    case 'sending':
      return {
        ...rest,
        ...onItsWay([...inFlight.filter(({from, to}) => from !== record.from || to !== record.to), chunkOf(record)]),
      }
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

/** The acknowledged parts with another. What was acknowledged before it holds without a record; a service that went back lost the rest. */
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
