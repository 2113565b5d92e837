import type {Listing} from '../../api/contract/asset.js'
import {baseText, entryId, type LedgerEntry, targetOf} from '../ledger/entry.js'
import type {Ledger} from '../ledger/ledger.js'
import type {UploadJob} from '../model/job.js'
import {stampedDescription} from '../model/stamp.js'
import {
  type ContainerFacts,
  candidatesFor,
  checkPresence,
  containerFacts,
  type LocalFacts,
  nameAndPlatform,
  type PresentFile,
  type ProvenResource,
  provenPresent,
  readLocalFacts,
  type StampProofs,
} from './presence.js'
import {linkedFile, type SyncFile, uploadOrder} from './syncFile.js'

/** What a plan is made of, beside the files. */
export interface PlanFacts extends ContainerFacts {
  /** The address of the asset service. */
  readonly base: URL
  readonly container: string
  /** By the key of the file. */
  readonly local: ReadonlyMap<string, LocalFacts>
  /** Unfinished uploads by their id; none where they are not to be taken up. */
  readonly unfinished: ReadonlyMap<string, LedgerEntry>
  /** Whether descriptions end with the digest of their file. */
  readonly isStamped?: boolean
}

/** What is to be done with one file. */
export interface PlannedFile {
  readonly file: SyncFile
  readonly action: 'upload' | 'resume' | 'skip'
  /** A clause without a full stop. */
  readonly reason: string
  /** Size of the file. */
  readonly bytes: number
  /** Bytes that the service has acknowledged in an earlier run. */
  readonly from: number
  /** Where it is, if it is to be skipped. */
  readonly there?: PresentFile
  /** Asset_Resource_File_Id, where it is known yet. */
  readonly link?: string
  /** The key of the file that must be uploaded before, whose uuid becomes the link. */
  readonly after?: string
  /** The digest that its description is to end with. */
  readonly stamp?: string
  /** It is sent though the container has one of its name, of which the ledger knows nothing. */
  readonly isRepeated?: true
}

/**
 * What is to be done, in the order in which it begins. A file is skipped only where ledger and listing, or a stamp, prove it
 * to be there (presence.ts). What links to a file that is yet to be uploaded is uploaded too, since it must name the new uuid.
 */
export function planSync(files: readonly SyncFile[], known: PlanFacts): PlannedFile[] {
  const planned = new Map<string, PlannedFile>()
  for (const file of uploadOrder(files, ({key}) => factsOf(known, key).size)) {
    planned.set(file.key, planFile(file, known, planned))
  }
  return [...planned.values()]
}

function planFile(file: SyncFile, known: PlanFacts, earlier: ReadonlyMap<string, PlannedFile>): PlannedFile {
  const {size, sample, sha256, proven = []} = factsOf(known, file.key)
  const after = linkedFile(file)
  const link = after === undefined ? uuidLinkOf(file) : earlier.get(after)?.there?.uuid
  const plan = {file, bytes: size, from: 0, ...stampFor(sha256, known), ...(link === undefined ? {} : {link})}
  const again = isRepeated(file, known)
  if (after !== undefined && link === undefined) {
    return {...plan, ...again, action: 'upload', reason: `belongs to ${after}, which is uploaded before`, after}
  }
  const presence = checkPresence({file, link, size, sha256, isStamped: known.isStamped === true}, known)
  const there = 'there' in presence ? presence.there : provenAs(proven, link, sha256)
  if (there) return {...plan, action: 'skip', reason: provenPresent(there), there}
  const job = syncJob(file, link, known.container, plan.stamp)
  const begun = sample && known.unfinished.get(entryId(targetOf(job, known.base), size, sample))
  const reason = 'why' in presence ? presence.why : ''
  if (!begun || begun.url === undefined) return {...plan, ...again, action: 'upload', reason}
  const from = begun.acked.at(-1)?.to ?? 0
  return {...plan, from, action: 'resume', reason: `begun ${begun.begunAt}, ${from} of ${size} bytes are acknowledged`}
}

function stampFor(stamp: string | undefined, {isStamped}: PlanFacts): {stamp?: string} {
  return isStamped && stamp !== undefined ? {stamp} : {}
}

/** One that is proven by its stamp and belongs to the same asset. */
function provenAs(proven: readonly ProvenResource[], wanted: string | undefined, sha256 = ''): PresentFile | undefined {
  const found = proven.find(({link}) => link === wanted)
  return found && {uuid: found.uuid, uri: found.uri, sha256, proof: found.proof}
}

/** Of a name that the ledger knows, an earlier content is no surprise; of another, nobody knows what it is. */
function isRepeated(file: SyncFile, known: PlanFacts): {isRepeated?: true} {
  if (known.isStamped) return {}
  const own = new Set(known.finished.get(nameAndPlatform(file))?.map(({done}) => done.uuid))
  return candidatesFor(file, known).some((uuid) => !own.has(uuid)) ? {isRepeated: true} : {}
}

function uuidLinkOf({link}: SyncFile): string | undefined {
  return link !== undefined && 'uuid' in link ? link.uuid : undefined
}

function factsOf({local}: PlanFacts, key: string): LocalFacts {
  const facts = local.get(key)
  if (facts === undefined) throw new Error(`nothing is known of ${key}`)
  return facts
}

/** A job as a file of a plan. */
export function plannable({key, path, name, platform, description, link}: UploadJob): SyncFile {
  const file = {key, path, name, platform, description, role: 'asset'} as const
  return link === undefined ? file : {...file, link: {uuid: link}}
}

/** The upload of a file, once its link is known, and with `stamp` its digest. */
export function syncJob(file: SyncFile, link: string | undefined, container: string, stamp?: string): UploadJob {
  const {key, path, name, platform} = file
  const description = stamp === undefined ? file.description : stampedDescription(file.description, stamp)
  return {key, path, container, name, platform, description, ...(link === undefined ? {} : {link})}
}

interface PlanOptions {
  readonly base: URL
  readonly container: string
  /** What the container holds. */
  readonly listing: Listing
  readonly ledger: Pick<Ledger, 'finishedAs' | 'unfinished'>
  /** Everything is uploaded again, whatever the ledger knows. */
  readonly fresh: boolean
  readonly signal: AbortSignal
  /** Descriptions end with the digest of their file, and what has it is not sent again. */
  readonly stamps?: StampProofs | undefined
}

/**
 * The plan of a sync: reads of each file what is to be compared with ledger and listing, and sends nothing. Raises a Failure
 * (file, interrupted) as `readLocalFacts`.
 */
export async function makePlan(files: readonly SyncFile[], work: PlanOptions): Promise<PlannedFile[]> {
  const {base, container, listing, ledger, fresh, signal, stamps} = work
  const begun = fresh ? [] : ledger.unfinished()
  const here = {base: baseText(base), container}
  const uploaded = fresh ? [] : ledger.finishedAs(files.map(({name}) => ({...here, name})))
  const remembered = containerFacts({base, container}, uploaded, listing)
  const local = await readLocalFacts(files, {remembered, unfinished: begun, signal, stamps})
  const unfinished = new Map(begun.map((entry) => [entry.id, entry]))
  return planSync(files, {...remembered, base, container, local, unfinished, isStamped: stamps !== undefined})
}

/** What a sync would do with one file. */
export interface SyncPlanRow {
  readonly dry_run: true
  readonly file: string
  readonly role: string
  readonly action: 'upload' | 'resume' | 'skip'
  readonly reason: string
  readonly bytes: number
  /** Bytes that the service has of it already, where it is resumed. */
  readonly from: number
  readonly platform: string
  /** Of a file that is there. */
  readonly uuid: string | null
  /** The uuid of what it belongs to, or the file of the same sync that is uploaded before. */
  readonly link: string | null
}

/** What a view shows of a plan: plain data, in the order of the plan. */
export function syncPlanRows(plan: readonly PlannedFile[]): SyncPlanRow[] {
  return plan.map(({file, action, reason, bytes, from, there, link, after}) => ({
    dry_run: true,
    file: file.key,
    role: file.role,
    action,
    reason,
    bytes,
    from,
    platform: file.platform,
    uuid: there?.uuid ?? null,
    link: link ?? after ?? null,
  }))
}
