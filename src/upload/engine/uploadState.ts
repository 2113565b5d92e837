import type {Upload} from 'tus-js-client'
import type {Access} from '../../api/client/request/request.js'
import {Failure} from '../../failure.js'
import {SkipTarget} from '../../selection/run.js'
import type {ResourceFacts, ResourceIdentity} from '../download/identify.js'
import {wholeUpTo} from '../files/localFile.js'
import type {Chunk, LedgerEntry, UploadTarget} from '../ledger/entry.js'
import type {Claim, Ledger} from '../ledger/ledger.js'
import type {Algorithm, UploadEvent, UploadJob, UploadResult, UploadSettings} from '../model/job.js'
import {endpointOf, isUploadOf} from './addresses.js'
import type {ChunkSize} from './chunkSize.js'
import type {Content, SentDigest} from './content.js'
import {brokenCode, foreignCode, interrupted} from './failures.js'
import type {FileSource} from './fileSource.js'
import {RateLimit} from './rateLimit.js'

export interface UploadContext {
  readonly access: Access
  readonly ledger: Ledger
  readonly settings: UploadSettings
  readonly emit: (event: UploadEvent) => void
  readonly now: () => Date
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
  /** The uuids of what the container of a job lists under its name, for its platform. Throws Failure if it cannot be listed. */
  readonly listedAs: (job: UploadJob) => Promise<readonly string[]>
  /** Compares a resource with the file of a job. Throws the Failure of a read. */
  readonly identify: (job: UploadJob, resource: ResourceFacts) => Promise<ResourceIdentity>
  /** How many bytes the dataUrl of an unfinished upload has; undefined if nothing says it. */
  readonly storedBytes: (job: UploadJob, uuid: string) => Promise<number | undefined>
  readonly holdsSecret?: (text: string) => boolean
}

export interface Uploader {
  /** Uploads a file, or the rest of it. Throws Failure; the ledger then has the offset. */
  upload(job: UploadJob): Promise<UploadResult>
  close(): Promise<void>
}

export type Run = ReturnType<typeof openRun>

export function openRun(context: UploadContext) {
  let library: Promise<{readonly Upload: typeof Upload}> | undefined
  const {bytesPerSecond, checksum} = context.settings
  return {
    context,
    service: new ServerCapabilities(),
    /** Of Upload-Checksum, where checksums were not turned off. */
    algorithm: checksum === 'none' ? undefined : checksum,
    rate: bytesPerSecond === undefined ? undefined : new RateLimit(bytesPerSecond, context),
    /** tus-js-client, which is loaded with the first file. */
    library: () => {
      library ??= import('tus-js-client')
      return library
    },
  }
}

const unusable: readonly (string | undefined)[] = [foreignCode, brokenCode]

/** Capabilities of the service, learned once for all files of a run. */
export class ServerCapabilities {
  head: 'unknown' | 'yes' | 'no' = 'unknown'
  /** Whether it takes Upload-Checksum with the algorithm of this run. */
  checksum: 'unproven' | 'accepted' | 'refused' = 'unproven'
  /** Tus-Max-Size. */
  sizeLimit: Promise<number | undefined> | undefined
  /** The largest chunk that is tried, after larger ones were lost or refused. */
  largest = Number.POSITIVE_INFINITY
  readonly #said = new Set<string>()
  /** The first creation of the run. */
  #first: Promise<unknown> | undefined
  /** It gives uploads no address that may be used. */
  #isUnusable = false

  /** Whether a warning is to be given, which is given once in a run. */
  isNews(warning: 'location' | 'unkept'): boolean {
    return !this.#said.has(warning) && Boolean(this.#said.add(warning))
  }

  /**
   * Creates an upload, the first of a run before any other: an address that must not be used is the fault of all. Throws a
   * SkipTarget for the others.
   */
  creating<T>(create: () => Promise<T>): Promise<T> {
    const begun = this.#first ? this.#first.then(() => this.#afterFirst(create)) : create()
    const created = begun.catch((error: unknown) => {
      this.#isUnusable ||= error instanceof Failure && unusable.includes(error.facts.code)
      throw error
    })
    this.#first ??= created.catch(() => undefined)
    return created
  }

  #afterFirst<T>(create: () => Promise<T>): Promise<T> {
    if (this.#isUnusable) throw new SkipTarget('not-tried', 'not started: the service gives uploads no usable address')
    return create()
  }
}

/** Sends nothing of a file for this time, and says why. Throws Failure (interrupted). */
export async function waitFor({context}: Run, job: UploadJob, ms: number, why: string): Promise<void> {
  context.emit({kind: 'waiting', key: job.key, ms, why})
  await context.sleep(ms, context.signal)
  if (context.signal.aborted) throw interrupted(job)
}

export interface UploadItem {
  readonly job: UploadJob
  readonly target: UploadTarget
  readonly source: FileSource
  readonly content: Content
  readonly sample: string
  readonly id: string
  readonly claim: Claim
}

export interface ResumableUpload {
  readonly entry: LedgerEntry
  readonly url: URL
  readonly acked: number
  /** Up to this offset the file certainly equals the bytes that were sent. */
  readonly provenTo: number
}

export interface Transfer {
  readonly run: Run
  readonly item: UploadItem
  readonly state: UploadState
  readonly records: UploadRecords
  readonly chunkSize: ChunkSize
  /** Of a large file, or one with a stamp, which the bytes must prove. */
  readonly sent: SentDigest | undefined
}

/** The known progress of an upload. Offsets are bytes. */
export class UploadState {
  url: URL | undefined
  /** The end of what the service has, as it last said. */
  acked: number
  /** The assumed offset of a service without HEAD. */
  assumed: number
  /** More than this it cannot have, or not of this file. */
  maxOffset: number
  /** Ends of parts whose answers were lost, in this run or an earlier one: possible offsets. */
  readonly #lostEnds: Set<number>
  readonly #refused = new Set<number>()
  /** The furthest offset so far; only more counts as progress. */
  furthestOffset: number
  resumedFrom: number | undefined
  sentBytes: number
  /** A request has no certain answer that makes the file whole at the service: its creation, or its last bytes. */
  inDoubt: boolean
  last = {size: 0, checksummed: false}
  readonly #isResumed: boolean
  readonly #startsAt: number

  constructor(resumed: ResumableUpload | undefined, sentBytes: number) {
    this.sentBytes = sentBytes
    this.#isResumed = resumed !== undefined
    this.url = resumed?.url
    this.acked = resumed?.acked ?? 0
    this.maxOffset = resumed?.provenTo ?? 0
    const lost = resumed ? lostParts(resumed.entry) : []
    // A part sent from beyond the acknowledged offset followed a refusal there.
    const from = lost.at(-1)?.from ?? 0
    this.assumed = from > this.acked && from <= this.maxOffset ? from : this.acked
    this.#lostEnds = new Set(lost.map(({to}) => to))
    this.furthestOffset = this.acked
    this.#startsAt = this.acked
    this.inDoubt = resumed !== undefined && this.#lostEnds.has(resumed.entry.size)
  }

  /** Whether it is of an earlier run, and nothing was sent in this one. */
  get isUntried(): boolean {
    return this.#isResumed && this.sentBytes === 0
  }

  /** Whether it is of an earlier run, and the service has not accepted anything of it in this one. */
  get isUnproven(): boolean {
    return this.#isResumed && this.furthestOffset === this.#startsAt
  }

  /** Whether it is new, and no answer to a part was lost. */
  get isCertain(): boolean {
    return !this.#isResumed && this.#lostEnds.size === 0
  }

  /** Whether the service refused an assumed offset since it last acknowledged one. */
  get isRefusedWithoutHead(): boolean {
    return this.#refused.size > 0
  }

  sending({to, size, checksummed}: {to: number; size: number; checksummed: boolean}): void {
    this.maxOffset = Math.max(this.maxOffset, to)
    this.last = {size, checksummed}
  }

  /** A part was sent up to here, and the service may or may not have taken it. */
  lost(to: number): void {
    this.#lostEnds.add(to)
  }

  /** The offset is known, and the upload continues there. */
  resume(): void {
    if (this.isUntried) this.resumedFrom ??= this.assumed
  }

  acknowledge(offset: number): void {
    this.acked = offset
    this.assumed = offset
    this.inDoubt = false
    this.furthestOffset = Math.max(this.furthestOffset, offset)
    this.#lostEnds.clear()
    this.#refused.clear()
  }

  /** Without HEAD, the assumed offset was refused. Takes what the service says, else the end of a lost part; false if nothing is left. */
  tryNextOffset(said: number | undefined): boolean {
    this.#refused.add(this.assumed)
    const ends = [...this.#lostEnds].sort((one, other) => one - other)
    const next = [...(said === undefined ? [] : [said]), ...ends].find(
      (end) => end <= this.maxOffset && !this.#refused.has(end),
    )
    if (next === undefined) return false
    this.assumed = next
    return true
  }
}

/** The parts of an earlier run's upload whose answers were lost. A small file that is sent whole is not recorded as on its way. */
function lostParts({acked, inFlight = [], size}: LedgerEntry): readonly Chunk[] {
  const isUnrecorded = size <= wholeUpTo && acked.length === 0 && inFlight.length === 0
  return isUnrecorded ? [{from: 0, to: size}] : inFlight
}

/**
 * Records the progress of an upload in the ledger, with digests for a later run. A record precedes its request, so a kill loses none.
 * Waits for the disk at the end of a large file; for small ones at the end of the run, and one sent whole has no record of its
 * parts.
 */
export class UploadRecords {
  readonly #isSmall: boolean

  constructor(
    private readonly run: Run,
    private readonly item: UploadItem,
    private readonly algorithm: Algorithm | undefined,
  ) {
    this.#isSmall = item.source.size <= wholeUpTo
  }

  begin(): void {
    const {job, target, source, sample, claim} = this.item
    const facts = {...target, path: job.path, size: source.size, sample, stamp: source.stamp, creating: true} as const
    claim.begin(this.algorithm ? {...facts, algorithm: this.algorithm} : facts)
  }

  /** The service has created it, at this address. The ledger holds no credential, and no address that would not be used again. */
  created(url: URL): void {
    const {service, context} = this.run
    const {claim, job} = this.item
    const isSecret = context.holdsSecret?.(url.href) ?? false
    const isKept = !isSecret && isUploadOf(url, endpointOf(context.access, job.container))
    if (isKept) claim.created(url.href)
    if (isKept || !service.isNews('unkept')) return
    const why = isSecret
      ? 'the service puts the token into the addresses of uploads'
      : 'the addresses of uploads are outside their container or have a query'
    context.emit({kind: 'warned', text: `${why}, so they are not kept: an interrupted upload starts over`})
  }

  async sending(from: number, to: number): Promise<void> {
    if (!this.#isSmallWhole(from, to)) this.item.claim.sending(await this.#chunk(from, to))
  }

  async acked(from: number, to: number): Promise<void> {
    if (!this.#isSmallWhole(from, to)) this.item.claim.acked(await this.#chunk(from, to))
  }

  async done(facts: {uuid: string; sha256: string}): Promise<void> {
    const {claim} = this.item
    if (this.run.context.holdsSecret?.(facts.uuid)) claim.forget()
    else claim.done(facts)
    if (!this.#isSmall) await this.run.context.ledger.sync()
  }

  #isSmallWhole(from: number, to: number): boolean {
    return this.#isSmall && from === 0 && to === this.item.source.size
  }

  async #chunk(from: number, to: number): Promise<Chunk> {
    if (!this.algorithm) return {from, to}
    return {from, to, digest: await this.item.content.digest(from, to, this.algorithm)}
  }
}
