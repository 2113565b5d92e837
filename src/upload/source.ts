import type {BigIntStats} from 'node:fs'
import {constants, type FileHandle, open} from 'node:fs/promises'
import {Failure} from '../contract/failure.js'
import {LEFT} from '../http/transport.js'
import {type Blocks, smallestBlock} from './blocks.js'
import type {FileStamp} from './entry.js'
import type {UploadJob} from './job.js'
import {stampOf} from './proof.js'
import {systemReason} from './systemReason.js'

/** A block that went in this time was taken without delay, so the next one may be larger. */
const quickMs = 50

/**
 * A file that is uploaded: one descriptor from the first byte to the last, so that another file under its name, or none, makes no
 * difference. What it raises is a Failure (file), and stays in `failure`.
 */
export class Source {
  readonly size: number
  readonly stamp: FileStamp
  readonly #key: string
  readonly #file: FileHandle
  readonly #stats: BigIntStats
  readonly #blocks: Blocks
  readonly #leave: () => void
  #blockBytes = smallestBlock
  #failure: Failure | undefined

  constructor(key: string, file: FileHandle, stats: BigIntStats, blocks: Blocks) {
    this.#key = key
    this.#file = file
    this.#stats = stats
    this.#blocks = blocks
    this.#leave = blocks.enter()
    this.size = Number(stats.size)
    this.stamp = stampOf(stats)
  }

  /** The descriptor, for the thread that computes digests. */
  get fd(): number {
    return this.#file.fd
  }

  get failure(): Failure | undefined {
    return this.#failure
  }

  /**
   * The bytes `from` up to `to` in blocks that grow while they are taken quickly. While one is sent the next is read. `left` is
   * told how many bytes were taken each time. The last block is given only if nobody has written the file meanwhile.
   */
  async *stream(
    from: number,
    to: number,
    left: (bytes: number) => void,
  ): AsyncGenerator<Uint8Array, void, typeof LEFT | undefined> {
    const free: Buffer[] = []
    let at = from
    let next = this.#ahead(free, at, to)
    while (at < to) {
      const {block, bytes, filled} = next
      await filled
      at += bytes
      if (at < to) next = this.#ahead(free, at, to)
      else await this.assertUnchanged()
      const begun = performance.now()
      if ((yield block.subarray(0, bytes)) === LEFT) free.push(block)
      left(bytes)
      if (performance.now() - begun < quickMs) this.#blockBytes = Math.min(2 * this.#blockBytes, this.#blocks.largest)
    }
    for (const block of free) this.#blocks.give(block)
  }

  /** The bytes `from` up to `to`, of a part that fits into the block. */
  async read(from: number, to: number, block: Buffer): Promise<Buffer> {
    const part = block.subarray(0, to - from)
    await this.#fill(part, from)
    await this.assertUnchanged()
    return part
  }

  /** Raises a Failure where the file was written since it was opened. That its name was taken away changes nothing in it. */
  async assertUnchanged(): Promise<void> {
    const now = await this.#file.stat({bigint: true})
    const was = this.#stats
    const same = now.size === was.size && now.mtimeNs === was.mtimeNs
    if (!same || (now.ctimeNs !== was.ctimeNs && now.nlink === was.nlink)) throw this.#changed('it was changed')
  }

  /** Raises a Failure where the file of these stats is another one. */
  async assertIs({dev, ino}: BigIntStats): Promise<void> {
    if (dev !== this.#stats.dev || ino !== this.#stats.ino) throw this.#changed('another file took its place')
  }

  /** The Failure for an error of the system that came while somebody else read it; any other error is raised again. */
  unreadable(error: unknown): Failure {
    return this.#fail(cannotRead(this.#key, error))
  }

  async close(): Promise<void> {
    this.#leave()
    await this.#file.close()
  }

  /** Begins to read the next block, into a free one if there is any. */
  #ahead(free: Buffer[], from: number, to: number): {block: Buffer; bytes: number; filled: Promise<void>} {
    const block = free.pop() ?? this.#blocks.take()
    const bytes = Math.min(this.#blockBytes, this.#blocks.largest, to - from)
    const filled = this.#fill(block.subarray(0, bytes), from)
    // It is awaited in the next round, or never, where the reader stops.
    filled.catch(() => undefined)
    return {block, bytes, filled}
  }

  async #fill(part: Buffer, from: number): Promise<void> {
    for (let filled = 0; filled < part.length; ) {
      const {bytesRead} = await this.#file.read(part, filled, part.length - filled, from + filled).catch((error) => {
        throw this.unreadable(error)
      })
      if (bytesRead === 0) throw this.#changed('it has become shorter')
      filled += bytesRead
    }
  }

  #changed(what: string): Failure {
    return this.#fail(
      new Failure({
        exit: 'file',
        code: 'file-changed',
        message: `cannot upload ${this.#key}: ${what} while it was uploaded`,
        why: 'what the service has would be a mixture of the old file and the new one',
        try: 'run the command again once nothing writes the file any more; it then begins anew',
      }),
    )
  }

  #fail(failure: Failure): Failure {
    this.#failure ??= failure
    return this.#failure
  }
}

/** Opens a file for its upload. Raises a Failure (file) for what is no ordinary file, or cannot be opened. */
export async function openSource({key, path}: Pick<UploadJob, 'key' | 'path'>, blocks: Blocks): Promise<Source> {
  // Without O_NONBLOCK the opening of a pipe would wait for somebody to write into it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw cannotRead(key, error)
  })
  try {
    const stats = await file.stat({bigint: true})
    if (!stats.isFile()) throw notAFile(key, stats)
    return new Source(key, file, stats, blocks)
  } catch (error) {
    await file.close()
    throw error
  }
}

function cannotRead(key: string, error: unknown): Failure {
  return new Failure({exit: 'file', message: `cannot upload ${key}: ${systemReason(error)}`}, {cause: error})
}

function notAFile(key: string, stats: BigIntStats): Failure {
  const folder = stats.isDirectory()
  const what = folder ? 'a folder' : stats.isFIFO() ? 'a pipe' : 'a device'
  return new Failure({
    exit: 'file',
    message: `cannot upload ${key}: it is ${what}, and only an ordinary file can be uploaded`,
    try: folder ? 'name the files in it, or use roomctl asset sync CONTAINER FOLDER' : 'write it into a file first',
  })
}
