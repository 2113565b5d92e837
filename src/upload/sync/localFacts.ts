import {statSync} from 'node:fs'
import {type Failure, failureWith, fileFailure, interruptedUnsent} from '../../failure.js'
import {mapConcurrently} from '../../selection/run.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {getOrMake, grouped} from '../../text/text.js'
import {
  isListedAs,
  type ListedResource,
  type ListedResources,
  type PresenceCheck,
  type PresenceResult,
  spellingsOf,
  unproven,
  uuidFromUri,
  type WantedContent,
} from '../download/presence.js'
import {sampleOf} from '../engine/content.js'
import {digestOf} from '../files/localFile.js'
import type {FinishedEntry, LedgerEntry} from '../ledger/entry.js'
import {type SyncFile, stampOf} from '../model/job.js'

export type ContainerFacts = ReturnType<typeof containerFacts>

/** What is known of a container: its listing, and by the ledger its finished uploads, and all of them. */
export function containerFacts(done: readonly FinishedEntry[], begun: readonly LedgerEntry[], listed: ListedResources) {
  const byName = new Map<string, string[]>()
  for (const [uuid, {name}] of listed) {
    for (const text of new Set(spellingsOf(name))) {
      getOrMake(byName, text, () => []).push(uuid)
    }
  }
  return {
    listed,
    /** By name and platform, the newest first. */
    finished: grouped(done.toReversed(), nameAndPlatform),
    /** By their ids. */
    unfinished: new Map(begun.map((entry) => [entry.id, entry])),
    unfinishedUuids: new Set(begun.flatMap(({url}) => (url === undefined ? [] : (uuidFromUri(url) ?? [])))),
    /** Uuids by the names of the listing, as they are and decoded. */
    byName,
  }
}

/** In a container a file is its name and its platform. */
export function nameAndPlatform({name, platform}: {readonly name: string; readonly platform: string}): string {
  return `${platform} ${name}`
}

/** A resource that the container lists as a file, and the outcome of looking at it. */
export interface Look {
  readonly uuid: string
  readonly presence: PresenceResult
  /** This machine's finished upload of the same content, whose uuid it has. */
  readonly own?: FinishedEntry | undefined
  /** This machine uploaded it, whatever content it was. */
  readonly isOwn: boolean
  readonly isUnlisted?: boolean
}

export interface LocalFacts {
  readonly size: number
  /** Of the content (files/localFile.ts); computed only if there is an unfinished upload of such a file. */
  readonly sample?: string | undefined
  /** Of the whole content, hex; computed only if something is compared with it. */
  readonly sha256?: string | undefined
  readonly looks: readonly Look[]
}

export interface FactOptions {
  readonly container: string
  readonly signal: AbortSignal
  /** Whether every file is hashed, for the stamp in its description. */
  readonly stamp: boolean
  /** Whether bytes are read as the proof, so that a resource without a stamp can be proven, too. */
  readonly readsBytes: boolean
  /** Whether `check` reads the bytes of otherwise unproven resources. */
  readonly readsUnproven: boolean
  readonly concurrency: number
  /** Called for each file whose facts are known. */
  readonly compared?: () => void
  readonly presence: Pick<PresenceCheck, 'check' | 'unproven'>
}

type Facts = FactOptions & ContainerFacts

type ComparedFile = Pick<SyncFile, 'key' | 'path' | 'name' | 'platform' | 'link' | 'sha256'>

/** The facts for the plan, by the files' keys. Throws Failure: `file` for an unreadable or unexpected file, `interrupted`, that of `check`. */
export async function readLocalFacts(
  files: readonly ComparedFile[],
  options: Facts,
): Promise<ReadonlyMap<string, LocalFacts>> {
  const {unfinished, signal, concurrency, compared} = options
  const begun = new Map<string, boolean>()
  for (const entry of unfinished.values()) {
    const key = `${nameAndPlatform(entry)} ${entry.size}`
    begun.set(key, begun.get(key) || stampOf(entry.description) !== undefined)
  }
  const facts = new Map<string, LocalFacts>()
  await mapConcurrently(files, concurrency, async (file) => {
    if (signal.aborted) throw interruptedBeforeSending()
    const size = sizeOf(file)
    const isStamped = begun.get(`${nameAndPlatform(file)} ${size}`)
    const sample = isStamped === undefined ? undefined : await sampleOf(file)
    const mustHash = options.stamp || file.sha256 !== undefined || isStamped === true
    const {sha256, looks} = await compare(file, size, mustHash, options)
    facts.set(file.key, {size, sample, sha256, looks})
    compared?.()
  })
  assertManifestDigests(files, facts)
  return facts
}

interface Candidate {
  readonly uuid: string
  /** Undefined if the container does not list it. */
  readonly resource: ListedResource | undefined
  readonly own: readonly FinishedEntry[]
}

/** The digest of a file, if needed, and the check of each resource of its name until one is proven to be it. */
async function compare(
  file: ComparedFile,
  size: number,
  mustHash: boolean,
  options: Facts,
): Promise<Pick<LocalFacts, 'sha256' | 'looks'>> {
  const candidates = [...candidatesFor(file, options), ...unlistedFor(file, size, options)]
  const provable = new Set(candidates.filter((candidate) => mayBeProven(candidate, size, options)))
  if (!mustHash && provable.size === 0) {
    const looks = candidates.map(async (candidate) => {
      return {
        uuid: candidate.uuid,
        presence: await lookUnread(candidate, size, options),
        isOwn: candidate.own.length > 0,
      }
    })
    return {looks: await Promise.all(looks)}
  }
  const sha256 = await hashOf(file, size, options.signal)
  const isSameContent = ({own}: Candidate) => own.some(({done}) => done.sha256 === sha256)
  // The uuid for links to a file of this run is not known yet.
  const link = file.link && 'file' in file.link ? null : file.link?.uuid
  const looks: Look[] = []
  const rank = (candidate: Candidate) => (candidate.resource === undefined ? 2 : isSameContent(candidate) ? 0 : 1)
  for (const candidate of candidates.toSorted((a, b) => rank(a) - rank(b))) {
    if (!candidate.resource && !isSameContent(candidate)) continue
    const {name, platform} = file
    const wanted = {name, platform, sha256, size, isLinked: link !== undefined}
    const look = await lookAt(candidate, wanted, options, provable.has(candidate))
    looks.push(look)
    if ('proof' in look.presence && look.presence.link === link) break
  }
  // A copy has no room for more, which is most of an array that was pushed to: there may be one for each of very many files.
  return {sha256, looks: looks.slice()}
}

async function lookAt(
  candidate: Candidate,
  wanted: WantedContent,
  options: FactOptions,
  isProvable: boolean,
): Promise<Look> {
  const {uuid, resource, own: uploads} = candidate
  const {container, presence: rule, readsBytes} = options
  const own = uploads.find(({done}) => done.sha256 === wanted.sha256)
  const isOther = !own && !readsBytes && uploads.length > 0 && uploads.every(({done}) => done.sha256 !== null)
  const known = own && 'ledger'
  const isUnlisted = resource === undefined
  const presence =
    isProvable && !isOther
      ? await rule.check({container, uuid}, {...wanted, known, isUnlisted}, resource)
      : await lookUnread(candidate, wanted.size, options)
  return {uuid, presence, own, isOwn: uploads.length > 0, isUnlisted}
}

/** For a resource without proof: an upload of this machine is another file, else HEAD says whether it is complete. */
async function lookUnread({uuid, own}: Candidate, size: number | undefined, {container, presence}: FactOptions) {
  return own.length > 0 ? unproven : presence.unproven({container, uuid}, size)
}

/** Whether reading can prove a resource to be a file of this size: it has a stamp, or may have one; this machine uploaded it; by its bytes. */
function mayBeProven({resource, own}: Candidate, size: number, options: FactOptions): boolean {
  const {readsBytes, readsUnproven} = options
  return (
    readsBytes ||
    readsUnproven ||
    !resource?.isDescribed ||
    resource.stamp !== undefined ||
    own.some((candidate) => candidate.size === size)
  )
}

/** An unfinished upload of the ledger is no candidate, despite listing and stamp, unless its bytes are read. */
function candidatesFor(
  file: ComparedFile,
  {byName, listed, finished, unfinishedUuids, readsBytes}: Facts,
): Candidate[] {
  const uploads = finished.get(nameAndPlatform(file)) ?? []
  return (byName.get(file.name) ?? []).flatMap((uuid) => {
    const resource = listed.get(uuid)
    const own = uploads.filter(({done}) => done.uuid === uuid)
    if (own.length === 0 && !readsBytes && unfinishedUuids.has(uuid)) return []
    return resource && isListedAs(resource, file) ? [{uuid, resource, own}] : []
  })
}

/** Finished uploads of this machine that the listing, which may be late or cut, does not show. */
function unlistedFor(file: ComparedFile, size: number, {finished, listed}: Facts): Candidate[] {
  const uploads = finished.get(nameAndPlatform(file)) ?? []
  const hidden = uploads.filter(
    (upload) => upload.size === size && upload.done.sha256 !== null && !listed.has(upload.done.uuid),
  )
  return hidden.map((own) => ({uuid: own.done.uuid, resource: undefined, own: [own]}))
}

/** Asked at once: the way to another thread and back takes longer. */
function sizeOf({key, path}: ComparedFile): number {
  const cannot = (why: string) => fileFailure(`cannot read ${key}`, {why})
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
  return failureWith('interrupted', interruptedUnsent, {isNotice: true})
}

/** A manifest can say what a file must be: a wrong one is not to reach the service. */
function assertManifestDigests(files: readonly ComparedFile[], facts: ReadonlyMap<string, LocalFacts>): void {
  const wrong = files.filter(({key, sha256}) => sha256 !== undefined && facts.get(key)?.sha256 !== sha256)
  const [first] = wrong
  if (first === undefined) return
  const others = wrong.length === 1 ? '' : ` and ${wrong.length - 1} more`
  throw fileFailure(`${first.key}${others} is not the file that the manifest names; nothing was sent`, {
    code: 'bytes-differ',
    why: `its sha256 is ${facts.get(first.key)?.sha256}, not ${first.sha256}`,
    try: 'rebuild the file, or correct its sha256 in the manifest',
  })
}
