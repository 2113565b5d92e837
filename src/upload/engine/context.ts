import type {Access} from '../../api/client/request/request.js'
import type {Ledger} from '../ledger/entry.js'
import type {UploadEvent} from '../model/event.js'
import type {UploadJob, UploadResult, UploadSettings} from '../model/job.js'

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
