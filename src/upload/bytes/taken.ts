import {createHash} from 'node:crypto'
import {codingOf} from '../../api/http/wire/message.js'
import {WireError, type WireResponse} from '../../api/http/wire/transport.js'

/** Where bytes go that are read from a service. */
export interface ByteSink {
  /** Takes the next bytes; false when nobody wants more of them. */
  write(chunk: Uint8Array): Promise<boolean>
  /** Forgets what it took: the bytes come again, from the first. Raises a Failure where that cannot be. */
  restart(): Promise<void>
}

/** What came: its size, and its digest in hex. */
export interface Fetched {
  readonly bytes: number
  readonly sha256: string
}

/** What has been taken of a file so far, through all attempts to read it, and how the rest of it can be asked for. */
export class Taken {
  readonly #sink: ByteSink
  #hash = createHash('sha256')
  #size = 0
  /** A strong entity tag: it proves that a later answer is of the very same bytes (RFC 9110 §8.8.3). */
  #tag: string | undefined

  constructor(sink: ByteSink) {
    this.#sink = sink
  }

  get size(): number {
    return this.#size
  }

  /** Whether the next attempt can go on where this one ended. */
  get resumable(): boolean {
    return this.#tag !== undefined && this.#size > 0
  }

  /** The headers that ask for what is missing; none where all is to come again. */
  rest(): Record<string, string> {
    if (this.#tag === undefined || this.#size === 0) return {}
    return {range: `bytes=${this.#size}-`, 'if-range': this.#tag}
  }

  /** Has the next attempt ask for the whole file. */
  forgetTag(): void {
    this.#tag = undefined
  }

  /**
   * Gets ready for the bytes of an answer: the rest of the file, or all of it anew. Raises a `WireError` 'broken' for a part that
   * was not asked for.
   */
  async begin(answer: WireResponse): Promise<void> {
    if (answer.status === 206) {
      if (codingOf(answer) === 'identity' && isRest(answer.headers['content-range'] ?? '', this.#size)) return
      this.#tag = undefined
      throw new WireError('broken', 'maybe', 'the answer is another part of the file than was asked for')
    }
    if (this.#size > 0) await this.#sink.restart()
    this.#hash = createHash('sha256')
    this.#size = 0
    const tag = answer.headers.etag ?? ''
    this.#tag = codingOf(answer) === 'identity' && /^"[^"\p{Cc}]*"$/u.test(tag) ? tag : undefined
  }

  /** Hands bytes on; false when nobody wants more of them. */
  async add(chunk: Uint8Array): Promise<boolean> {
    const writing = this.#sink.write(chunk)
    // The digest is computed while the system writes.
    this.#hash.update(chunk)
    const wanted = await writing
    this.#size += chunk.length
    return wanted
  }

  fetched(): Fetched {
    return {bytes: this.#size, sha256: this.#hash.digest('hex')}
  }
}

/** `bytes 100-199/200`: from that offset to the very end. */
function isRest(range: string, offset: number): boolean {
  const [, from, last, size] = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/u.exec(range.trim()) ?? []
  return Number(from) === offset && Number(last) + 1 === Number(size)
}
