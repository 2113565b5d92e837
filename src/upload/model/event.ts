import type {Failure} from '../../api/contract/failure.js'
import type {UploadResult} from './job.js'

/** What happens to the files of a run, for a view to draw. Offsets and sizes are bytes. */
export type UploadEvent =
  /** Work on a file begins; `from` is what an earlier run has had acknowledged. */
  | {readonly kind: 'begun'; readonly key: string; readonly size: number; readonly from: number}
  /** Bytes left for the service. They may be lost; only shows that the upload is alive. */
  | {readonly kind: 'sent'; readonly key: string; readonly bytes: number}
  /** The service has this much. */
  | {readonly kind: 'acked'; readonly key: string; readonly offset: number}
  /** Nothing is sent for a while: the service asked for it, or failed; `why` is a phrase without a full stop. */
  | {readonly kind: 'waiting'; readonly key: string; readonly ms: number; readonly why: string}
  /** The upload begins again at 0, as a new one; `why` is a phrase without a full stop. */
  | {readonly kind: 'renewed'; readonly key: string; readonly why: string}
  /** Something a person should know, said once for a run; a sentence without a full stop. */
  | {readonly kind: 'warned'; readonly text: string}
  | {readonly kind: 'done'; readonly key: string; readonly result: UploadResult}
  | {readonly kind: 'failed'; readonly key: string; readonly failure: Failure}
