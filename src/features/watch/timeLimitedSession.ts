import type {Config} from '@oclif/core/config'
import {Failure} from '../../api/contract/failure.js'
import {parseDurationFlag} from '../../cli/flags/parseValues.js'
import {commandContextOf} from '../../cli/runtime/runtime.js'
import {type CommonFlags, openSession, type Session} from '../../cli/session/session.js'

/** The longest that a timer can wait, in milliseconds: somewhat less than 25 days. */
const longestMs = 2 ** 31 - 1

/** A session that ends by itself. */
export interface LimitedSession {
  readonly session: Session
  /** Whether it has ended because its time ran out. */
  readonly ranOut: () => boolean
}

/**
 * Opens a session whose signal is aborted once `--timeout` has passed, as by Ctrl-C. Each call keeps the time that the
 * environment or the profile gives it. Raises a Failure (usage) for a value that cannot be one.
 */
export async function openLimited(config: Config, flags: CommonFlags): Promise<LimitedSession> {
  const {runtime, outcome} = commandContextOf(config)
  const {timeout, ...others} = flags
  if (timeout === undefined) return {session: await openSession(runtime, outcome, others), ranOut: () => false}
  const limit = AbortSignal.timeout(limitOf(timeout))
  const signal = AbortSignal.any([runtime.signal, limit])
  const session = await openSession(Object.create(runtime, {signal: {value: signal}}), outcome, others)
  return {session, ranOut: () => limit.aborted && runtime.interruption() === undefined}
}

function limitOf(text: string): number {
  const ms = parseDurationFlag('--timeout', text)
  if (ms > 0 && ms <= longestMs) return ms
  throw new Failure({exit: 'usage', message: `--timeout of a watch takes 1ms to 24d, not ${text}`})
}
