import type {Runtime} from '../../cli/runtime/runtime.js'
import {Failure, failureWith} from '../../failure.js'
import {formatDuration} from '../../text/quantity.js'

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

/** The two clocks of a machine differ by less than this, in milliseconds, as long as none is set. */
const driftMs = 1000

interface ClockCheck {
  /** Why the time since the last check is a gap. */
  readonly why: string | undefined
  /** By how many milliseconds the clock was set back. */
  readonly setBackMs: number
}

/** Detects pauses: the process or the machine slept, or the clock was set forward. */
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

  /** Compares both clocks with the check before; to be called before and after each poll, and every second. */
  check(): ClockCheck {
    const [wall, steady] = [this.clocks.now().getTime(), this.clocks.elapsed()]
    const [wallMs, steadyMs] = [wall - this.#wall, steady - this.#steady]
    this.#wall = wall
    this.#steady = steady
    const setBackMs = steadyMs - wallMs > driftMs ? steadyMs - wallMs : 0
    return {why: this.#whyGap(wallMs, steadyMs), setBackMs}
  }

  #whyGap(wallMs: number, steadyMs: number): string | undefined {
    if (steadyMs > this.#longestMs) return `the watch did not run for ${inSeconds(steadyMs)}`
    if (wallMs <= this.#longestMs) return undefined
    return `the machine slept, or its clock was set forward, by ${inSeconds(wallMs - steadyMs)}`
  }
}

function inSeconds(ms: number): string {
  return formatDuration(Math.round(ms / 1000) * 1000)
}
