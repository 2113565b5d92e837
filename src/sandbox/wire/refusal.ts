import type {Code} from '../../api/contract/operation.js'
import type {WireRequest} from '../../api/http/wire/transport.js'

/**
 * A request that a service refuses. With `code` it is an error of the room document, which leaves as a FAIL envelope (room,
 * Errors); the other documents show no error bodies, so it leaves as a status and a sentence in JSON.
 */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal'
  readonly status: number
  readonly code: Code | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    message: string,
    {status, code, headers = {}}: {status: number; code?: Code; headers?: Readonly<Record<string, string>>},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** Refuses the request with a code of the room document. */
export function refuse(code: Code, message: string): never {
  throw new SandboxRefusal(message, {status: statusOfCode[code], code})
}

/** Refuses the request with an HTTP status alone. */
export function refusePlain(status: number, message: string, headers?: Readonly<Record<string, string>>): never {
  throw new SandboxRefusal(message, {status, ...(headers ? {headers} : {})})
}

/** Refuses a request that fits no route: 404 where no operation has the path, 405 where others are `allowed` on it. */
export function refuseRoute({method, url}: WireRequest, allowed: readonly string[]): never {
  if (allowed.length === 0) refusePlain(404, `no operation has the path ${url.pathname}`)
  const allow = [...new Set(allowed)].join(', ')
  return refusePlain(405, `${method} is not allowed on ${url.pathname}; allowed: ${allow}`, {allow})
}

/**
 * The HTTP status beside each code. The document shows none (room, Errors: "not shown"), so these are the customary
 * ones; the choice `failStatus: '200'` sends every refusal with 200 instead.
 */
export const statusOfCode: Readonly<Record<Code, number>> = {
  CE001: 400,
  AA001: 400,
  CE200: 401,
  CE003: 403,
  T001: 403,
  CE002: 404,
  RE003: 404,
  U001: 409,
  D001: 409,
  T002: 409,
  ER001: 409,
  AA002: 409,
  BR001: 409,
  BA001: 409,
  DH001: 409,
  RE001: 409,
  FAILED_PRECONDITION: 409,
  CE100: 503,
  CE101: 503,
}
