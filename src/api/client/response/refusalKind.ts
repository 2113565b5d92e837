import type {Exit} from '../../../failure.js'
import {type Code, isCode} from '../../contract/codes.js'
import type {Operation} from '../../contract/operation.js'
import type {ErrorBody} from './errorBody.js'

export interface Refusal extends ErrorBody {
  readonly status: number
  readonly code?: string | undefined
  /** The answer in place of an envelope. */
  readonly broken?: string | undefined
  /** Something in front of the service may have answered. */
  readonly isForeign?: boolean | undefined
  /** A refusal without a code, or with an undocumented one. */
  readonly isUndocumented?: boolean
  readonly retryAfterMs?: number | undefined
}

/** The same for an answer without the envelope of a service that always has one. */
export function isClientError(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}

/** The exit of an HTTP status without a known code (docs/exit-codes.md). */
export function exitOfStatus(status: number): Exit {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 405 || status === 410) return 'missing'
  if (status === 409 || status === 412) return 'state'
  if (status === 407 || status === 408 || status === 460) return 'network'
  if (status === 423 || status === 425 || status === 429 || status >= 500) return 'temporary'
  return 'refused'
}

/**
 * Whether a request with this effect may be sent again (docs/reliability.md). A documented code decides before the status.
 * After 503 the change may have been made, so only one that a read can settle is repeated, and only if the service asks for
 * it with Retry-After.
 */
export function isTemporary({code, status, retryAfterMs, isForeign}: Refusal, effect: Operation['effect']): boolean {
  if (isDocumented(code)) return code === 'CE101'
  if (effect === 'read') return [429, 502, 503, 504].includes(status)
  return (status === 429 && !isForeign) || (effect === 'state' && status === 503 && retryAfterMs !== undefined)
}

/**
 * Whether the request may have been carried out: after a server error or a FAIL without a documented code, and after an answer of
 * something in front of the service.
 */
export function isUncertain({code, status, isForeign, isUndocumented}: Refusal): boolean {
  if (isDocumented(code) || (status === 429 && !isForeign)) return false
  return status >= 500 || isForeign === true || isUndocumented === true
}

export function isDocumented(code: string | undefined): code is Code {
  return code !== undefined && isCode(code)
}
