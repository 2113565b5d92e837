import type {Platform} from '../../api/contract/assetShapes.js'
import type {Algorithm} from '../model/job.js'

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
  /** The algorithm of the chunks' digests. */
  readonly algorithm?: Algorithm
  /** What the service acknowledged, in order, without gaps from 0. */
  readonly acked: readonly Chunk[]
  /** Was being sent when the ledger was last written; the service may have all, some or nothing of it. */
  readonly inFlight?: Chunk
  readonly done?: {readonly uuid: string; readonly sha256: string | null; readonly at: string}
}

/**
 * The append-only record of uploads (uploads.jsonl, 0600, in a folder of 0700). A promise settles when the record is on the disk; records
 * of many uploads share one write and one sync. Every member raises a Failure (file) that names the file when it cannot be
 * read or written.
 */
export interface Ledger {
  find(id: string): LedgerEntry | undefined
  /** Every entry that was not forgotten, the oldest first. */
  list(): readonly LedgerEntry[]
  /** Unfinished uploads of the same target, with whatever content. */
  unfinished(target: UploadTarget): readonly LedgerEntry[]
  /** A new upload, before its first byte; takes the place of an entry of the same id. */
  begin(entry: Omit<LedgerEntry, 'begunAt' | 'updatedAt' | 'acked' | 'inFlight' | 'done' | 'url'>): Promise<void>
  created(id: string, url: string): Promise<void>
  sending(id: string, chunk: Chunk): Promise<void>
  acked(id: string, chunk: Chunk): Promise<void>
  done(id: string, facts: {readonly uuid: string; readonly sha256: string | null}): Promise<void>
  forget(id: string): Promise<void>
  /**
   * Keeps other processes from the same upload until the returned function is called. Raises a Failure (state) that says who
   * has it. A claim of a process that is gone, on this machine or another, is no claim.
   */
  claim(id: string): Promise<() => Promise<void>>
  /** What was recorded is waited for, so it need not wait for more to share its way to the disk. */
  hurry(): void
  /** Writes what is still to be written. */
  close(): Promise<void>
}
