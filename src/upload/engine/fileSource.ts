import {type BigIntStats, closeSync, constants, fstatSync, openSync, read, readSync, statSync} from 'node:fs'
import {promisify} from 'node:util'
import {CHUNK_SENT} from '../../api/http/wire/transport.js'
import {Failure, fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {fileStampOf} from '../files/localFile.js'
import type {FileStamp} from '../ledger/entry.js'
import type {UploadJob} from '../model/job.js'

/**
 * Two for each file. Blocks of half the size take a tenth more CPU; larger ones take much memory for many files at a time, and look
 * stalled on a slow line.
 */
const blockBytes = 512 * 1024

const readLater = promisify(read)

/** Whether a file still has what was sent of it; `unproven` if no digest shows it. */
export type Sameness = 'same' | 'changed' | 'unproven'

/** How often a file is compared that is touched meanwhile. */
const mostCompared = 5

/** A file that is uploaded, by one descriptor, so that another file under its name changes nothing. Its Failure (file) stays in `failure`. */
export class FileSource {
  readonly size: number
  readonly stamp: FileStamp
  #reading: Promise<unknown> = Promise.resolve()
  #failure: Failure | undefined
  #compare: (to: number) => Promise<Sameness> = async () => 'changed'
  #isUnproven = false

  constructor(
    private readonly key: string,
    private readonly fd: number,
    private stats: BigIntStats,
  ) {
    this.size = Number(stats.size)
    this.stamp = fileStampOf(stats)
  }

  get failure(): Failure | undefined {
    return this.#failure
  }

  /** How the file is compared, up to an offset, once its mode, owner or time has changed. */
  compareBy(compare: (to: number) => Promise<Sameness>): void {
    this.#compare = compare
  }

  /** Whether the upload has to start over, since nothing shows that the content is the same; asked once. */
  takeUnproven(): boolean {
    const isUnproven = this.#isUnproven
    this.#isUnproven = false
    return isUnproven
  }

  /** Blocks, each read ahead while the one before is sent, and used again. Yields the last one only if the file was not written meanwhile. */
  async *stream(
    from: number,
    to: number,
    left: (part: Uint8Array) => void,
  ): AsyncGenerator<Uint8Array, void, typeof CHUNK_SENT | undefined> {
    const free: Buffer[] = []
    let at = from
    let next = this.#ahead(free, at, to)
    while (at < to) {
      const {block, bytes, filled} = next
      await filled
      at += bytes
      if (at < to) next = this.#ahead(free, at, to)
      else await this.#assertSame(to)
      const part = block.subarray(0, bytes)
      const isFree = (yield part) === CHUNK_SENT
      left(part)
      if (isFree) free.push(block)
    }
  }

  /** A part, read synchronously: of small files, the way to another thread takes longer than the reading. */
  readNow(from: number, to: number): Buffer {
    const part = Buffer.allocUnsafe(to - from)
    for (let tries = 1, was = this.#now(); ; tries += 1) {
      this.#readAt(part, from)
      // What is written meanwhile may be in it in part.
      const now = this.#now()
      if (!isTouched(was, now)) return part
      if (tries === mostCompared) throw this.#changed('it was changed')
      was = now
    }
  }

  #readAt(part: Buffer, from: number): void {
    try {
      for (let filled = 0; filled < part.length; ) {
        filled += this.#came(readSync(this.fd, part, filled, part.length - filled, from + filled))
      }
    } catch (error) {
      throw error instanceof Failure ? error : this.#unreadable(error)
    }
  }

  /** Throws Failure if the file has another size than when it was opened. */
  #now(): BigIntStats {
    const now = fstatSync(this.fd, {bigint: true})
    if (now.size !== this.stats.size)
      throw this.#changed(now.size < this.stats.size ? 'it was truncated' : 'it was changed')
    return now
  }

  /** Throws Failure if the file was written since it was opened; of one that was only touched the content is compared. */
  async #assertSame(to: number): Promise<void> {
    for (let tries = 0, now = this.#now(); isTouched(this.stats, now); now = this.#now()) {
      tries += 1
      const sameness = tries > mostCompared ? 'changed' : await this.#compare(to)
      if (sameness === 'changed') throw this.#changed('it was changed')
      this.stats = now
      this.#isUnproven = sameness === 'unproven'
      if (this.#isUnproven) throw new Error('nothing shows whether the file was changed')
    }
  }

  /** The change of the file at its path; undefined if it is still the opened one. */
  movedAway(path: string): 'deleted' | 'replaced' | 'changed' | undefined {
    const now = statSync(path, {bigint: true, throwIfNoEntry: false})
    if (now === undefined) return 'deleted'
    const was = this.stats
    if (now.dev !== was.dev || now.ino !== was.ino) return 'replaced'
    return now.size === was.size && now.mtimeNs === was.mtimeNs ? undefined : 'changed'
  }

  async close(): Promise<void> {
    // An abandoned read must not see the descriptor reused.
    await this.#reading
    closeSync(this.fd)
  }

  #ahead(free: Buffer[], from: number, to: number): {block: Buffer; bytes: number; filled: Promise<void>} {
    const block = free.pop() ?? Buffer.allocUnsafeSlow(blockBytes)
    const bytes = Math.min(blockBytes, to - from)
    const filled = this.fill(block.subarray(0, bytes), from)
    // Awaited in the next round, or never, if the reader stops.
    this.#reading = filled.catch(() => undefined)
    return {block, bytes, filled}
  }

  /** Reads a part off the main thread. Throws Failure. */
  async fill(part: Buffer, from: number): Promise<void> {
    for (let filled = 0; filled < part.length; ) {
      const reading = readLater(this.fd, part, filled, part.length - filled, from + filled)
      const {bytesRead} = await reading.catch((error) => {
        throw this.#unreadable(error)
      })
      filled += this.#came(bytesRead)
    }
  }

  /** The number of bytes that came; none is the end of a file that was longer. */
  #came(bytes: number): number {
    if (bytes > 0) return bytes
    // It may have its old size again by now.
    this.#now()
    throw this.#changed('it was changed')
  }

  #unreadable(error: unknown): Failure {
    return this.#fail(cannotRead(this.key, error))
  }

  #changed(what: string): Failure {
    return this.#fail(
      fileFailure(`cannot upload ${this.key}: ${what} while it was uploaded`, {
        cause: `${what} while it was uploaded`,
        code: 'file-changed',
        why: 'the service would have a mixture of the old and the new file',
        try: 'run the command again once nothing writes the file any more; it then starts over',
      }),
    )
  }

  #fail(failure: Failure): Failure {
    this.#failure ??= failure
    return this.#failure
  }
}

/** Whether a file may have been written between two looks. That its name was taken away changes nothing in it. */
function isTouched(was: BigIntStats, now: BigIntStats): boolean {
  return now.mtimeNs !== was.mtimeNs || (now.ctimeNs !== was.ctimeNs && now.nlink === was.nlink)
}

export function openSource({key, path}: Pick<UploadJob, 'key' | 'path'>): FileSource {
  const fd = opened(key, path)
  try {
    const stats = fstatSync(fd, {bigint: true})
    if (!stats.isFile()) throw notAFile(key, stats)
    return new FileSource(key, fd, stats)
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function opened(key: string, path: string): number {
  try {
    // Without O_NONBLOCK opening a pipe would wait for a writer.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw cannotRead(key, error)
  }
}

function cannotRead(key: string, error: unknown): Failure {
  const cause = systemReason(error)
  return fileFailure(`cannot upload ${key}: ${cause}`, {cause}, {cause: error})
}

function notAFile(key: string, stats: BigIntStats): Failure {
  const what = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a pipe' : 'a device'
  const cause = `it is ${what}, and only an ordinary file can be uploaded`
  return fileFailure(`cannot upload ${key}: ${cause}`, {cause})
}
