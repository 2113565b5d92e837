import {createHash} from 'node:crypto'
import * as z from 'zod/mini'
import {platforms} from '../../api/contract/assetShapes.js'
import {logStart} from '../../storage/log/line.js'
import type {LogFold, LogForm} from '../../storage/log/log.js'
import {algorithms, type UploadJob, unstamped} from '../model/job.js'

const text = z.string()
const optionalText = z.exactOptional(text)
const idShape = text.check(z.regex(/^[\w-]{1,64}$/u))
const offset = z.int().check(z.nonnegative())

const range = {from: offset, to: offset, digest: optionalText}
const isRange = z.refine<{from: number; to: number}>(({from, to}) => from <= to)
const chunkShape = z.object(range).check(isRange)

/** Part of a file, `from` up to but not including `to`; `digest` (base64, of the entry's algorithm) proves its content. */
export type Chunk = Readonly<z.output<typeof chunkShape>>

/** The file's identity on this machine; if it differs, the digests decide. */
const stampShape = z.object({ino: text, mtimeNs: text, ctimeNs: text})
export type FileStamp = Readonly<z.output<typeof stampShape>>

const ending = {uuid: text, sha256: z.nullable(text)}
const doneShape = z.object({...ending, at: text})

/** In 0.2 it was one chunk. */
const earlierInFlight = z.pipe(
  chunkShape,
  z.transform((chunk) => [chunk]),
)

const target = {
  /** Origin and path of the service's base address. */
  base: text,
  container: text,
  name: text,
  platform: z.enum(platforms),
  description: text,
  link: optionalText,
}

const entry = {
  /** Derived from the target, the size and the content; 16 hex digits. */
  id: idShape,
  ...target,
  /** Absolute path on the machine that began it. */
  path: text,
  size: offset,
  /** A digest of the size and of samples of the file: cheap to take before the first byte, and no proof by itself. */
  sample: text,
  stamp: stampShape,
  /** ISO 8601 UTC. */
  begunAt: text,
  updatedAt: text,
  /** The upload's address, absolute; absent until the service gave it. */
  url: optionalText,
  /** Its creation was asked for without a certain answer: the service may have it. */
  creating: z.exactOptional(z.literal(true)),
  /** The algorithm of the chunks' digests. */
  algorithm: z.exactOptional(z.enum(algorithms)),
  /** The acknowledged parts, in order, without gaps from 0. */
  acked: z.array(chunkShape),
  /** Parts sent since, in order; the service may have all, some or none. */
  inFlight: z.exactOptional(z.union([z.array(chunkShape), earlierInFlight])),
  done: z.exactOptional(doneShape),
}

/** One upload in the ledger. Never contains a credential. */
export type LedgerEntry = Readonly<z.output<z.ZodMiniObject<typeof entry>>>

/** Two uploads with the same target put the same file in the same place. */
export type UploadTarget = Pick<LedgerEntry, keyof typeof target>

const event = {id: idShape, at: text}
const recordShape = z.discriminatedUnion('kind', [
  /** An upload as a whole: one that begins, or one that was tidied up. Takes the place of an entry of the same id. */
  z.object({kind: z.literal('entry'), ...entry}),
  z.object({kind: z.literal('created'), ...event, url: text}),
  z.object({kind: z.literal('sending'), ...event, ...range}).check(isRange),
  z.object({kind: z.literal('acked'), ...event, ...range}).check(isRange),
  z.object({kind: z.literal('done'), ...event, ...ending}),
  /** Its creation was certainly refused: restores the state before it. */
  z.object({kind: z.literal('withdrawn'), ...event}),
  z.object({kind: z.literal('forget'), ...event}),
  /** Damaged lines were tidied up: of some upload something is no longer known. */
  z.object({kind: z.literal('lost'), at: text}),
])

/** An event of the log, one line of the ledger. `at`: ISO 8601 UTC. */
export type LedgerRecord = Readonly<z.output<typeof recordShape>>

const finishedShape = z.object({place: text, ...entry, done: doneShape})

/** A line of a file of finished uploads (finished.ts). */
export type FinishedLine = Readonly<z.output<typeof finishedShape>>

/** The log of the ledger, and its files of finished uploads. At most 500 MiB each: half a million uploads. */
const maxBytes = 500 * 1024 * 1024
export const logForm: LogForm<LedgerRecord> = {shape: recordShape, maxBytes}
export const finishedForm: LogForm<FinishedLine> = {shape: finishedShape, maxBytes, isSynced: true}

export const ledgerLineStart = logStart('"kind":"\\w+","id":"')

export type FinishedEntry = LedgerEntry & {readonly done: NonNullable<LedgerEntry['done']>}

export type NewEntry = Omit<LedgerEntry, 'id' | 'begunAt' | 'updatedAt' | 'acked' | 'inFlight' | 'done' | 'url'>

export function isFinished(entry: LedgerEntry): entry is FinishedEntry {
  return entry.done !== undefined
}

/** Origin and path of a service's base address, without a slash at the end, as the ledger has it. */
export function baseText(base: URL): string {
  return `${base.origin}${base.pathname.replace(/\/+$/u, '')}`
}

export function targetOf({container, name, platform, description, link}: UploadJob, base: URL): UploadTarget {
  const target = {base: baseText(base), container, name, platform, description}
  return link === undefined ? target : {...target, link}
}

/** 16 hex digits: the same for the same content under the same name in the same place, on any machine. `sample`: files/localFile.ts. */
export function entryId(target: UploadTarget, size: number, sample: string): string {
  return createHash('sha256')
    .update(JSON.stringify([...factsOf(target), size, sample]))
    .digest('hex')
    .slice(0, 16)
}

/** The stamp of a description is of the content, and does not distinguish targets. */
export function sameTarget(one: UploadTarget, other: UploadTarget): boolean {
  const [facts, others] = [one, other].map((target) => factsOf({...target, description: unstamped(target.description)}))
  return facts?.every((fact, at) => fact === others?.[at]) ?? false
}

function factsOf({base, container, name, platform, description, link}: UploadTarget) {
  return [base, container, name, platform, description, link ?? null]
}

/** An upload as the results show it: without its digests and without the upload's address. */
export type UploadEntryRow = ReturnType<typeof entryRow>

export function entryRow(entry: LedgerEntry) {
  const {id, name, container, platform, description, link, size, begunAt, updatedAt, path, base, done} = entry
  const acked = done ? size : (entry.acked.at(-1)?.to ?? 0)
  return {
    id,
    file: name,
    container,
    platform,
    description,
    /** Asset_Resource_File_Id; null if none was sent. */
    link: link ?? null,
    /** Bytes that the service acknowledged, and those of the file. */
    acked,
    bytes: size,
    /** Rounded down: 100 is all of it. */
    percent: size === 0 ? Number(done !== undefined) * 100 : Math.floor((acked / size) * 100),
    begun_at: begunAt,
    updated_at: updatedAt,
    /** The path of the file on the machine that started it. */
    path,
    /** The address of its service. */
    service: base,
    state: done ? ('done' as const) : ('unfinished' as const),
    uuid: done?.uuid ?? null,
    sha256: done?.sha256 ?? null,
  }
}

/** The state of the log. An upload that starts again is in two places until it is finished. */
export class LedgerState implements LogFold<LedgerRecord> {
  /** In the order in which they began. */
  readonly unfinished = new Map<string, LedgerEntry>()
  /** In the order of finishing, except archived ones (finished.ts). */
  readonly finished = new Map<string, FinishedEntry>()
  /** Of these nothing is known that is not in the log. */
  readonly forgotten = new Set<string>()
  /** Damaged lines were tidied up. */
  hasLost = false

  restart(): void {
    this.hasLost = false
    for (const all of [this.unfinished, this.finished, this.forgotten]) all.clear()
  }

  take(line: LedgerRecord): boolean {
    if (line.kind === 'lost') {
      this.hasLost = true
      return true
    }
    const {id} = line
    const began = this.unfinished.get(id)
    if (line.kind === 'forget') {
      const isNews = this.finished.delete(id) || began !== undefined || !this.forgotten.has(id)
      this.unfinished.delete(id)
      this.forgotten.add(id)
      return isNews
    }
    if (line.kind === 'entry') {
      const {kind: _, ...entry} = line
      // One that starts over is at the end, too.
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

type Progress = Exclude<LedgerRecord, {kind: 'entry' | 'withdrawn' | 'forget' | 'lost'}>

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

/** Adds an acknowledged part. Earlier bytes count without a record; a smaller offset means that the service lost the rest. */
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
