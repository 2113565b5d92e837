import type {FileItem} from '../../selection/run.js'
import {compareText} from '../../text/text.js'
import type {ListedResources} from '../download/presence.js'
import {baseText, entryId, type LedgerEntry, targetOf} from '../ledger/entry.js'
import type {Ledger} from '../ledger/ledger.js'
import {
  type Linked,
  linkedFile,
  linkedTo,
  type PresentFile,
  provenPresent,
  type SyncFile,
  stampedDescription,
  type UploadJob,
} from '../model/job.js'
import {type Turn, turnOf, type UploadTask} from '../run/uploadAll.js'
import {
  type ContainerFacts,
  containerFacts,
  type FactOptions,
  type LocalFacts,
  type Look,
  nameAndPlatform,
  readLocalFacts,
} from './localFacts.js'
import {roleOf} from './scan.js'

interface PlanFacts extends ContainerFacts {
  readonly base: URL
  readonly container: string
  /** The files that others link to. */
  readonly needed: ReadonlyMap<string, SyncFile>
  readonly local: ReadonlyMap<string, LocalFacts>
  /** Whether descriptions end with the digest of their file. */
  readonly stamp: boolean
}

type Difference = 'missing' | 'changed' | 'unproven'

export interface PlannedFile {
  readonly file: SyncFile
  readonly action: 'upload' | 'resume' | 'skip'
  readonly reason: string
  /** Of a skipped one. */
  readonly proven_by?: FileItem['proven_by']
  /** How the container differs, of a file that is not proven to be there. */
  readonly difference?: Difference | undefined
  readonly bytes: number
  /** Bytes that the service has acknowledged in an earlier run. */
  readonly from: number
  readonly there?: PresentFile
  /** Asset_Resource_File_Id, if known yet. */
  readonly link?: string
  readonly turn?: Turn
  /** The key of the file that must be uploaded first, to link to its uuid. */
  readonly after?: string
  /** The digest that its description is to end with. */
  readonly stamp?: string | undefined
  /** The unfinished upload in the container, unknown to the ledger, that is resumed. */
  readonly adopts?: string
  /** It is sent though the container has one of its name that may be the same. */
  readonly isRepeated?: true
}

function planFile(file: SyncFile, known: PlanFacts, earlier: ReadonlyMap<string, PlannedFile>): PlannedFile {
  const facts = factsOf(known, file.key)
  const {size, sha256} = facts
  const after = linkedFile(file)
  const link = after === undefined ? uuidLinkOf(file) : earlier.get(after)?.there?.uuid
  const difference = differenceOf(facts)
  const plan = {
    file,
    difference,
    bytes: size,
    from: 0,
    stamp: known.stamp ? sha256 : undefined,
    turn: known.needed.has(file.key) ? 0 : turnOf(file),
    ...(link ? {link} : {}),
  }
  const again = facts.looks.some(isUnproven) ? {isRepeated: true as const} : {}
  if (after !== undefined && link === undefined) {
    return {action: 'upload', reason: `belongs to ${after}, which is uploaded before`, after, ...plan, ...again}
  }
  const there = findPresent(facts, link)
  if (there) return {...plan, ...skipped(there)}
  const begun = findBegun(file, link, facts, known)
  const resumed = begun ? resumedFrom(begun.entry, size) : findAdoptable(facts, link, known)
  if (begun) plan.stamp = begun.stamp
  if (resumed) return {...plan, ...resumed, action: 'resume'}
  // If the creation of an upload was not answered, its own run checks the listing.
  return {action: 'upload', reason: whyAbsent(file, facts, known), ...plan, ...(begun ? {} : again)}
}

/** What this machine sent counts as there, but differs if the service keeps it otherwise. */
function skipped(there: PresentFile): Pick<PlannedFile, 'action' | 'reason' | 'proven_by' | 'there' | 'difference'> {
  if (there.proof !== undefined) return {action: 'skip', ...provenPresent(there), there, difference: undefined}
  return {
    action: 'skip',
    reason: 'this machine sent it, and the service keeps it otherwise',
    there,
    difference: 'changed',
  }
}

function resumedFrom(
  {url, begunAt, acked}: LedgerEntry,
  size: number,
): Pick<PlannedFile, 'from' | 'reason'> | undefined {
  const from = acked.at(-1)?.to ?? 0
  return url === undefined ? undefined : {from, reason: `started ${begunAt}, ${from} of ${size} bytes are acknowledged`}
}

/** The upload of the file to resume; it keeps its description, stamped or not. */
function findBegun(
  file: SyncFile,
  link: string | undefined,
  {size, sample, sha256}: LocalFacts,
  {container, base, unfinished, stamp: isStamped}: PlanFacts,
) {
  if (sample === undefined) return undefined
  for (const stamp of isStamped ? [sha256, undefined] : [undefined, sha256]) {
    const target = targetOf(syncJob(file, link, container, stamp), base)
    const entry = unfinished.get(entryId(target, size, sample))
    if (entry) return {entry, stamp}
  }
  return undefined
}

/** An unfinished upload in the container with the file's length and stamp, which can be resumed without a ledger. */
function findAdoptable({looks, size}: LocalFacts, link: string | undefined, {stamp: isStamped}: PlanFacts) {
  for (const {uuid, presence} of isStamped ? looks : []) {
    const resumable = 'resumable' in presence ? presence.resumable : undefined
    if (resumable === undefined || resumable.link !== link) continue
    const reason = `unfinished in the container: ${resumable.offset} of ${size} bytes are there`
    return {adopts: uuid, from: resumable.offset, reason}
  }
  return undefined
}

/** The resource that is the file and belongs to the same asset. What this machine sent, and the service keeps otherwise, is not sent again. */
function findPresent({looks, sha256 = ''}: LocalFacts, link: string | undefined): PresentFile | undefined {
  for (const {uuid, presence, isUnlisted} of looks) {
    if ('proof' in presence && presence.link === link) return {uuid, sha256, proof: presence.proof, isUnlisted}
  }
  const kept = looks.find(
    ({own, presence}) => own && own.link === link && ('proof' in presence || presence.lack === 'changed'),
  )
  if (!kept) return undefined
  const {uuid, own, presence, isUnlisted} = kept
  return {uuid, sha256, isUnlisted, ...(own && 'lack' in presence && presence.isContent ? {changedUpload: own.id} : {})}
}

function whyAbsent(file: SyncFile, {looks, size, sha256}: LocalFacts, {finished, listed}: ContainerFacts): string {
  if (looks.some(({presence}) => 'proof' in presence)) return 'another link than it was uploaded with'
  const [last] = finished.get(nameAndPlatform(file)) ?? []
  if (last === undefined) {
    return looks.some(isUnproven) ? 'new: one of this name is there, but nothing proves that it is this file' : 'new'
  }
  const {uuid, sha256: then} = last.done
  if (size !== last.size) return 'changed since it was uploaded'
  if (then === null) return 'its upload left no sha256 to compare it with'
  if (sha256 !== undefined && sha256 !== then) return 'changed since it was uploaded'
  const look = looks.find((candidate) => candidate.uuid === uuid)
  if (!listed.has(uuid)) return 'no longer in the container'
  return look && 'why' in look.presence ? look.presence.why : 'listed under another name or platform'
}

function differenceOf({looks}: LocalFacts): Difference {
  const lacks = looks.map(({presence}) => ('lack' in presence ? presence.lack : 'changed'))
  if (lacks.includes('unproven')) return 'unproven'
  return lacks.some((lack) => lack !== 'missing') ? 'changed' : 'missing'
}

/** No warning for own uploads, and for proven other files. */
function isUnproven({presence, isOwn}: Look): boolean {
  return !isOwn && 'lack' in presence && presence.lack === 'unproven'
}

function uuidLinkOf({link}: SyncFile): string | undefined {
  return link !== undefined && 'uuid' in link ? link.uuid : undefined
}

function factsOf({local}: PlanFacts, key: string): LocalFacts {
  const facts = local.get(key)
  if (facts === undefined) throw new Error(`nothing is known of ${key}`)
  return facts
}

export function plannable({key, path, name, platform, description, link}: UploadJob): SyncFile {
  const file = {key, path, name, platform, description, role: roleOf(name)}
  return link === undefined ? file : {...file, link: {uuid: link}}
}

/** The upload of a file, once its link is known, and with `stamp` its digest. */
function syncJob(file: SyncFile, link: string | undefined, container: string, stamp?: string): UploadJob {
  const {key, path, name, platform} = file
  const description = stamp === undefined ? file.description : stampedDescription(file.description, stamp)
  return {key, path, container, name, platform, description, ...(link === undefined ? {} : {link})}
}

export function uploadTask(planned: PlannedFile, container: string): UploadTask {
  const {file, link, there, bytes, stamp, adopts, turn} = planned
  const job = {...syncJob(file, link, container, stamp), ...(adopts === undefined ? {} : {adopts})}
  const own = there ? {there: {bytes, ...there}} : {turn}
  return {job, ...own, after: linkedFile(file), sha256: file.sha256}
}

interface PlanOptions extends Omit<FactOptions, 'readsUnproven'> {
  readonly base: URL
  readonly listed: ListedResources
  readonly ledger: Pick<Ledger, 'finishedAs' | 'unfinished' | 'hasLost'>
  /** Uploads everything again, despite the ledger. */
  readonly fresh: boolean
  /** Whether the plan has the order of the files, none of which links to another. */
  readonly isInOrder?: true
}

/**
 * Plans a sync and changes nothing. A file is skipped only if its presence is proven; files that link to a new one are sent too, for
 * its uuid. Throws Failure as `readLocalFacts`.
 */
export async function makePlan(files: readonly SyncFile[], work: PlanOptions): Promise<PlannedFile[]> {
  const {base, container, listed, ledger, fresh} = work
  const here = {base: baseText(base), container}
  const uploaded = fresh ? [] : ledger.finishedAs(files.map(({name}) => ({...here, name})))
  const facts = {...work, ...containerFacts(uploaded, fresh ? [] : ledger.unfinished(), listed)}
  const local = await readLocalFacts(files, {...facts, readsUnproven: !fresh && ledger.hasLost})
  const needed = linkedTo(files)
  const known = {...facts, local, needed}
  const earlier = new Map<string, PlannedFile>()
  const ordered = work.isInOrder ? files : uploadOrder(files, ({key}) => factsOf(known, key).size)
  return ordered.map((file) => {
    const plan = planFile(file, known, earlier)
    if (needed.has(file.key)) earlier.set(file.key, plan)
    return plan
  })
}

export type SyncPlanRow = ReturnType<typeof syncPlanRows>[number]

export function syncPlanRows(plan: readonly PlannedFile[]) {
  return plan.map(({file, action, reason, proven_by, bytes, from, there, link, after}) => ({
    dry_run: true as const,
    file: file.key,
    role: file.role,
    action,
    reason,
    ...(proven_by && {proven_by}),
    bytes,
    /** Bytes that the service has already, if it is resumed. */
    from,
    platform: file.platform,
    uuid: there?.uuid ?? null,
    /** The uuid of its asset, or the file of the same sync that is uploaded first. */
    link: link ?? after ?? null,
  }))
}

export type SyncDifferenceRow = ReturnType<typeof syncDifferenceRows>[number]

/** The files of a plan that are not proven to be in the container as they are in the folder. */
export function syncDifferenceRows(plan: readonly PlannedFile[]) {
  return plan.flatMap(({file, difference, reason, there}) => {
    return difference === undefined ? [] : [{file: file.key, difference, reason, uuid: there?.uuid ?? null}]
  })
}

/** What others wait for comes first, what waits after the others, and catalogs last; then the largest, then by name. */
export function uploadOrder<File extends Linked & Partial<Pick<SyncFile, 'role' | 'name'>>>(
  files: readonly File[],
  sizeOf: (file: File) => number,
): File[] {
  const needed = linkedTo(files)
  const rankOf = (file: File) => {
    if (needed.has(file.key)) return 0
    const {role = 'asset', name = ''} = file
    return linkedFile(file) === undefined ? 1 + 2 * turnOf({role, name}) : 2
  }
  const ranked = files.map((file) => ({file, turn: rankOf(file), size: sizeOf(file)}))
  return ranked
    .sort((one, other) => one.turn - other.turn || other.size - one.size || compareText(one.file.key, other.file.key))
    .map(({file}) => file)
}
