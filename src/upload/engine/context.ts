import type {Upload} from 'tus-js-client'
import type {Access} from '../../api/client/request/request.js'
import type {UploadTarget} from '../ledger/entry.js'
import type {Claim, Ledger} from '../ledger/ledger.js'
import type {UploadEvent} from '../model/event.js'
import type {Algorithm, UploadJob, UploadResult, UploadSettings} from '../model/job.js'
import {Endpoints} from './addresses.js'
import {type Content, Digests} from './content.js'
import {RateLimit} from './rateLimit.js'
import {UploadService} from './service.js'
import {Blocks, type Source} from './source.js'

/** What the uploads of one run work with. */
export interface UploadContext {
  readonly access: Access
  readonly ledger: Ledger
  readonly settings: UploadSettings
  readonly emit: (event: UploadEvent) => void
  readonly now: () => Date
  readonly random: () => number
  /** Ends early, without an error, when the signal does. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ctrl-C, SIGTERM, SIGHUP. */
  readonly signal: AbortSignal
  /** The uuids of what the container of a job lists under its name, for its platform. Raises a Failure where it cannot be listed. */
  readonly listedAs: (job: UploadJob) => Promise<readonly string[]>
  /** Whether a resource proves, when it is read back, to be the file of a job; `sha256` is that of the file. */
  readonly holds: (job: UploadJob, uuid: string, sha256: string) => Promise<boolean>
  /** Whether a credential of this run stands in a text, in any spelling. */
  readonly holdsSecret?: (text: string) => boolean
  /** The file of the thread that computes digests beside the sending. */
  readonly digestThread: string
}

/** Uploads files one by one or several at a time; what it learns of the service holds for the whole run. */
export interface Uploader {
  /** Uploads a file, or the rest of it. Raises a Failure; the ledger then knows how far it came. */
  upload(job: UploadJob): Promise<UploadResult>
  close(): Promise<void>
}

/** What the uploads of one run share. */
export interface Run {
  readonly context: UploadContext
  readonly service: UploadService
  readonly endpoints: Endpoints
  readonly blocks: Blocks
  readonly digests: Digests
  /** Where the rate is limited. */
  readonly rate: RateLimit | undefined
  /** tus-js-client, which is loaded with the first file. */
  readonly library: () => Promise<{readonly Upload: typeof Upload}>
}

export function openRun(context: UploadContext): Run {
  let library: ReturnType<Run['library']> | undefined
  const {bytesPerSecond} = context.settings
  return {
    context,
    service: new UploadService(),
    endpoints: new Endpoints(context.access),
    blocks: new Blocks(),
    digests: new Digests(context.digestThread, context.signal),
    rate: bytesPerSecond === undefined ? undefined : new RateLimit(bytesPerSecond, context),
    library: () => {
      library ??= import('tus-js-client')
      return library
    },
  }
}

/** The algorithm of Upload-Checksum, where checksums were not turned off. */
export function checksumAlgorithm({context}: Run): Algorithm | undefined {
  const {checksum} = context.settings
  return checksum === 'none' ? undefined : checksum
}

/** What is to be brought to the service: a file that is open, where it goes, and the claim of its entry in the ledger. */
export interface UploadItem {
  readonly job: UploadJob
  readonly target: UploadTarget
  readonly source: Source
  readonly content: Content
  readonly sample: string
  readonly id: string
  readonly claim: Claim
}
