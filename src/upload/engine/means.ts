import type {Algorithm} from '../model/job.js'
import type {ChunkSize} from './chunkSize.js'
import type {Records} from './records.js'
import type {Parcel, Run} from './run.js'
import type {Standing} from './standing.js'

/** What the requests of one upload work with. */
export interface Means {
  readonly run: Run
  readonly parcel: Parcel
  readonly standing: Standing
  readonly chunkSize: ChunkSize
  readonly records: Records
}

/** A part of the file, as tus-js-client hands it from the file reader to the request. */
export interface Part {
  readonly from: number
  readonly to: number
  readonly size: number
}

/** Headers by name; those of an answer have lower-case names. */
export type Headers = Readonly<Record<string, string>>

/** The upload that was begun is of no use; `message` is a clause without a stop. */
export class BeginAnewError extends Error {
  override readonly name = 'BeginAnewError'
}

/** The algorithm of Upload-Checksum, where checksums were not turned off. */
export function wanted({run}: Pick<Means, 'run'>): Algorithm | undefined {
  const {checksum} = run.context.settings
  return checksum === 'none' ? undefined : checksum
}

/** Upload-Offset of an answer; undefined where there is none that is a number of bytes. */
export function offsetIn(headers: Headers): number | undefined {
  const text = headers['upload-offset']?.trim() ?? ''
  const offset = Number(text)
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(offset) ? offset : undefined
}
