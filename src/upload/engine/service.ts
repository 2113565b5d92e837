import type {UploadSettings} from '../model/job.js'

/**
 * What a run learns of the service. It holds for every file of the run: one of them finds it out, and the others need not.
 */
export class UploadService {
  /** Whether it tells by HEAD how far an upload is. */
  head: 'unknown' | 'yes' | 'no' = 'unknown'
  /** Whether it takes Upload-Checksum with the algorithm of this run. */
  checksum: 'unproven' | 'accepted' | 'refused' = 'unproven'
  /** Whether it was said that addresses of its uploads are not kept. */
  isUnkeptTold = false
  /** The largest chunk that is tried, after larger ones were refused. */
  largest = Number.POSITIVE_INFINITY
  /** HEAD is being tried. */
  probing: Promise<void> | undefined
  #pause: {readonly ms: number; readonly why: string; readonly over: Promise<unknown>} | undefined

  /** Lets nothing be sent until `over` settles; `ms` and `why` are for those who wait. Joins a pause that is on. */
  pause(ms: number, why: string, over: Promise<void>): void {
    const pause = {ms, why, over: Promise.all([this.#pause?.over, over])}
    this.#pause = pause
    const end = () => {
      if (this.#pause === pause) this.#pause = undefined
    }
    pause.over.then(end, end)
  }

  /** Waits as long as the run pauses; `held` is told of it. */
  async pass(held: (ms: number, why: string) => void): Promise<void> {
    for (let pause = this.#pause; pause; pause = this.#pause) {
      held(pause.ms, pause.why)
      await pause.over
    }
  }
}

const mebibyte = 1024 * 1024

/** No smaller chunks are tried than this. */
const least = mebibyte / 16
/** Where the service tells how far it is, and where it does not: a chunk is what is sent again at most. */
const usual = {head: 64 * mebibyte, noHead: 16 * mebibyte}
/** After this many chunks in a row, twice as much is tried again. */
const enough = 8

/** Files up to this size are one chunk, whether the service answers HEAD or not. */
export const headMatters = usual.noHead

/** How much of a file is sent at a time. It shrinks where chunks are lost or refused, and grows again where they arrive. */
export class ChunkSize {
  readonly #settings: UploadSettings
  readonly #service: UploadService
  #limit = Number.POSITIVE_INFINITY
  #arrived = 0

  constructor(settings: UploadSettings, service: UploadService) {
    this.#settings = settings
    this.#service = service
  }

  get bytes(): number {
    return Math.min(this.#wanted(), this.#service.largest, this.#limit)
  }

  /** What the first part will most likely be, while it is not known whether the service answers HEAD. */
  get likely(): number {
    return this.#service.head === 'unknown'
      ? Math.min(this.#settings.chunkBytes ?? usual.head, this.#limit)
      : this.bytes
  }

  /** Whether a chunk of this size can be cut smaller. */
  canShrink(size: number): boolean {
    return size > least
  }

  /** A chunk of this size was lost: the file continues with a smaller one. The last of the `tries` that are left is the smallest. */
  lost(size: number, tries: number): void {
    const parts = size / least
    this.#limit = Math.max(1, Math.floor(parts ** (1 - 1 / Math.max(1, tries)))) * least
    this.#arrived = 0
  }

  /** A chunk of this size was refused: no file of the run tries one so large. */
  refused(size: number): void {
    this.#service.largest = Math.min(this.#service.largest, half(size))
  }

  arrived(): void {
    this.#arrived += 1
    if (this.#arrived % enough === 0) this.#limit *= 2
  }

  #wanted(): number {
    const {checksum, chunkBytes} = this.#settings
    if (chunkBytes !== undefined) return chunkBytes
    if (this.#service.head !== 'yes') return usual.noHead
    return checksum === 'none' ? Number.POSITIVE_INFINITY : usual.head
  }
}

function half(size: number): number {
  return Math.max(least, Math.floor(size / 2))
}
