import {createHash, type Hash} from 'node:crypto'
import {fileFailure} from '../../failure.js'
import {sampleFrom, sampleOfWhole, wholeUpTo} from '../files/localFile.js'
import {type Algorithm, stampOf, type UploadJob} from '../model/job.js'
import {type FileSource, openSource} from './fileSource.js'

/** The content of a file, for sending it. Offsets are bytes. Throws Failure (file) if it cannot be read. */
export interface Content {
  sample(): Promise<string>
  /** The digest (base64) of a part. It is computed once, however often it is asked for, until `reread`. */
  digest(from: number, to: number, algorithm: Algorithm): Promise<string>
  read(from: number, to: number, take: (bytes: Uint8Array) => void): Promise<void>
  /** The bytes of a part, to be sent. `left` is called with those that were sent, or are in memory and about to be. */
  body(from: number, to: number, left: (part: Uint8Array) => void): Promise<Uint8Array | AsyncIterable<Uint8Array>>
  reread(): void
  sha256(): Promise<string>
  /** Await it before closing the file: its descriptor can be reused for another file. */
  release(): Promise<void>
}

interface ContentTools {
  /** The digest of a stamped file is known: the last part is held in memory while what was sent is compared with it. */
  readonly isStamped: boolean
  /** Throws Failure (interrupted) once the run is: a digest may take minutes. */
  readonly assertGoing: () => void
}

/** The sample of a file that is not being sent. Throws Failure (file). */
export async function sampleOf(file: Pick<UploadJob, 'key' | 'path'>): Promise<string> {
  const source = openSource(file)
  try {
    return await contentOf(source, {isStamped: false, assertGoing: () => undefined}).sample()
  } finally {
    await source.close()
  }
}

/** Small files are read once and hashed in memory; larger ones beside the sending. */
export function contentOf(source: FileSource, tools: ContentTools): Content {
  return source.size <= wholeUpTo ? smallContent(source) : largeContent(source, tools)
}

function smallContent(source: FileSource): Content {
  let whole: Buffer | undefined
  const all = () => {
    whole ??= source.readNow(0, source.size)
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
    read: async (from, to, take) => take(all().subarray(from, to)),
    body: async (from, to, left) => {
      const part = all().subarray(from, to)
      left(part)
      return part
    },
    reread: () => {
      whole = undefined
    },
    sha256: async () => digestOfAll(),
    release: async () => undefined,
  }
}

function largeContent(source: FileSource, {isStamped, assertGoing}: ContentTools): Content {
  const known = new Map<string, Promise<string>>()
  const reader = new FileReader(source, assertGoing)
  const digest = (from: number, to: number, algorithm: Algorithm) => {
    const part = `${algorithm} ${from} ${to}`
    const computed = known.get(part) ?? reader.digest(from, to, algorithm)
    known.delete(part)
    known.set(part, computed)
    for (const [oldest] of known) if (known.size > 4) known.delete(oldest)
    return computed
  }
  return {
    sample: async () => sampleFrom(source.size, (from, bytes) => source.readNow(from, from + bytes)),
    digest,
    read: (from, to, take) => reader.read(from, to, take),
    body: async (from, to, left) => {
      if (!isStamped || to < source.size) return source.stream(from, to, left)
      const held = source.readNow(from, to)
      left(held)
      return held
    },
    reread: () => known.clear(),
    sha256: async () => Buffer.from(await digest(0, source.size, 'sha256'), 'base64').toString('hex'),
    release: () => reader.end(),
  }
}

/** Fits into the cache of a core. */
const hashedBytes = 256 * 1024

/** Reads parts of a large file for their digests, one after the other, beside the sending. */
class FileReader {
  readonly #block = Buffer.allocUnsafeSlow(hashedBytes)
  #turn: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(
    private readonly source: FileSource,
    private readonly assertGoing: () => void,
  ) {}

  async digest(from: number, to: number, algorithm: Algorithm): Promise<string> {
    const hash = createHash(algorithm)
    await this.read(from, to, (bytes) => hash.update(bytes))
    return hash.digest('base64')
  }

  read(from: number, to: number, take: (bytes: Uint8Array) => void): Promise<void> {
    const reading = this.#turn.then(() => this.#feed(from, to, take))
    this.#turn = reading.catch(() => undefined)
    return reading
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#turn
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
 * A rolling sha256 of the sent bytes of a file. If it contradicts a stamp, the last bytes are withheld: the upload
 * stays unfinished, and no resource has a wrong stamp.
 */
export class SentDigest {
  /** The digest and number of acknowledged bytes. */
  #acked: Hash = createHash('sha256')
  #at = 0
  #sending: Hash = this.#acked

  constructor(
    private readonly job: UploadJob,
    private readonly content: Pick<Content, 'read'>,
  ) {}

  /** A part is about to be sent from here on. What another run sent is read from the file, which was proven by then. */
  async begin(from: number): Promise<void> {
    if (from < this.#at) {
      this.#acked = createHash('sha256')
      this.#at = 0
    }
    await this.content.read(this.#at, from, (bytes) => this.#acked.update(bytes))
    this.#at = from
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

  /** The sha256 (hex) of the first `size` bytes, all of which the service has. */
  async whole(size: number): Promise<string> {
    await this.begin(size)
    return this.#sending.digest('hex')
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
