import {createHash} from 'node:crypto'
import type {Platform} from '../../api/contract/assetShapes.js'
import type {Algorithm, UploadJob} from '../model/job.js'
import {unstamped} from '../model/stamp.js'

/** Part of a file, `from` up to but not including `to`; `digest` (base64, of the entry's algorithm) proves its content. */
export interface Chunk {
  readonly from: number
  readonly to: number
  readonly digest?: string
}

/** What tells that a file on this machine was not touched; where it differs, the digests decide. */
export interface FileStamp {
  readonly ino: string
  readonly mtimeNs: string
  readonly ctimeNs: string
}

/** Where an upload goes and what is said of it: two uploads with the same target put the same file in the same place. */
export interface UploadTarget {
  /** Origin and path of the service's base address. */
  readonly base: string
  readonly container: string
  readonly name: string
  readonly platform: Platform
  readonly description: string
  readonly link?: string
}

/** One upload as the ledger knows it. Never holds a credential. */
export interface LedgerEntry extends UploadTarget {
  /** Made of the target, the size and the content; 16 hex digits. */
  readonly id: string
  /** Absolute path on the machine that began it. */
  readonly path: string
  readonly size: number
  /** A digest of the size and of samples of the file: cheap to take before the first byte, and no proof by itself. */
  readonly sample: string
  readonly stamp: FileStamp
  /** ISO 8601 UTC. */
  readonly begunAt: string
  readonly updatedAt: string
  /** The upload's address, absolute; absent until the service gave it. */
  readonly url?: string
  /** Its creation was asked for, and what came of that is not known: the service may have it. */
  readonly creating?: true
  /** The algorithm of the chunks' digests. */
  readonly algorithm?: Algorithm
  /** What the service acknowledged, in order, without gaps from 0. */
  readonly acked: readonly Chunk[]
  /** Was sent since, in this order; the service may have all, some or nothing of it. */
  readonly inFlight?: readonly Chunk[]
  readonly done?: {readonly uuid: string; readonly sha256: string | null; readonly at: string}
}

/** An upload that the service has whole. */
export type FinishedEntry = LedgerEntry & {readonly done: NonNullable<LedgerEntry['done']>}

/** What is known of an upload when it begins. */
export type NewEntry = Omit<LedgerEntry, 'id' | 'begunAt' | 'updatedAt' | 'acked' | 'inFlight' | 'done' | 'url'>

export function isFinished(entry: LedgerEntry): entry is FinishedEntry {
  return entry.done !== undefined
}

/** Origin and path of a service's base address, without a slash at the end, as the ledger has it. */
export function baseText(base: URL): string {
  return `${base.origin}${base.pathname.replace(/\/+$/u, '')}`
}

/** Where a job puts its file, and what it says of it. */
export function targetOf({container, name, platform, description, link}: UploadJob, base: URL): UploadTarget {
  const target = {base: baseText(base), container, name, platform, description}
  return link === undefined ? target : {...target, link}
}

/**
 * The id of an upload, 16 hex digits: the same for the same content under the same name in the same place, whatever path and
 * machine it comes from. `sample`: see source/fileProof.ts.
 */
export function entryId(target: UploadTarget, size: number, sample: string): string {
  return createHash('sha256')
    .update(JSON.stringify([...factsOf(target), size, sample]))
    .digest('hex')
    .slice(0, 16)
}

/** The stamp of a description is of the content, and does not tell targets apart. */
export function sameTarget(one: UploadTarget, other: UploadTarget): boolean {
  const [facts, others] = [one, other].map((target) => factsOf({...target, description: unstamped(target.description)}))
  return facts?.every((fact, at) => fact === others?.[at]) ?? false
}

function factsOf({base, container, name, platform, description, link}: UploadTarget) {
  return [base, container, name, platform, description, link ?? null]
}

/** An upload as the results show it. */
export interface UploadEntryRow {
  readonly id: string
  /** The name that it was uploaded by. */
  readonly file: string
  readonly container: string
  readonly platform: string
  readonly description: string
  /** Asset_Resource_File_Id; null where none was sent. */
  readonly link: string | null
  /** Bytes that the service acknowledged, and those of the file. */
  readonly acked: number
  readonly bytes: number
  readonly percent: number
  readonly begun_at: string
  readonly updated_at: string
  /** Where the file was, on the machine that began it. */
  readonly path: string
  /** The address of the service that it goes to. */
  readonly service: string
  readonly state: 'unfinished' | 'done'
  /** Of one that is done. */
  readonly uuid: string | null
  readonly sha256: string | null
}

/** An entry as it is shown: without its digests and without the upload's address. */
export function entryRow(entry: LedgerEntry): UploadEntryRow {
  const {id, name, container, platform, description, link, size, begunAt, updatedAt, path, base, done} = entry
  const acked = done ? size : (entry.acked.at(-1)?.to ?? 0)
  // Rounded down: 100 is all of it.
  const percent = size === 0 ? Number(done !== undefined) * 100 : Math.floor((acked / size) * 100)
  return {
    id,
    file: name,
    container,
    platform,
    description,
    link: link ?? null,
    acked,
    bytes: size,
    percent,
    begun_at: begunAt,
    updated_at: updatedAt,
    path,
    service: base,
    state: done ? 'done' : 'unfinished',
    uuid: done?.uuid ?? null,
    sha256: done?.sha256 ?? null,
  }
}
