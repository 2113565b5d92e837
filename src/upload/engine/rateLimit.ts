import {CHUNK_SENT} from '../../api/http/wire/transport.js'

interface Clock {
  readonly now: () => Date
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

const kibibyte = 1024
/** Time that a late timer may make up for, in milliseconds: more would be a burst. */
const slackMs = 500
const piecesPerSecond = 16

/** A token bucket for all files of a run, first come, first served. */
export class RateLimit {
  #at: number

  constructor(
    private readonly bytesPerSecond: number,
    private readonly clock: Clock,
  ) {
    this.#at = clock.now().getTime()
  }

  /** The bytes of a body in small pieces, each counted when it may go. Keeps to the protocol of blocks that are used again. */
  async *pace(
    body: Uint8Array | AsyncIterable<Uint8Array>,
    count: (piece: Uint8Array) => void,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, typeof CHUNK_SENT | undefined> {
    const blocks = (body instanceof Uint8Array ? once(body) : body)[Symbol.asyncIterator]()
    try {
      for (let step = await blocks.next(); !step.done; ) {
        let isFree = true
        for (const piece of this.#pieces(step.value)) {
          await this.#turn(piece.length, signal)
          count(piece)
          isFree = (yield piece) === CHUNK_SENT && isFree
        }
        step = await blocks.next(isFree ? CHUNK_SENT : undefined)
      }
    } finally {
      await blocks.return?.()
    }
  }

  *#pieces(block: Uint8Array): Generator<Uint8Array> {
    const share = Math.floor(this.bytesPerSecond / piecesPerSecond)
    const bytes = Math.min(64 * kibibyte, Math.max(kibibyte, share))
    for (let at = 0; at < block.length; at += bytes) yield block.subarray(at, at + bytes)
  }

  async #turn(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.clock.now().getTime()
    const at = Math.max(this.#at, now - slackMs)
    this.#at = at + (bytes * 1000) / this.bytesPerSecond
    if (at > now) await this.clock.sleep(at - now, signal)
  }
}

async function* once(block: Uint8Array): AsyncGenerator<Uint8Array, void, unknown> {
  yield block
}
