import type {Algorithm} from '../model/job.js'

/** What the thread that computes digests is asked for. `id` stands in the answer; `file` names a file for as long as it is known. */
export type DigestRequest =
  /** The digest of a part of a file; its whole digest goes on with the same bytes if it had come to `from`. */
  | {
      readonly kind: 'part'
      readonly id: number
      readonly file: number
      readonly fd: number
      readonly from: number
      readonly to: number
      readonly algorithm: Algorithm
    }
  /** Begins the digest (sha256) of a whole file. */
  | {readonly kind: 'begin'; readonly file: number; readonly fd: number}
  /** Lets the digest of a whole file go on up to `to`, whenever there is nothing else to do. */
  | {readonly kind: 'roll'; readonly file: number; readonly to: number}
  /** The digest of a whole file, once it has come to `to`. */
  | {readonly kind: 'whole'; readonly id: number; readonly file: number; readonly to: number}
  /** Uses the descriptor no more once this is answered. */
  | {readonly kind: 'forget'; readonly id: number; readonly file: number}

/**
 * `digest`: base64 of a part, hex of a whole file, empty where nothing was asked. `failure`: why there is none; an error loses the
 * system's code on its way between threads, so the code goes by itself.
 */
export type DigestAnswer =
  | {readonly id: number; readonly digest: string}
  | {readonly id: number; readonly failure: {readonly message: string; readonly code: string | undefined}}
