/** The time over which the rate is averaged, in milliseconds. */
const windowMs = 10_000

/**
 * How fast bytes come: an average in which a byte counts for less the longer ago it came, so that it follows a change within
 * about ten seconds and does not jump with each chunk. Times are milliseconds, of any clock that only goes forward.
 */
export class Pace {
  readonly #startedAt: number
  #at: number
  /** Bytes, each weighted by its age as of `#at`. */
  #weighted = 0

  constructor(now: number) {
    this.#startedAt = now
    this.#at = now
  }

  add(bytes: number, now: number): void {
    this.#weighted = this.#weighted * aged(now - this.#at) + bytes
    this.#at = now
  }

  /** Bytes in a second. Before a whole window has passed it is the average of what has: it does not begin too low. */
  rate(now: number): number {
    const spanMs = windowMs * (1 - aged(now - this.#startedAt))
    return spanMs <= 0 ? 0 : (this.#weighted * aged(now - this.#at) * 1000) / spanMs
  }
}

function aged(ms: number): number {
  return Math.exp(-Math.max(0, ms) / windowMs)
}
