import type {Earlier} from './earlier.js'

/** How far an upload is, as this side knows it. Offsets are bytes. */
export class Standing {
  /** The upload's address, once the service gave it. */
  url: URL | undefined
  /** The end of what the service has, by its own last word. */
  acked: number
  /** Where a service that answers no HEAD is taken to be. */
  assumed: number
  /** More than this it cannot have, or not of this file. */
  bound: number
  /** Where the parts end whose answers were lost, in this run or an earlier one: the service may be there. */
  #lostEnds: number[]
  /** The furthest it ever was: progress is what goes beyond. */
  best: number
  /** Where it was taken up, of an earlier run's upload. */
  resumedFrom: number | undefined
  /** Bytes of the file that left in this run, for this upload and those before it. */
  sentBytes: number

  /** The part that was sent last: its size, and whether it went with a checksum. */
  last = {size: 0, checksummed: false}
  readonly #isEarlier: boolean

  constructor(earlier: Earlier | undefined, sentBytes: number) {
    this.sentBytes = sentBytes
    this.#isEarlier = earlier !== undefined
    this.url = earlier?.url
    this.acked = earlier?.acked ?? 0
    this.assumed = this.acked
    this.bound = earlier?.provenTo ?? 0
    const end = earlier?.entry.inFlight?.to
    this.#lostEnds = end === undefined ? [] : [end]
    this.best = this.acked
  }

  /** Whether it is of an earlier run, and nothing was sent in this one. */
  get isUntried(): boolean {
    return this.#isEarlier && this.sentBytes === 0
  }

  /** A part is about to be sent. */
  sending({to, size, checksummed}: {to: number; size: number; checksummed: boolean}): void {
    this.bound = Math.max(this.bound, to)
    if (!this.#lostEnds.includes(to)) this.#lostEnds.push(to)
    this.last = {size, checksummed}
  }

  /** It is known how far the upload is, and it is gone on with from there. */
  takenUp(): void {
    if (this.isUntried) this.resumedFrom ??= this.assumed
  }

  /** The service says how far it is. */
  tell(offset: number): void {
    this.acked = offset
    this.assumed = offset
    this.best = Math.max(this.best, offset)
    this.#lostEnds = []
  }

  /**
   * A service without HEAD refused the offset that was assumed. Takes what it says itself, or the end of a part whose answer was
   * lost; false where nothing is left to try.
   */
  guess(said: number | undefined): boolean {
    const next = said ?? this.#lostEnds.find((end) => end > this.assumed)
    if (next === undefined || next === this.assumed || next > this.bound) return false
    this.assumed = next
    return true
  }
}
