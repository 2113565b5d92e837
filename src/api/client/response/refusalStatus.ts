import type {Exit} from '../../contract/failure.js'
import {type Code, isCode} from '../../contract/operation.js'
import type {Refusal} from './response.js'

/** The exit that an HTTP status stands for, where no known code says more (product §3). */
export function exitOfStatus(status: number): Exit {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 405 || status === 410) return 'missing'
  if (status === 409 || status === 412) return 'state'
  if (status === 460) return 'network'
  if (status === 423 || status === 429 || status >= 500) return 'temporary'
  return 'refused'
}

/**
 * Whether the service itself said that it did nothing and may be asked again (product §11): CE101, 429, or 503 with Retry-After. A
 * 503 without it is also what a proxy answers for a service whose connection broke. A code of the documents decides before the status.
 */
export function isTemporary({code, status, retryAfterMs}: Refusal): boolean {
  if (isDocumented(code)) return code === 'CE101'
  return status === 429 || (status === 503 && retryAfterMs !== undefined)
}

/** Whether a gateway answered for a service that may have carried the request out. */
export function isGatewayFault({code, status}: Refusal): boolean {
  return !isDocumented(code) && (status === 502 || status === 503 || status === 504)
}

/**
 * Whether the answer leaves it open that the request was carried out: a server error which no code of the documents
 * explains can come after the change was made.
 */
export function isUncertain(refusal: Refusal): boolean {
  return !isDocumented(refusal.code) && refusal.status >= 500 && !isTemporary(refusal)
}

function isDocumented(code: string | undefined): code is Code {
  return code !== undefined && isCode(code)
}
