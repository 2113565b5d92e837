import {createHash, type Hash} from 'node:crypto'
import {Failure} from '../../api/contract/failure.js'
import {CHUNK_SENT} from '../../api/http/wire/transport.js'
import {stampOf} from '../model/stamp.js'
import type {UploadItem} from './context.js'

/** The last bytes of a stamped file go by themselves: they are held in memory between their digest and their sending. */
export const heldBytes = 256 * 1024

/** Where the part ends that begins at `from` and may be `bytes` long. */
export function partEnd({job, source}: Pick<UploadItem, 'job' | 'source'>, from: number, bytes: number): number {
  const to = Math.min(source.size, from + bytes)
  const isCut = to === source.size && to - from > heldBytes && stampOf(job.description) !== undefined
  return isCut ? to - heldBytes : to
}

/**
 * A rolling sha256 of the bytes that were sent of a stamped file. The stamp is with the service before the bytes are, so the last of
 * them are kept back where it would prove wrong: the upload then stays unfinished, and no resource has a stamp that lies.
 */
export class SentDigest {
  readonly #item: UploadItem
  /** The digest of what the service has acknowledged, and how much that is. */
  #acked: Hash = createHash('sha256')
  #at = 0
  /** The same with what is being sent. */
  #sending: Hash = this.#acked

  /** Of a job whose description has no stamp there is none. */
  static of(item: UploadItem): SentDigest | undefined {
    return stampOf(item.job.description) === undefined ? undefined : new SentDigest(item)
  }

  private constructor(item: UploadItem) {
    this.#item = item
  }

  /** A part is about to be sent from here on. What was sent before by another run is read from the file, which was proven by then. */
  async begin(from: number): Promise<void> {
    if (from < this.#at) {
      this.#acked = createHash('sha256')
      this.#at = 0
    }
    if (from > this.#at) await this.#read(from)
    this.#sending = this.#acked.copy()
  }

  update(bytes: Uint8Array): void {
    this.#sending.update(bytes)
  }

  /** The service has acknowledged up to `offset` of a part that ends at `to`. */
  accept(offset: number, to: number): void {
    // Of a part that came in pieces the digest is not known, and is read again.
    if (offset !== to) return
    this.#acked = this.#sending
    this.#at = offset
  }

  /** Raises a Failure (file) where all that was sent, with the last part, is not what the stamp says. */
  assertStamp(): void {
    assertStamped(this.#item.job, this.#sending.copy().digest('hex'), 'the upload is left unfinished')
  }

  async #read(to: number): Promise<void> {
    const reading = this.#item.source.stream(this.#at, to, (part) => this.#acked.update(part))
    for (let step = await reading.next(); !step.done; step = await reading.next(CHUNK_SENT));
    this.#at = to
  }
}

/** Holds the digest of a file to the stamp of its job, where it has one; `left` says what is done. Raises a Failure (file). */
export function assertStamped({key, description}: UploadItem['job'], sha256: string, left: string): void {
  const stamp = stampOf(description)
  if (stamp === undefined || stamp === sha256) return
  throw new Failure({
    exit: 'file',
    code: 'file-changed',
    message: `cannot upload ${key}: it has changed since it was read for its stamp; ${left}`,
    why: `its stamp is sha256 ${stamp}, and its content is ${sha256}: no bytes complete an upload whose stamp is wrong`,
    try: 'run the command again once nothing writes the file any more; it then starts over',
  })
}
