import {statSync} from 'node:fs'
import type {Listing} from '../../api/contract/asset.js'
import {Failure} from '../../api/contract/failure.js'
import {mapConcurrently} from '../../selection/pool.js'
import {systemReason} from '../../storage/disk/reason.js'
import {baseText, type LedgerEntry} from '../ledger/entry.js'
import {stampOf, unstamped} from '../model/stamp.js'
import {sampleOf} from '../source/fileProof.js'
import {assetFileId} from '../source/headers.js'
import {digestOf} from '../source/localFile.js'
import type {SyncFile} from './syncFile.js'

/** A resource that the container lists. */
export interface ListedResource {
  readonly name: string | undefined
  /** Undefined where the listing names none, as of common resources (asset, Container listing). */
  readonly platform: string | undefined
  /** The digest that its description ends with, where the listing shows one. */
  readonly stamp: string | undefined
}

/** What ledger and listing tell of a container. */
export interface ContainerFacts {
  /** The finished uploads to the container, by name and platform, the newest first. */
  readonly finished: ReadonlyMap<string, readonly Finished[]>
  /** By uuid. */
  readonly listed: ReadonlyMap<string, ListedResource>
  /** The uuids by the names that the listing gives them, as they stand and decoded. */
  readonly byName: ReadonlyMap<string, readonly string[]>
}

type Finished = LedgerEntry & {readonly done: NonNullable<LedgerEntry['done']>}

/** What a file is to be in the container, and what it is here. */
export interface WantedFile {
  readonly file: Pick<SyncFile, 'name' | 'platform' | 'description'>
  readonly link: string | undefined
  readonly size: number
  readonly sha256: string | undefined
  /** The digest alone tells what is the same: another description is no reason to send it again. */
  readonly isStamped?: boolean
}

/** A file that is in the container. */
export interface PresentFile {
  readonly uuid: string
  /** The address that its upload had. */
  readonly uri: string
  readonly sha256: string
  /** What proves its content, where that is not the ledger. */
  readonly proof?: 'stamp' | 'content'
}

/** Whether a file is in the container: where it is, or why that is not proven, a clause without a full stop. */
export type PresenceResult = {readonly there: PresentFile} | {readonly why: string}

export function containerFacts(
  {base, container}: {readonly base: URL; readonly container: string},
  entries: readonly LedgerEntry[],
  listing: Listing,
): ContainerFacts {
  const address = baseText(base)
  const finished = new Map<string, Finished[]>()
  for (const entry of entries) {
    if (!isFinished(entry) || entry.base !== address || entry.container !== container) continue
    const place = nameAndPlatform(entry)
    finished.set(place, [entry, ...(finished.get(place) ?? [])])
  }
  const listed = resourcesOf(listing)
  const byName = new Map<string, string[]>()
  for (const [uuid, {name}] of listed) {
    for (const text of new Set(listedNames(name))) {
      const others = byName.get(text)
      if (others) others.push(uuid)
      else byName.set(text, [uuid])
    }
  }
  return {finished, listed, byName}
}

function isFinished(entry: LedgerEntry): entry is Finished {
  return entry.done !== undefined
}

/** In a container a file is its name and its platform. */
export function nameAndPlatform({name, platform}: {readonly name: string; readonly platform: string}): string {
  return `${platform} ${name}`
}

/** The resources of a container by their uuid, the last segment of their uri. */
function resourcesOf({resources}: Listing): Map<string, ListedResource> {
  const assets = resources?.assetResources ?? []
  const common = (resources?.commonResources ?? []).map((entry) => ({...entry, platform: undefined, description: null}))
  return new Map(
    [...assets, ...common].flatMap(({uri, name, platform, description}) => {
      const uuid = uuidFromUri(uri)
      const resource = {name: name ?? undefined, platform: platform ?? undefined, stamp: stampOf(description)}
      return uuid === undefined ? [] : [[uuid, resource]]
    }),
  )
}

/** The uuids of what a container lists under the name of a file, for its platform. */
export function uuidsListedAs(listing: Listing, file: WantedFile['file']): string[] {
  const listed = resourcesOf(listing)
  return [...listed.keys()].filter((uuid) => isListed(listed, uuid, file))
}

function uuidFromUri(uri: string): string | undefined {
  try {
    return assetFileId(
      uri
        .replace(/[?#].*$/su, '')
        .replace(/\/+$/u, '')
        .split('/')
        .at(-1) ?? '',
    )
  } catch {
    // A uri that ends in no uuid: no upload of ours has it.
    return undefined
  }
}

/** Whether the whole content of a file has to be read to know whether it is in the container. */
export function needsDigest({finished, listed}: ContainerFacts, file: WantedFile['file'], size: number): boolean {
  const uploads = finished.get(nameAndPlatform(file)) ?? []
  return uploads.some(
    ({size: then, done}) => then === size && done.sha256 !== null && isListed(listed, done.uuid, file),
  )
}

/**
 * Whether ledger and listing together prove a file to be in the container: the ledger has a finished upload of the same
 * content to the same place under the same words, and the container still lists its uuid under that name and platform.
 */
export function checkPresence(wanted: WantedFile, known: ContainerFacts): PresenceResult {
  const {finished, listed} = known
  const {file} = wanted
  const uploads = finished.get(nameAndPlatform(file)) ?? []
  const proven = uploads.find((upload) => isSame(upload, wanted) && isListed(listed, upload.done.uuid, file))
  if (proven && wanted.sha256 !== undefined) {
    return {there: {uuid: proven.done.uuid, uri: proven.url ?? '', sha256: wanted.sha256}}
  }
  const [last] = uploads
  if (last === undefined) {
    return {
      why:
        candidatesFor(file, known).length > 0
          ? 'new: one of this name is there, but nothing proves that it is this file'
          : 'new',
    }
  }
  return {why: describeDifference(last, wanted) ?? describeAbsence(listed, last.done.uuid)}
}

function isSame({description, link, size, done}: Finished, wanted: WantedFile): boolean {
  const {file, sha256, isStamped} = wanted
  const sameWords = isStamped || unstamped(description) === file.description
  return sameWords && link === wanted.link && size === wanted.size && sha256 !== undefined && done.sha256 === sha256
}

function describeDifference({description, link, size, done}: Finished, wanted: WantedFile): string | undefined {
  if (size !== wanted.size) return 'changed since it was uploaded'
  if (!wanted.isStamped && unstamped(description) !== wanted.file.description)
    return 'another description than it was uploaded with'
  if (link !== wanted.link) return 'another link than it was uploaded with'
  if (done.sha256 === null) return 'its upload left no sha256 to compare it with'
  return wanted.sha256 !== undefined && done.sha256 !== wanted.sha256 ? 'changed since it was uploaded' : undefined
}

function describeAbsence(listed: ContainerFacts['listed'], uuid: string): string {
  return listed.has(uuid) ? 'listed under another name or platform' : 'no longer in the container'
}

function isListed(listed: ContainerFacts['listed'], uuid: string, {name, platform}: WantedFile['file']): boolean {
  const resource = listed.get(uuid)
  // Samples show the platform in capitals (product §9).
  return listedNames(resource?.name).includes(name) && (resource?.platform?.toLowerCase() ?? platform) === platform
}

/** The uuids that the container lists under the name of a file, for its platform. */
export function candidatesFor(file: WantedFile['file'], {byName, listed}: ContainerFacts): string[] {
  return (byName.get(file.name) ?? []).filter((uuid) => isListed(listed, uuid, file))
}

/** A listed name, composed as ours are (headers.ts): as it stands and, where the service keeps it encoded, decoded. */
function listedNames(name: string | undefined): string[] {
  if (name === undefined) return []
  try {
    return [name.normalize('NFC'), decodeURIComponent(name).normalize('NFC')]
  } catch {
    return [name.normalize('NFC')]
  }
}

/** What is known of a file on this machine. */
export interface LocalFacts {
  readonly size: number
  /** Of the content (source/fileProof.ts); taken only where an upload of such a file was begun. */
  readonly sample?: string
  /** Of the whole content, hex; taken only where something is to be compared with it. */
  readonly sha256?: string
  /** The resources that have this content, by their stamps. */
  readonly proven?: readonly ProvenResource[]
}

/** Why a file is skipped that needs no upload. */
export function provenPresent({proof}: Pick<PresentFile, 'proof'>): string {
  if (proof === undefined) return 'already there: proven by ledger and listing'
  return `already there: proven by its ${proof}`
}

/** Files that are read at once. */
const filesAtOnce = 4

interface LedgerFacts {
  readonly remembered: ContainerFacts
  /** Uploads that may be taken up. */
  readonly unfinished: Iterable<LedgerEntry>
  readonly signal: AbortSignal
  /** What proves files by their stamps; absent where nothing is stamped. */
  readonly stamps?: StampProofs | undefined
}

/** Reads what the container tells of the content of resources, for a run that stamps what it sends. */
export interface StampProofs {
  /** Files that are hashed, and resources that are read, at once. */
  readonly concurrency: number
  /** What proves a resource to have this content (sha256, hex), and its link; undefined where nothing does. */
  readonly prove: (file: WantedFile['file'], uuid: string, sha256: string) => Promise<ProvenResource | undefined>
}

/** A resource with the name, the platform and the content of a file. */
export interface ProvenResource {
  readonly uuid: string
  readonly uri: string
  readonly link: string | undefined
  readonly proof: 'stamp' | 'content'
}

/** A file that is to be compared. */
type ComparedFile = Pick<SyncFile, 'key' | 'path' | 'name' | 'platform' | 'description' | 'sha256'>

/**
 * What the plan has to know of each file, by its key: the size, and what there is something to be compared with. Raises a
 * Failure: `file` for one that cannot be read or is not what the manifest says it must be, `interrupted`.
 */
export async function readLocalFacts(
  files: readonly ComparedFile[],
  {remembered, unfinished, signal, stamps}: LedgerFacts,
): Promise<ReadonlyMap<string, LocalFacts>> {
  const begun = new Set([...unfinished].map((entry) => `${nameAndPlatform(entry)} ${entry.size}`))
  const factsOf = async (file: ComparedFile): Promise<[string, LocalFacts]> => {
    if (signal.aborted) throw interruptedBeforeSending()
    const size = sizeOf(file)
    const mustHash = stamps !== undefined || file.sha256 !== undefined || needsDigest(remembered, file, size)
    const digests = mustHash ? await readDigest(file, size, remembered, {signal, stamps}) : {}
    return [
      file.key,
      {
        size,
        ...(begun.has(`${nameAndPlatform(file)} ${size}`) ? {sample: await sampleOf(file.path, size)} : {}),
        ...digests,
      },
    ]
  }
  const facts = new Map(await mapConcurrently(files, stamps?.concurrency ?? filesAtOnce, factsOf))
  assertManifestDigests(files, facts)
  return facts
}

async function readDigest(
  file: ComparedFile,
  size: number,
  remembered: ContainerFacts,
  {signal, stamps}: Pick<LedgerFacts, 'signal' | 'stamps'>,
): Promise<Pick<LocalFacts, 'sha256' | 'proven'>> {
  const sha256 = await hashOf(file, size, signal)
  const proven = stamps ? await proveByStamps(file, sha256, remembered, stamps) : []
  return proven.length === 0 ? {sha256} : {sha256, proven}
}

/** Those of the candidates whose content is that of the file. A listed stamp of other content spares the reading. */
async function proveByStamps(
  file: ComparedFile,
  sha256: string,
  known: ContainerFacts,
  {prove}: StampProofs,
): Promise<ProvenResource[]> {
  const proven: ProvenResource[] = []
  for (const uuid of candidatesFor(file, known)) {
    const stamp = known.listed.get(uuid)?.stamp
    if (stamp !== undefined && stamp !== sha256) continue
    const found = await prove(file, uuid, sha256)
    if (found) proven.push(found)
  }
  return proven
}

/** Asked at once: the way to another thread and back takes longer. */
function sizeOf({key, path}: ComparedFile): number {
  const cannot = (why: string) => new Failure({exit: 'file', message: `cannot read ${key}`, why})
  try {
    const stats = statSync(path)
    if (stats.isFile()) return stats.size
  } catch (error) {
    throw cannot(systemReason(error))
  }
  throw cannot('it is not a file')
}

async function hashOf({path}: ComparedFile, size: number, signal: AbortSignal): Promise<string> {
  try {
    return await digestOf(path, signal, size)
  } catch (error) {
    throw signal.aborted ? interruptedBeforeSending() : error
  }
}

function interruptedBeforeSending(): Failure {
  return new Failure({exit: 'interrupted', message: 'interrupted; nothing was sent'})
}

/** A manifest can say what a file must be: a wrong one is not to reach the service. */
function assertManifestDigests(files: readonly ComparedFile[], facts: ReadonlyMap<string, LocalFacts>): void {
  const wrong = files.filter(({key, sha256}) => sha256 !== undefined && facts.get(key)?.sha256 !== sha256)
  const [first] = wrong
  if (first === undefined) return
  const others = wrong.length === 1 ? '' : ` and ${wrong.length - 1} more`
  throw new Failure({
    exit: 'file',
    code: 'bytes-differ',
    message: `${first.key}${others} is not the file that the manifest names; nothing was sent`,
    why: `its sha256 is ${facts.get(first.key)?.sha256}, not ${first.sha256}`,
    try: 'rebuild the file, or correct its sha256 in the manifest',
  })
}
