import {createHash, type Hash} from 'node:crypto'
import type {Worker} from 'node:worker_threads'
import {CHUNK_SENT} from '../../api/http/wire/transport.js'
import {failureWith, fileFailure} from '../../failure.js'
import {getOrMake} from '../../text/text.js'
import {sampleFrom, sampleOfWhole, wholeUpTo} from '../files/localFile.js'
import {type Algorithm, stampOf, type UploadJob} from '../model/job.js'
import type {DigestAnswer, DigestRequest} from './digestThread.js'
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
  readonly digests: Digests
  /** The digest of a stamped file is known: the last part is held in memory while what was sent is compared with it. */
  readonly isStamped: boolean
}

/** Small files are read once and hashed in memory; above this, a thread pays off. */
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

function largeContent(source: FileSource, {digests, isStamped}: ContentTools): Content {
  const known = new Map<string, Promise<string>>()
  let whole: Promise<string> | undefined
  let isRolling = !isStamped
  if (isRolling) digests.begin(source)
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
      // For a resumed upload the bytes before the part are hashed in parallel.
      if (!isStamped) digests.roll(source, algorithm ? from : to)
    },
    body: async (from, to, left) => {
      if (!isStamped || to < source.size) return source.stream(from, to, left)
      const held = source.readNow(from, to, Buffer.allocUnsafe(to - from))
      left(held)
      return held
    },
    reread: () => {
      known.clear()
      if (isRolling) digests.begin(source)
      whole = undefined
    },
    sha256: () => {
      if (!isRolling) digests.begin(source)
      isRolling = true
      whole ??= explained(source, digests.whole(source))
      return whole
    },
    release: () => digests.forget(source),
  }
}

/** A digest that fails because the file has changed says so. */
async function explained(source: FileSource, digest: Promise<string>): Promise<string> {
  try {
    return await digest
  } catch (error) {
    source.assertUnchanged()
    throw source.unreadable(error)
  }
}

/** Time for the thread to stop after an interruption. */
const graceMs = 2000

/** Digests of large files, by one thread beside the sending; it does not keep the process alive. If it ends, the error ends the run. */
export class Digests {
  readonly #interrupted = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  readonly #waiting = new Map<number, {resolve(digest: string): void; reject(reason: unknown): void}>()
  readonly #files = new Map<FileSource, number>()
  #thread: Promise<Worker> | undefined
  #end: {readonly cause: unknown} | undefined
  #last = 0

  /** `script` reads what digestThread.ts is built into. `signal` ends the digest of a part, which may take minutes. */
  constructor(
    private readonly script: () => string,
    signal: AbortSignal,
  ) {
    const interrupt = () => {
      Atomics.store(new Int32Array(this.#interrupted), 0, 1)
      setTimeout(() => this.#fail(failureWith('interrupted', 'interrupted')), graceMs).unref()
    }
    signal.addEventListener('abort', interrupt, {once: true})
  }

  part(source: FileSource, from: number, to: number, algorithm: Algorithm): Promise<string> {
    return this.#ask({kind: 'part', file: this.#fileOf(source), fd: source.fd, from, to, algorithm})
  }

  /** Starts the sha256 of the whole file; it continues with the parts that are digested, or as `roll` says. */
  begin(source: FileSource): void {
    this.#post({kind: 'begin', file: this.#fileOf(source), fd: source.fd})
  }

  roll(source: FileSource, to: number): void {
    this.#post({kind: 'roll', file: this.#fileOf(source), to})
  }

  whole(source: FileSource): Promise<string> {
    return this.#ask({kind: 'whole', file: this.#fileOf(source), to: source.size})
  }

  /** To be waited for before the file is closed: its descriptor may then be another file's. */
  async forget(source: FileSource): Promise<void> {
    const file = this.#files.get(source)
    if (file === undefined) return
    this.#files.delete(source)
    await this.#ask({kind: 'forget', file}).catch(() => undefined)
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined)
    await thread?.terminate()
  }

  #fileOf(source: FileSource): number {
    return getOrMake(this.#files, source, () => {
      this.#last += 1
      return this.#last
    })
  }

  #ask(request: WithoutId<Extract<DigestRequest, {readonly id: number}>>): Promise<string> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end.cause)
      this.#waiting.set(id, {resolve, reject})
      this.#post({...request, id})
    })
  }

  #post(request: DigestRequest): void {
    this.#thread ??= this.#start()
    this.#thread.then(
      (thread) => {
        if (this.#waiting.size > 0) thread.ref()
        thread.postMessage(request)
      },
      (error) => this.#fail(threadFailure(error)),
    )
  }

  async #start(): Promise<Worker> {
    const {Worker: Thread} = await import('node:worker_threads')
    // It hashes through one small block and needs next to no heap.
    const thread = new Thread(this.script(), {
      eval: true,
      workerData: this.#interrupted,
      resourceLimits: {maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2},
    })
    thread.on('message', (answer: DigestAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) thread.unref()
      if ('failure' in answer)
        waiting?.reject(Object.assign(new Error(answer.failure.message), {code: answer.failure.code}))
      else waiting?.resolve(answer.digest)
    })
    thread.on('error', (error) => this.#fail(threadFailure(error)))
    thread.on('exit', () => this.#fail(new Error('the digest thread ended')))
    thread.unref()
    return thread
  }

  /** Rejects what waits and whatever is asked from now on. */
  #fail(cause: unknown): void {
    this.#end ??= {cause}
    for (const {reject} of this.#waiting.values()) reject(this.#end.cause)
    this.#waiting.clear()
  }
}

function threadFailure({message}: Error): Error {
  return new Error(`the digest thread failed: ${message.split('\n')[0]}`)
}

/** A request before it has its number. Distributes over the kinds. */
type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never

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
  throw fileFailure(`cannot upload ${key}: it has changed since it was read for its stamp; ${left}`, {
    code: 'file-changed',
    why: `its stamp is sha256 ${stamp}, and its content is ${sha256}: no bytes complete an upload whose stamp is wrong`,
    try: 'run the command again once nothing writes the file any more; it then starts over',
  })
}
