import {backoffMs, retryAfterMs} from '../../api/http/wire/retry.js'
import type {WireError} from '../../api/http/wire/transport.js'
import {isRefusal, type Step, type UploadFailure} from './failures.js'

export interface Circumstances {
  /** Failures since the last progress, including this one, and their limit. Locks do not count. */
  readonly failures: number
  readonly attempts: number
  readonly corrupted: number
  /** How often it was locked since then, including this time, and the total wait. */
  readonly locks: number
  readonly lockedMs: number
  readonly head: 'unknown' | 'yes' | 'no'
  /** Whether the request carried a checksum, and no request with one was accepted in this run. */
  readonly checksumInDoubt: boolean
  readonly canShrink: boolean
  /** Whether the upload may start over; it may once. */
  readonly canRestart: boolean
  readonly random: () => number
  readonly now: Date
}

/** What to do about a failure. `why` is a phrase without a full stop; times are in milliseconds. */
export type Decision =
  /** Ask for the offset, and continue. `all`: the other files wait too. `smaller`: with smaller chunks. */
  | {
      readonly do: 'retry'
      readonly ms: number
      readonly all?: true
      readonly smaller?: true
      readonly locked?: true
      readonly reread?: true
    }
  /** There is no HEAD: continue at the offset of the ledger. */
  | {readonly do: 'useLedger'}
  /** There is no HEAD, and the service refused the offset of the ledger: try the end of a part whose answer was lost. */
  | {readonly do: 'guess'}
  | {readonly do: 'shrink'}
  | {readonly do: 'dropChecksums'}
  /** `ifReadable`: only if the container can be read. */
  | {readonly do: 'restart'; readonly why: string; readonly ifReadable?: true}
  | {readonly do: 'stop'; readonly exhausted: boolean}

const backoff = {retries: 0, baseMs: 500, capMs: 30_000}
/** A longer wait is left to the user. */
const longestAskedMs = 300_000
const lockedBudgetMs = 120_000
const lockedLeastMs = 500
const corruptedLimit = 3
/** Answers of a gateway that did not wait for the end of a part. */
const gatewayTimeouts = [408, 502, 504]

const stop: Decision = {do: 'stop', exhausted: false}

export const gone = 'the service no longer knows the upload'
const wentBack = 'the service has less of it than it acknowledged'

/** What to do about a failure (docs/reliability.md). Pure. */
export function retryPolicy(step: Step, failure: UploadFailure, at: Circumstances): Decision {
  // A create is not idempotent: repeat it only if the service certainly did nothing.
  if (step === 'create' && !isPostponed(failure)) return stop
  if (failure.kind === 'stuck') return decideStuck(failure, at)
  if (failure.kind === 'lost') return decideLost(step, failure.error, at)
  const {status, retryAfter, date} = failure
  const askedMs = retryAfterMs({'retry-after': retryAfter, date}, at.now)
  const special = specials[step][status]
  if (special) return special(at)
  if (status === 429 || status === 503) return retry(at, {all: true}, askedMs)
  if (status === 423) return locked(at)
  if (gatewayTimeouts.includes(status)) return retry(at, smallerPart(step, at), askedMs)
  return status === 425 || status >= 500 ? retry(at, {}, askedMs) : stop
}

function isPostponed(failure: UploadFailure): boolean {
  if (failure.kind === 'lost') return isRefusal(failure)
  return failure.kind === 'answered' && failure.status === 429
}

const specials: Readonly<Record<Step, Readonly<Record<number, (at: Circumstances) => Decision>>>> = {
  create: {},
  head: {
    // Servers of tus may answer so for an upload that they no longer have (tus 1.0.0, HEAD).
    403: (at) => (at.canRestart ? {do: 'restart', why: gone, ifReadable: true} : stop),
    404: (at) => (at.head === 'yes' ? startOver(at) : {do: 'useLedger'}),
    405: () => ({do: 'useLedger'}),
    410: (at) => startOver(at),
    501: () => ({do: 'useLedger'}),
  },
  patch: {
    400: (at) => (at.checksumInDoubt ? {do: 'dropChecksums'} : stop),
    404: (at) => startOver(at),
    409: (at) => (at.head === 'no' ? {do: 'guess'} : retry(at)),
    410: (at) => startOver(at),
    413: (at) => (at.canShrink ? {do: 'shrink'} : stop),
    460: (at) => (at.corrupted > corruptedLimit ? stop : retry(at, {reread: true})),
  },
}

/** Whether a refusal may mean that the upload is gone. */
export function isVanished(step: Step, status: number): boolean {
  return status === 404 || status === 410 || (status === 403 && step === 'head')
}

/** A smaller offset in an answer means lost bytes; without HEAD it is unknown which. */
function decideStuck({isBehind}: Extract<UploadFailure, {kind: 'stuck'}>, at: Circumstances): Decision {
  return isBehind && at.head === 'no' ? startOver(at, wentBack) : retry(at)
}

function decideLost(step: Step, {problem, sent}: WireError, at: Circumstances): Decision {
  if (problem === 'aborted' || problem === 'too-large' || (problem === 'tls' && sent === 'no')) return stop
  return retry(at, sent === 'no' ? {} : smallerPart(step, at))
}

/** A part may be lost because it is too large for the line, or for something on the way. */
function smallerPart(step: Step, {canShrink}: Circumstances): Partial<Decision> {
  return step === 'patch' && canShrink ? {smaller: true} : {}
}

function retry(at: Circumstances, how: Partial<Decision> = {}, askedMs = 0): Decision {
  if (at.failures >= at.attempts || askedMs > longestAskedMs) return {do: 'stop', exhausted: true}
  const ms = backoffMs({...backoff, random: at.random}, at.failures, askedMs)
  return {...how, do: 'retry', ms}
}

/** Another request writes to a locked upload, probably our own lost one, which ends by itself. */
function locked(at: Circumstances): Decision {
  if (at.lockedMs >= lockedBudgetMs || at.attempts === 1) return {do: 'stop', exhausted: true}
  const ms = Math.max(lockedLeastMs, backoffMs({...backoff, random: at.random}, at.locks))
  return {do: 'retry', ms, locked: true}
}

function startOver({canRestart}: Circumstances, why = gone): Decision {
  return canRestart ? {do: 'restart', why} : stop
}
