import type {Platform} from '../../api/contract/assetShapes.js'
import type {Role} from '../../api/contract/manifest.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {decodeOnce} from '../../text/text.js'

/** The proof that the container has a file (download/presence.ts). */
export type Proof = 'ledger' | 'stamp' | 'content'

/** The algorithms of Upload-Checksum (asset, Continue upload headers; tus 1.0.0, Checksum: sha1 is the one every server knows). */
export const algorithms = ['sha1', 'sha256'] as const
export type Algorithm = (typeof algorithms)[number]

export interface UploadJob {
  /** Its name in events and results: the path as typed. Unique within a run. */
  readonly key: string
  readonly path: string
  /** Without slashes at its ends: `games/foo`. */
  readonly container: string
  /** Original_File_Name, before it is encoded. */
  readonly name: string
  readonly platform: Platform
  readonly description: string
  /** Asset_Resource_File_Id: the uuid of the asset file that a bundle belongs to. */
  readonly link?: string
  /** The id of the ledger's entry that it resumes: only the file of that entry is uploaded. */
  readonly resumes?: string
  /** The uuid of an unfinished upload in the container, with the file's length and stamp, which this ledger does not know. */
  readonly adopts?: string
}

export interface PresentFile {
  readonly uuid: string
  readonly sha256: string
  /** The proof of its content; absent if this machine uploaded it and has not verified it yet. */
  readonly proof?: Proof
  /** The ledger's id of the upload, if its bytes were read and are other ones now. */
  readonly changedUpload?: string
  /** The container does not list it. */
  readonly isUnlisted?: boolean | undefined
}

export function provenPresent({proof = 'ledger', isUnlisted}: Pick<PresentFile, 'proof' | 'isUnlisted'>) {
  return {reason: 'unchanged', proven_by: proof === 'ledger' && isUnlisted ? 'metadata' : proof} as const
}

export interface UploadSettings {
  readonly checksum: Algorithm | 'none'
  /** Bytes of one PATCH; undefined: by the size of the file (engine/chunkSize.ts). */
  readonly chunkBytes?: number
  /** Bytes per second of all files together; undefined: unlimited. */
  readonly bytesPerSecond?: number
  /** Starts over even if the ledger has an unfinished upload. */
  readonly fresh: boolean
  /** The encoding of non-ASCII names and descriptions in headers. */
  readonly headerEncoding: 'percent' | 'raw'
  /** Milliseconds of silence after which a connection counts as stalled. */
  readonly stallMs: number
  /** Attempts without progress before an upload fails; any progress starts the count again. */
  readonly attempts: number
}

export interface UploadResult {
  readonly key: string
  readonly path: string
  readonly uuid: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** The offset at which an upload of an earlier run was resumed; absent for one that started at 0 in this run. */
  readonly resumedFrom?: number
  /** Bytes of the file that went over the wire in this run; more than the rest of the file when some were sent again. */
  readonly sentBytes: number
  readonly proof?: Proof
  /** Another process brought it to the service while this run waited for it: nothing was sent here. */
  readonly uploadedByOtherProcess?: true
}

/** Events of the files of a run, for a view. Offsets and sizes are bytes. */
export type UploadEvent =
  /** Work on a file starts; `from` is what an earlier run has had acknowledged. */
  | {readonly kind: 'begun'; readonly key: string; readonly size: number; readonly from: number}
  /** Bytes were sent, and may be lost: a sign of life. */
  | {readonly kind: 'sent'; readonly key: string; readonly bytes: number}
  | {readonly kind: 'acked'; readonly key: string; readonly offset: number}
  /** Nothing is sent for a while; `isSaid`: which deserves a line in a log. `why`, here and below: a phrase without a full stop. */
  | {
      readonly kind: 'waiting'
      readonly key: string
      readonly ms: number
      readonly why: string
      readonly isSaid?: true
    }
  /** A new upload starts over at 0. */
  | {readonly kind: 'renewed'; readonly key: string; readonly why: string}
  /** A warning, once in a run; a sentence without a full stop. */
  | {readonly kind: 'warned'; readonly text: string}
  | {readonly kind: 'done'; readonly key: string; readonly result: UploadResult}
  | {readonly kind: 'failed'; readonly key: string; readonly failure: Failure}

/** The asset of a bundle: another file of the same run, or a resource of the service. */
export type Link = {readonly file: string} | {readonly uuid: string}

/** A file to be synced, from a manifest or a folder; flags fill in the rest. */
export interface ListedFile {
  /** Its path below the folder, with `/` between the parts: what results call it. */
  readonly key: string
  readonly path: string
  readonly role: Role
  readonly name: string
  readonly platform?: Platform
  readonly description?: string
  readonly link?: Link
  /** The expected digest, in hex. */
  readonly sha256?: string
}

/** A file to be synced, with all values of its upload. */
export interface SyncFile extends ListedFile {
  readonly platform: Platform
  readonly description: string
}

export interface FileList {
  readonly source: string
  /** The container of a manifest, as written there. */
  readonly container?: string
  readonly files: readonly ListedFile[]
  /** It has no manifest. */
  readonly isFolder?: boolean
  /** Files whose names are no text, and why. */
  readonly refused?: readonly {readonly key: string; readonly why: string}[]
  /** Warnings about files that are left out or not linked; sentences without a full stop. */
  readonly notes: readonly string[]
}

export type Linked = Pick<ListedFile, 'key' | 'link'>

export function linkedFile({link}: Linked): string | undefined {
  return link !== undefined && 'file' in link ? link.file : undefined
}

/** The files that others belong to, by their keys. */
export function linkedTo<File extends Linked>(files: readonly File[]): ReadonlyMap<string, File> {
  const keys = new Set(files.map(linkedFile))
  return new Map(files.filter(({key}) => keys.has(key)).map((file) => [file.key, file]))
}

/** A content address at the end of a description, by which a later run, on any machine, recognises the bytes of a resource. */
// Not with the flag u, by which the long s would match an s.
const stampAtEnd = /\[sha256:([\da-f]{64})\]\s*$/i

/** A description with the sha256 (hex) of the file at its end, after a space if there is text. */
export function stampedDescription(text: string, sha256: string): string {
  const stamp = `[sha256:${sha256}]`
  return text === '' ? stamp : `${text} ${stamp}`
}

/** The sha256 (lower-case hex) that a description ends with, which a service may keep percent-encoded; undefined if it has no stamp. */
export function stampOf(description: string | null | undefined): string | undefined {
  const text = description ?? ''
  return (stampAtEnd.exec(text) ?? stampAtEnd.exec(decodeOnce(text)))?.[1]?.toLowerCase()
}

/** A description without the stamp at its end and the blank before it. */
export function unstamped(description: string): string {
  return description.replace(stampAtEnd, '').replace(/ $/u, '')
}

/** Throws Failure (usage) for a description that would be taken for a stamp: only roomctl writes one, of bytes that it has read. */
export function assertNoStamp(description: string): void {
  if (stampOf(description) === undefined) return
  throw wrongUsage('the description ends with [sha256:DIGEST], which roomctl would take for a stamp', {
    why: 'a stamp says what the bytes of the file are, so only roomctl writes it',
    try: 'remove it, and add --stamp',
  })
}
