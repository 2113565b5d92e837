import {createHash} from 'node:crypto'
import {sampleFrom, sampleOfWhole, wholeUpTo} from '../ledger/sample.js'
import type {Algorithm} from '../model/job.js'
import type {Blocks} from './blocks.js'
import type {Digests} from './digests.js'
import type {Source} from './source.js'

/** What of a file's content the sending of it needs. Offsets are bytes; a Failure (file) is raised where it cannot be read. */
export interface Content {
  /** What tells one content from another without much reading (sample.ts). */
  sample(): Promise<string>
  /** The digest (base64) of a part. It is computed once, however often it is asked for, until `reread`. */
  digest(from: number, to: number, algorithm: Algorithm): Promise<string>
  /** The same part will soon be asked for. */
  ahead(from: number, to: number, algorithm: Algorithm | undefined): void
  /** The bytes of a part, to be sent. `left` is told of bytes that went. */
  body(from: number, to: number, left: (bytes: number) => void): Promise<Uint8Array | AsyncIterable<Uint8Array>>
  /** Believes no digest any more that was computed before. */
  reread(): void
  /** The sha256 (hex) of the whole file. */
  sha256(): Promise<string>
  /** Lets go of the file. `clean`: nothing that was sent can still be waiting to be written. */
  release(clean: boolean): Promise<void>
}

export interface Means {
  readonly blocks: Blocks
  readonly digests: Digests
  /** Whether `sha256` will be asked for. */
  readonly sha256: boolean
}

/** Small files are read once and hashed where they are; for more, a thread is worth its while. */
export function contentOf(source: Source, means: Means): Content {
  return source.size <= wholeUpTo ? smallContent(source, means) : largeContent(source, means)
}

function smallContent(source: Source, {blocks}: Means): Content {
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
      left(part.length)
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

function largeContent(source: Source, {digests, sha256}: Means): Content {
  const known = new Map<string, Promise<string>>()
  if (sha256) digests.begin(source)
  const digest = (from: number, to: number, algorithm: Algorithm) => {
    const part = `${algorithm} ${from} ${to}`
    const computed = known.get(part) ?? explained(source, digests.part(source, from, to, algorithm))
    known.delete(part)
    known.set(part, computed)
    for (const [oldest] of known) if (known.size > 4) known.delete(oldest)
    return computed
  }
  return {
    sample: () =>
      sampleFrom(source.size, async (from, bytes) => source.readNow(from, from + bytes, Buffer.allocUnsafe(bytes))),
    digest,
    ahead: (from, to, algorithm) => {
      if (algorithm) digest(from, to, algorithm).catch(() => undefined)
      // Of an upload that was taken up in the middle, what lies before is hashed beside the rest.
      if (sha256) digests.roll(source, algorithm ? from : to)
    },
    body: async (from, to, left) => source.stream(from, to, left),
    reread: () => known.clear(),
    sha256: () => explained(source, digests.whole(source)),
    release: () => digests.forget(source),
  }
}

/** A digest that fails because the file has changed says so. */
async function explained(source: Source, digest: Promise<string>): Promise<string> {
  try {
    return await digest
  } catch (error) {
    source.assertUnchanged()
    throw source.unreadable(error)
  }
}
