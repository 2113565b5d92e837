import {Failure} from '../../api/contract/failure.js'
import type {Runtime} from '../../cli/runtime/runtime.js'

/** How many calls a watch may make: a rate limit by equal distances (the leaky bucket), so that none come in a burst. */
export interface CallBudget {
  /** Milliseconds between two calls. */
  readonly distanceMs: number
  /** Waits for the turn of one call. */
  readonly turn: () => Promise<void>
  /** The time that the calls take by their distances which were made since this was asked last, in milliseconds. */
  readonly takeSpent: () => number
}

const units: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000}
const mostCalls = 1000

/** Reads `10/s`, `300/m` or `1000/h`. Raises a Failure (usage). */
export function readCallBudget({now, sleep, signal}: Runtime, text: string): CallBudget {
  const [, calls = '', unit = ''] = /^(\d{1,6})\/([smh])$/u.exec(text) ?? []
  const distanceMs = (units[unit] ?? Number.NaN) / Number(calls)
  if (!(distanceMs >= 1000 / mostCalls && Number.isFinite(distanceMs))) {
    throw new Failure({
      exit: 'usage',
      message: `--budget takes a number of calls per time unit, not ${text}`,
      try: '--budget 10/s, 300/m or 1000/h',
    })
  }
  let next = 0
  let spent = 0
  return {
    distanceMs,
    turn: async () => {
      const ms = Math.max(0, next - now().getTime())
      next = now().getTime() + ms + distanceMs
      spent += distanceMs
      if (ms > 0) await sleep(ms, signal)
    },
    takeSpent: () => {
      const ms = spent
      spent = 0
      return ms
    },
  }
}
