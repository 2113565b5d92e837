import type {Upload} from 'tus-js-client'
import type {Access} from '../../api/client/request/request.js'
import type {UploadTarget} from '../ledger/entry.js'
import type {Claim, Ledger} from '../ledger/ledger.js'
import type {UploadEvent, UploadJob, UploadResult, UploadSettings} from '../model/job.js'
import {type Content, Digests} from './content.js'
import {RateLimit} from './rateLimit.js'
import {Blocks, type Source} from './source.js'

export interface UploadContext {
  readonly access: Access
  readonly ledger: Ledger
  readonly settings: UploadSettings
  readonly emit: (event: UploadEvent) => void
  readonly now: () => Date
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
  /** The uuids of what the container of a job lists under its name, for its platform. Raises a Failure where it cannot be listed. */
  readonly listedAs: (job: UploadJob) => Promise<readonly string[]>
  /** Whether a resource, when it is read back, proves to be the file of a job; `sha256` is that of the file. */
  readonly holds: (job: UploadJob, uuid: string, sha256: string) => Promise<boolean>
  readonly holdsSecret?: (text: string) => boolean
  /** Reads the script of the thread that computes digests beside the sending. */
  readonly digestThread: () => string
}

export interface Uploader {
  /** Uploads a file, or the rest of it. Raises a Failure; the ledger then knows how far it came. */
  upload(job: UploadJob): Promise<UploadResult>
  close(): Promise<void>
}

export type Run = ReturnType<typeof openRun>

export function openRun(context: UploadContext) {
  let library: Promise<{readonly Upload: typeof Upload}> | undefined
  const {bytesPerSecond, checksum} = context.settings
  return {
    context,
    service: new UploadService(),
    blocks: new Blocks(),
    digests: new Digests(context.digestThread, context.signal),
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

/** What a run learns of the service: one file finds it out, and the others need not. */
export class UploadService {
  head: 'unknown' | 'yes' | 'no' = 'unknown'
  /** Whether it takes Upload-Checksum with the algorithm of this run. */
  checksum: 'unproven' | 'accepted' | 'refused' = 'unproven'
  /** The warning that addresses of its uploads are not kept was given. */
  isUnkeptSaid = false
  /** The largest chunk that is tried, after larger ones were refused. */
  largest = Number.POSITIVE_INFINITY
  probing: Promise<void> | undefined
  #pause: {readonly ms: number; readonly why: string; readonly over: Promise<unknown>} | undefined

  /** Lets nothing be sent until `over` settles, and whatever pause is on; `ms` and `why` are for those who wait. */
  pause(ms: number, why: string, over: Promise<void>): void {
    const pause = {ms, why, over: Promise.all([this.#pause?.over, over])}
    this.#pause = pause
    const end = () => {
      if (this.#pause === pause) this.#pause = undefined
    }
    pause.over.then(end, end)
  }

  /** Waits as long as the run pauses, and calls `held` where it does. */
  async pass(held: (ms: number, why: string) => void): Promise<void> {
    for (let pause = this.#pause; pause; pause = this.#pause) {
      held(pause.ms, pause.why)
      await pause.over
    }
  }
}

export interface UploadItem {
  readonly job: UploadJob
  readonly target: UploadTarget
  readonly source: Source
  readonly content: Content
  readonly sample: string
  readonly id: string
  readonly claim: Claim
}
