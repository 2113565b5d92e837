import {backoffMs} from '../../api/http/wire/retry.js'
import type {WireError} from '../../api/http/wire/transport.js'

/** A request of an upload: POST to the container, HEAD and PATCH to the upload. */
export type Step = 'create' | 'head' | 'patch'

/** Why a step did not bring the upload further. */
export type Setback =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly retryAfter?: string | undefined
      /** The service's own words. */
      readonly said?: string | undefined
    }
  | {readonly kind: 'lost'; readonly error: WireError}
  /** The service took bytes and acknowledged none of them. */
  | {readonly kind: 'stuck'}

export interface Circumstances {
  /** Setbacks since the upload last came further, this one included, and how many there may be. Locks do not count. */
  readonly setbacks: number
  readonly attempts: number
  /** How many of them in a row were lost chunks. */
  readonly lost: number
  /** How many of them were 460, this one included. */
  readonly spoiled: number
  /** How often it was locked since then, this time included, and how long that was waited for. */
  readonly locks: number
  readonly lockedMs: number
  readonly head: 'unknown' | 'yes' | 'no'
  /** Whether the request carried a checksum, and no request with one was accepted in this run. */
  readonly checksumInDoubt: boolean
  /** Whether a smaller chunk can be tried. */
  readonly canShrink: boolean
  /** Whether the upload may begin anew; it may once. */
  readonly canRenew: boolean
  /** A number from 0 up to 1. */
  readonly random: () => number
  readonly now: Date
}

/** What to do about a setback. `why` is a clause without a stop; times are in milliseconds. */
export type Decision =
  /** Ask how far the upload is, and go on. `all`: the other files wait too. `smaller`: with smaller chunks. */
  | {
      readonly do: 'again'
      readonly ms: number
      readonly all?: true
      readonly smaller?: true
      readonly locked?: true
      readonly reread?: true
    }
  /** There is no HEAD: go on where the ledger says. */
  | {readonly do: 'ledger'}
  /** There is no HEAD, and the service is not where the ledger says: try the end of what was being sent. */
  | {readonly do: 'guess'}
  /** Smaller chunks for all files. */
  | {readonly do: 'shrink'}
  /** No checksums any more in this run. */
  | {readonly do: 'unchecked'}
  | {readonly do: 'renew'; readonly why: string}
  /** `exhausted`: it may well work later. */
  | {readonly do: 'stop'; readonly exhausted: boolean}

const backoff = {retries: 0, baseMs: 500, capMs: 30_000, longestAskedMs: 300_000}
const lockedBudgetMs = 120_000
const lockedLeastMs = 500
const spoiledLimit = 3
/** This many chunks lost in a row may have been lost because they are too large for something on the way. */
const lostLimit = 2

const stop: Decision = {do: 'stop', exhausted: false}

/** What to do about a setback (product §6). Pure. */
export function decide(step: Step, setback: Setback, at: Circumstances): Decision {
  if (setback.kind === 'stuck') return again(at)
  if (setback.kind === 'lost') return decideLost(step, setback.error, at)
  const {status, retryAfter} = setback
  const special = specials[step][status]
  if (special) return special(at)
  if (status === 429 || status === 503) return again(at, {all: true}, retryAfter)
  if (status === 423) return locked(at)
  return status === 408 || status === 425 || status >= 500 ? again(at, {}, retryAfter) : stop
}

const specials: Readonly<Record<Step, Readonly<Record<number, (at: Circumstances) => Decision>>>> = {
  create: {},
  head: {
    404: (at) => (at.head === 'yes' ? gone(at) : {do: 'ledger'}),
    405: () => ({do: 'ledger'}),
    410: gone,
    501: () => ({do: 'ledger'}),
  },
  patch: {
    400: (at) => (at.checksumInDoubt ? {do: 'unchecked'} : stop),
    404: gone,
    409: (at) => (at.head === 'no' && at.setbacks < at.attempts ? {do: 'guess'} : again(at)),
    410: gone,
    413: (at) => (at.canShrink ? {do: 'shrink'} : stop),
    460: (at) => (at.spoiled > spoiledLimit ? stop : again(at, {reread: true})),
  },
}

function decideLost(step: Step, {problem, sent}: WireError, at: Circumstances): Decision {
  if (problem === 'aborted' || problem === 'too-large' || (problem === 'tls' && sent === 'no')) return stop
  return again(at, step === 'patch' && at.lost >= lostLimit && at.canShrink ? {smaller: true} : {})
}

function again(at: Circumstances, how: Partial<Decision> = {}, retryAfter?: string): Decision {
  if (at.setbacks >= at.attempts) return {do: 'stop', exhausted: true}
  const ms = backoffMs({...backoff, random: at.random}, at.setbacks, retryAfter, at.now)
  return {...how, do: 'again', ms}
}

/** A locked upload is being written by somebody, most likely by our own lost request; that ends by itself. */
function locked(at: Circumstances): Decision {
  if (at.lockedMs >= lockedBudgetMs) return {do: 'stop', exhausted: true}
  const ms = Math.max(lockedLeastMs, backoffMs({...backoff, random: at.random}, at.locks))
  return {do: 'again', ms, locked: true}
}

function gone({canRenew}: Circumstances): Decision {
  return canRenew ? {do: 'renew', why: 'the service does not know the upload any more'} : stop
}
