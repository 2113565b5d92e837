import type {Runtime} from '../../cli/runtime/runtime.js'
import {Failure, failureWith} from '../../failure.js'
import {formatDuration} from '../../selection/quantity.js'

/** Whether the service answers, and since when. */
export class Visibility {
  #begun: number | undefined
  #usualMs = 0
  /** When the last look began that came to its end, in milliseconds since 1970. */
  seen = 0
  /** Why the last look did not finish. */
  trouble: Failure | undefined

  constructor(private readonly clocks: Pick<Runtime, 'now' | 'elapsed'>) {}

  async during<T>(look: () => Promise<T>): Promise<T> {
    const {now, elapsed} = this.clocks
    const [at, begun] = [now().getTime(), elapsed()]
    this.#begun = begun
    try {
      const seen = await look()
      this.seen = at
      this.trouble = undefined
      this.#usualMs = elapsed() - begun
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

  /** Why the service does not answer at the end; also if a poll takes longer than a slow service would. */
  lost(intervalMs: number): Failure | undefined {
    const waited = this.#begun === undefined ? 0 : this.clocks.elapsed() - this.#begun
    if (this.trouble || waited <= Math.max(intervalMs, 2 * this.#usualMs)) return this.trouble
    return failureWith('network', `no response for ${formatDuration(waited)}`)
  }
}

/** Time in which this process did not look. */
export interface Pause {
  readonly why: string
  /** A clock that was set back: by how many milliseconds, and the repeated times. */
  readonly setBack?: {readonly ms: number; readonly again: {readonly from: number; readonly to: number}}
}

/** The two clocks of a machine differ by less than this, in milliseconds, as long as none is set. */
const driftMs = 1000

/** Whether a stretch was watched: not if the process or the machine slept, or the clock was set. */
export class Watchfulness {
  #wall: number
  #steady: number
  readonly #longestMs: number

  constructor(
    private readonly clocks: Pick<Runtime, 'now' | 'elapsed'>,
    intervalMs: number,
  ) {
    this.#longestMs = 2 * intervalMs + 1000
    this.#wall = clocks.now().getTime()
    this.#steady = clocks.elapsed()
  }

  /** To be called before and after each look, and every second. Returns the pause since it was called before. */
  check(): Pause | undefined {
    const {now, elapsed} = this.clocks
    const [last, wall, steady] = [this.#wall, now().getTime(), elapsed()]
    const steadyMs = steady - this.#steady
    this.#wall = wall
    this.#steady = steady
    const setMs = wall - last - steadyMs
    if (setMs < -driftMs) {
      const again = {from: Math.max(0, wall - steadyMs), to: last + steadyMs}
      return {why: `the clock was set back by ${inSeconds(-setMs)}`, setBack: {ms: -setMs, again}}
    }
    if (setMs > driftMs) return {why: `the machine slept, or its clock was set forward, by ${inSeconds(setMs)}`}
    return steadyMs > this.#longestMs ? {why: `the watch did not run for ${inSeconds(steadyMs)}`} : undefined
  }
}

function inSeconds(ms: number): string {
  return formatDuration(Math.round(ms / 1000) * 1000)
}
