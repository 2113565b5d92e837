import {Failure} from '../../api/contract/failure.js'
import {formatDuration} from '../../selection/quantity.js'

/** Since when the service was seen, and whether it is. */
export class Sight {
  readonly #now: () => number
  #begun: number | undefined
  /** How long the look before took. */
  #usualMs = 0
  /** When the last look began that came to its end, in milliseconds since 1970. */
  seen = 0
  /** Why the last look did not finish. */
  trouble: Failure | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  async during<T>(look: () => Promise<T>): Promise<T> {
    const begun = this.#now()
    this.#begun = begun
    try {
      const seen = await look()
      this.seen = begun
      this.trouble = undefined
      this.#usualMs = this.#now() - begun
      this.#begun = undefined
      return seen
    } catch (error) {
      if (error instanceof Failure && error.facts.exit !== 'interrupted') {
        this.trouble = error
        this.#begun = undefined
      }
      throw error
    }
  }

  /** Why the service cannot be seen at the end: also where a look has gone on for longer than a slow service takes. */
  lost(intervalMs: number): Failure | undefined {
    const waited = this.#begun === undefined ? 0 : this.#now() - this.#begun
    if (this.trouble || waited <= Math.max(intervalMs, 2 * this.#usualMs)) return this.trouble
    return new Failure({exit: 'network', message: `no response for ${formatDuration(waited)}`})
  }
}
