import type {Config} from '@oclif/core/config'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'
import {commandContextOf, overlay} from '../../cli/runtime/runtime.js'
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
      try: 'use -o ndjson, one object per line',
    })
  }
  if (query === undefined) return
  throw wrongUsage('--query cannot be used with a watch', {
    why: 'it prints a stream of events, not a finished list',
    try: 'use -o ndjson, and pipe it to a program such as jq',
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
