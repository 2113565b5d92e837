import {createHash, type Hash} from 'node:crypto'
import {CHUNK_SENT} from '../../api/http/wire/transport.js'
import {fileFailure} from '../../failure.js'
import {sampleFrom, sampleOfWhole, wholeUpTo} from '../files/localFile.js'
import {type Algorithm, stampOf, type UploadJob} from '../model/job.js'
import type {Blocks, FileSource} from './fileSource.js'

/** The content of a file, for sending it. Offsets are bytes. Throws Failure (file) if it cannot be read. */
export interface Content {
  sample(): Promise<string>
  /** The digest (base64) of a part. It is computed once, however often it is asked for, until `reread`. */
  digest(from: number, to: number, algorithm: Algorithm): Promise<string>
  ahead(from: number, to: number, algorithm: Algorithm | undefined): void
  /** The bytes of a part, to be sent. `left` is called with those that were sent, or are in memory and about to be. */
  body(from: number, to: number, left: (part: Uint8Array) => void): Promise<Uint8Array | AsyncIterable<Uint8Array>>
  reread(): void
  sha256(): Promise<string>
  /** Lets go of the file. `clean`: nothing that was sent can still be waiting to be written. */
  release(clean: boolean): Promise<void>
}

interface ContentTools {
  readonly blocks: Blocks
  /** The digest of a stamped file is known: the last part is held in memory while what was sent is compared with it. */
  readonly isStamped: boolean
  /** Throws Failure (interrupted) once the run is: a digest may take minutes. */
  readonly assertGoing: () => void
}

/** Small files are read once and hashed in memory; larger ones beside the sending. */
export function contentOf(source: FileSource, tools: ContentTools): Content {
  return source.size <= wholeUpTo ? smallContent(source, tools) : largeContent(source, tools)
}

function smallContent(source: FileSource, {blocks}: ContentTools): Content {
  const block = blocks.take()
  let whole: Buffer | undefined
  const all = () => {
    whole ??= source.readNow(0, source.size, block)
    return whole
  }
  let sha256: string | undefined
  const digestOfAll = () => {
    sha256 ??= createHash('sha256').update(all()).digest('hex')
    return sha256
  }
  return {
    sample: async () => sampleOfWhole(source.size, digestOfAll()),
    digest: async (from, to, algorithm) => createHash(algorithm).update(all().subarray(from, to)).digest('base64'),
    ahead: () => undefined,
    body: async (from, to, left) => {
      const part = all().subarray(from, to)
      left(part)
      return part
    },
    reread: () => {
      whole = undefined
    },
    sha256: async () => digestOfAll(),
    release: async (clean) => {
      if (clean) blocks.give(block)
    },
  }
}

function largeContent(source: FileSource, {isStamped, assertGoing}: ContentTools): Content {
  const known = new Map<string, Promise<string>>()
  const digests = new FileDigests(source, !isStamped, assertGoing)
  const digest = (from: number, to: number, algorithm: Algorithm) => {
    const part = `${algorithm} ${from} ${to}`
    const computed = known.get(part) ?? digests.part(from, to, algorithm)
    known.delete(part)
    known.set(part, computed)
    for (const [oldest] of known) if (known.size > 4) known.delete(oldest)
    return computed
  }
  return {
    sample: async () =>
      sampleFrom(source.size, (from, bytes) => source.readNow(from, from + bytes, Buffer.allocUnsafe(bytes))),
    digest,
    ahead: (from, to, algorithm) => {
      if (algorithm) digest(from, to, algorithm).catch(() => undefined)
      // A resumed upload also hashes the bytes before the part.
      if (!isStamped) digests.roll(algorithm ? from : to).catch(() => undefined)
    },
    body: async (from, to, left) => {
      if (!isStamped || to < source.size) return source.stream(from, to, left)
      const held = source.readNow(from, to, Buffer.allocUnsafe(to - from))
      left(held)
      return held
    },
    reread: () => {
      known.clear()
      digests.restart()
    },
    sha256: () => digests.whole(),
    release: () => digests.end(),
  }
}

/** Fits into the cache of a core. */
const hashedBytes = 256 * 1024
/** After this many bytes, the digest of the whole file yields to waiting parts. */
const rolledBytes = 16 * 1024 * 1024

/** The digests of a large file, one read after the other, beside the sending. `isRolling`: the whole is digested with its parts. */
class FileDigests {
  readonly #block = Buffer.allocUnsafeSlow(hashedBytes)
  #whole = {hash: createHash('sha256'), at: 0}
  #turn: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(
    private readonly source: FileSource,
    private readonly isRolling: boolean,
    private readonly assertGoing: () => void,
  ) {}

  part(from: number, to: number, algorithm: Algorithm): Promise<string> {
    return this.#inTurn(async () => {
      const hash = createHash(algorithm)
      const isNext = this.isRolling && this.#whole.at === from
      await this.#feed(from, to, (bytes) => {
        hash.update(bytes)
        if (isNext) this.#advance(bytes)
      })
      return hash.digest('base64')
    })
  }

  /** Continues the digest of the whole file up to `to`. */
  async roll(to: number): Promise<void> {
    const step = async () => {
      const {at} = this.#whole
      await this.#feed(at, Math.min(to, at + rolledBytes), (bytes) => this.#advance(bytes))
    }
    while (this.#whole.at < to) await this.#inTurn(step)
  }

  async whole(): Promise<string> {
    await this.roll(this.source.size)
    return this.#whole.hash.copy().digest('hex')
  }

  /** Restarts the digest of the whole file, whose content may have changed. */
  restart(): void {
    this.#inTurn(async () => {
      this.#whole = {hash: createHash('sha256'), at: 0}
    })
  }

  /** Await it before closing the file: its descriptor can be reused for another file. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#turn
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  #advance(bytes: Uint8Array): void {
    this.#whole.hash.update(bytes)
    this.#whole.at += bytes.length
  }

  async #feed(from: number, to: number, take: (bytes: Uint8Array) => void): Promise<void> {
    for (let at = from; at < to; ) {
      this.assertGoing()
      if (this.#isOver) throw new Error('the digest is not needed any more')
      const bytes = this.#block.subarray(0, to - at)
      await this.source.fill(bytes, at)
      take(bytes)
      at += bytes.length
    }
  }
}

/** The last bytes of a stamped file go by themselves: they are held in memory between their digest and their sending. */
export const heldBytes = 256 * 1024

/**
 * A rolling sha256 of the sent bytes of a stamped file. If it contradicts the stamp, the last bytes are withheld: the upload
 * stays unfinished, and no resource has a wrong stamp.
 */
export class SentDigest {
  /** The digest and number of acknowledged bytes. */
  #acked: Hash = createHash('sha256')
  #at = 0
  #sending: Hash = this.#acked

  constructor(
    private readonly job: UploadJob,
    private readonly source: FileSource,
  ) {}

  /** A part is about to be sent from here on. What another run sent is read from the file, which was proven by then. */
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

  /** Throws Failure (file) if all that was sent, with the last part, is not what the stamp says. */
  assertStamp(): void {
    assertStamped(this.job, this.#sending.copy().digest('hex'), 'the upload is left unfinished')
  }

  async #read(to: number): Promise<void> {
    const reading = this.source.stream(this.#at, to, (part) => this.#acked.update(part))
    for (let step = await reading.next(); !step.done; step = await reading.next(CHUNK_SENT));
    this.#at = to
  }
}

/** Compares the digest of a file with the stamp of its job, if any; `left`: the consequence, in words. Throws Failure (file). */
export function assertStamped({key, description}: UploadJob, sha256: string, left: string): void {
  const stamp = stampOf(description)
  if (stamp === undefined || stamp === sha256) return
  const cause = `it has changed since it was read for its stamp; ${left}`
  throw fileFailure(`cannot upload ${key}: ${cause}`, {
    cause,
    code: 'file-changed',
    why: `its stamp is sha256 ${stamp}, and its content is ${sha256}: no bytes complete an upload whose stamp is wrong`,
    try: 'run the command again once nothing writes the file any more; it then starts over',
  })
}
