import {stampOf, type UploadJob, type UploadSettings} from '../model/job.js'
import {heldBytes} from './content.js'
import type {FileSource} from './fileSource.js'

const mebibyte = 1024 * 1024

/** A chunk is never made smaller than this by itself, and by `--chunk-size` than that. */
const least = mebibyte / 4
export const smallestChunk = '64KiB'
export const smallestChunkBytes = mebibyte / 16
/** A chunk is what a kill costs, so it follows the size of the file; `noHead`: at most, without HEAD. */
const usual = {part: 16, least: 4 * mebibyte, most: 64 * mebibyte, noHead: 16 * mebibyte}
/** A chunk that takes longer makes the next half as large; one that is quicker, twice as large. */
const slowMs = 5_000
const quickMs = 1_000

/** Limits of the service learned by the run (uploadState.ts). */
interface LearntLimits {
  readonly head: 'unknown' | 'yes' | 'no'
  largest: number
}

/** How much of a file is sent at a time. It shrinks if chunks are lost, refused or slow, and grows again, never to what was lost. */
export class ChunkSize {
  readonly #wanted: number
  #limit = Number.POSITIVE_INFINITY

  constructor(
    private readonly settings: UploadSettings,
    private readonly service: LearntLimits,
    fileBytes: number,
  ) {
    const part = Math.ceil(fileBytes / usual.part)
    this.#wanted = settings.chunkBytes ?? Math.min(usual.most, Math.max(usual.least, part))
  }

  get bytes(): number {
    const isFree = this.service.head === 'yes' || this.settings.chunkBytes !== undefined
    const most = isFree ? Number.POSITIVE_INFINITY : usual.noHead
    return Math.min(this.#wanted, this.#limit, this.service.largest, most)
  }

  /** Whether the size depends on whether the service answers HEAD. */
  get dependsOnHead(): boolean {
    return this.settings.chunkBytes === undefined && this.#wanted > usual.noHead
  }

  canShrink(size: number): boolean {
    return size > least
  }

  /** A chunk of this size was lost on its way, as is each that large behind the same proxy. The last of the `tries` left is the smallest. */
  lost(size: number, tries: number): void {
    const steps = Math.floor((size / least) ** (1 - 1 / Math.max(1, tries)))
    this.refused(size)
    this.#limit = Math.max(least, Math.min(Math.floor(size / 2), steps * least))
  }

  /** A chunk of this size was refused: no file of the run tries one so large. */
  refused(size: number): void {
    this.service.largest = Math.min(this.service.largest, Math.max(least, Math.floor(size / 2)))
  }

  /** A chunk was acknowledged after this time. A size that was asked for stays, however slow. */
  arrived(size: number, ms: number): void {
    if (ms < quickMs) this.#limit *= 2
    else if (ms > slowMs && this.settings.chunkBytes === undefined) this.#limit = Math.max(least, Math.floor(size / 2))
  }
}

export function partEnd(
  {job, source}: {readonly job: Pick<UploadJob, 'description'>; readonly source: Pick<FileSource, 'size'>},
  from: number,
  bytes: number,
): number {
  const to = Math.min(source.size, from + bytes)
  const isCut = to === source.size && to - from > heldBytes && stampOf(job.description) !== undefined
  return isCut ? to - heldBytes : to
}
