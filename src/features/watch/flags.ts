import type {Config} from '@oclif/core/config'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'
import {commandContextOf, overlay, type Runtime} from '../../cli/runtime/runtime.js'
import {type CommonFlags, openSession, type Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'

const leastMs = 1000
const mostMs = 3_600_000

/** Reads `--interval`, in milliseconds: five seconds without it. Throws Failure (usage). */
export function readInterval(text = '5s'): number {
  const ms = parseDurationFlag('--interval', text)
  if (ms >= leastMs && ms <= mostMs) return ms
  throw wrongUsage(`--interval takes 1s to 1h, not ${text}`)
}

/** Refuses what needs a whole result. Throws Failure (usage). */
export function checkWatchOutput({output}: Session): void {
  const {format, query} = output
  if (format !== 'table' && format !== 'ndjson') {
    throw wrongUsage(`room watch does not support -o ${format}`, {
      why: 'a stream of events needs a line format',
      try: '-o ndjson, one object per line',
    })
  }
  if (query === undefined) return
  throw wrongUsage('--query cannot be used with a watch', {
    why: 'it prints a stream of events, not a finished list',
    try: '-o ndjson, piped to a program such as jq',
  })
}

/** The longest that a timer can wait, in milliseconds: somewhat less than 25 days. */
const longestMs = 2 ** 31 - 1

export interface LimitedSession {
  readonly session: Session
  readonly ranOut: () => boolean
}

/** A session that `--timeout` ends as a whole; each call keeps the limit of environment or profile. Throws Failure (usage). */
export async function openLimited(config: Config, flags: CommonFlags): Promise<LimitedSession> {
  const {runtime, outcome} = commandContextOf(config)
  const {timeout, ...others} = flags
  if (timeout === undefined) return {session: await openSession(runtime, outcome, others), ranOut: () => false}
  // `ranOut` keeps a reference: Node 20 collects a signal that only AbortSignal.any holds, with its timer.
  const limit = AbortSignal.timeout(limitOf(timeout))
  const signal = AbortSignal.any([runtime.signal, limit])
  const session = await openSession(overlay(runtime, {signal}), outcome, others)
  return {session, ranOut: () => limit.aborted && runtime.interruption() === undefined}
}

function limitOf(text: string): number {
  const ms = parseDurationFlag('--timeout', text)
  if (ms > 0 && ms <= longestMs) return ms
  throw wrongUsage(`--timeout of a watch takes 1ms to 24d, not ${text}`)
}

/** How many calls a watch may make: a rate limit by equal distances (the leaky bucket), so that none come in a burst. */
export interface CallBudget {
  readonly distanceMs: number
  readonly acquire: () => Promise<void>
  /** The time that the calls take by their distances which were made since this was asked last, in milliseconds. */
  readonly takeSpent: () => number
}

const units: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000}
const mostCalls = 1000

/** Reads `10/s`, `300/m` or `1000/h`. Throws Failure (usage). */
export function readCallBudget({elapsed, sleep, signal}: Runtime, text = '20/s'): CallBudget {
  const [, calls = '', unit = ''] = /^(\d{1,6})\/([smh])$/u.exec(text) ?? []
  const distanceMs = (units[unit] ?? Number.NaN) / Number(calls)
  if (!(distanceMs >= 1000 / mostCalls && Number.isFinite(distanceMs))) {
    throw wrongUsage(`--budget takes a number of calls per time unit, not ${text}`, {
      try: '--budget 10/s, 300/m or 1000/h',
    })
  }
  let next = 0
  let spent = 0
  return {
    distanceMs,
    acquire: async () => {
      const ms = Math.max(0, next - elapsed())
      next = elapsed() + ms + distanceMs
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
