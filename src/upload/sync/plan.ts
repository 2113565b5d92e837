import {entryId, type LedgerEntry, targetOf} from '../ledger/entry.js'
import type {UploadJob} from '../model/job.js'
import {inOrder, linkedFile} from './order.js'
import {presenceOf, type Remembered, type There} from './present.js'
import type {SyncFile} from './syncFile.js'

/** What is known of a file on this machine. */
export interface LocalFacts {
  readonly size: number
  /** Of the content (sample.ts); taken only where an upload of such a file was begun. */
  readonly sample?: string
  /** Of the whole content, hex; taken only where something is to be compared with it. */
  readonly sha256?: string
}

/** What a plan is made of, beside the files. */
export interface Known extends Remembered {
  /** The address of the asset service. */
  readonly base: URL
  readonly container: string
  /** By the key of the file. */
  readonly local: ReadonlyMap<string, LocalFacts>
  /** Unfinished uploads by their id; none where they are not to be taken up. */
  readonly unfinished: ReadonlyMap<string, LedgerEntry>
}

/** What is to be done with one file. */
export interface PlannedFile {
  readonly file: SyncFile
  readonly action: 'upload' | 'resume' | 'skip'
  /** A clause without a stop. */
  readonly reason: string
  /** Size of the file. */
  readonly bytes: number
  /** Bytes that the service has acknowledged in an earlier run. */
  readonly from: number
  /** Where it is, if it is to be skipped. */
  readonly there?: There
  /** Asset_Resource_File_Id, where it is known yet. */
  readonly link?: string
  /** The key of the file that must be uploaded before, whose uuid becomes the link. */
  readonly after?: string
}

/**
 * What is to be done, in the order in which it begins. A file is skipped only where ledger and listing together prove it
 * to be there (present.ts). What links to a file that is yet to be uploaded is uploaded too, since it must name the new uuid.
 */
export function planSync(files: readonly SyncFile[], known: Known): PlannedFile[] {
  const planned = new Map<string, PlannedFile>()
  for (const file of inOrder(files, ({key}) => factsOf(known, key).size)) {
    planned.set(file.key, planFile(file, known, planned))
  }
  return [...planned.values()]
}

/** Why a file is skipped that needs no upload. */
export const inPlace = 'there, as ledger and listing prove'

function planFile(file: SyncFile, known: Known, earlier: ReadonlyMap<string, PlannedFile>): PlannedFile {
  const {size, sample, sha256} = factsOf(known, file.key)
  const after = linkedFile(file)
  const link = after === undefined ? ownLink(file) : earlier.get(after)?.there?.uuid
  const plan = {file, bytes: size, from: 0, ...(link === undefined ? {} : {link})}
  if (after !== undefined && link === undefined) {
    return {...plan, action: 'upload', reason: `belongs to ${after}, which is uploaded before`, after}
  }
  const presence = presenceOf({file, link, size, sha256}, known)
  if ('there' in presence) return {...plan, action: 'skip', reason: inPlace, there: presence.there}
  const begun =
    sample && known.unfinished.get(entryId(targetOf(jobOf(file, link, known.container), known.base), size, sample))
  if (!begun || begun.url === undefined) return {...plan, action: 'upload', reason: presence.why}
  const from = begun.acked.at(-1)?.to ?? 0
  return {...plan, from, action: 'resume', reason: `begun ${begun.begunAt}, ${from} of ${size} bytes are acknowledged`}
}

function ownLink({link}: SyncFile): string | undefined {
  return link !== undefined && 'uuid' in link ? link.uuid : undefined
}

function factsOf({local}: Known, key: string): LocalFacts {
  const facts = local.get(key)
  if (facts === undefined) throw new Error(`nothing is known of ${key}`)
  return facts
}

/** The upload of a file, once its link is known. */
export function jobOf(file: SyncFile, link: string | undefined, container: string): UploadJob {
  const {key, path, name, platform, description} = file
  return {key, path, container, name, platform, description, ...(link === undefined ? {} : {link})}
}
