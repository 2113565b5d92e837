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
 * Whether the service itself said "not now": such a change was not carried out and may be sent again (product §5). A code
 * of the documents decides; beside any other code, or none, the HTTP status does.
 */
export function isTemporary({code, status}: Refusal): boolean {
  return isDocumented(code) ? code === 'CE101' : status === 429 || status === 503
}

/** Whether a gateway answered for a service that may have carried the request out. */
export function isGatewayFault({code, status}: Refusal): boolean {
  return !isDocumented(code) && (status === 502 || status === 504)
}

/**
 * Whether the answer leaves it open that the request was carried out: a server error which no code of the documents
 * explains can come after the change was made. 503 says that the request was not taken.
 */
export function isUncertain({code, status}: Refusal): boolean {
  return !isDocumented(code) && status >= 500 && status !== 503
}

function isDocumented(code: string | undefined): code is Code {
  return code !== undefined && isCode(code)
}
