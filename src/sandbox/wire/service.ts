import type {Code} from '../../api/contract/codes.js'
import type {Operation} from '../../api/contract/operation.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import type {WorldStore} from '../world/store.js'
import type {World} from '../world/world.js'

export interface ServiceOptions {
  readonly store: WorldStore
  readonly now: () => Date
  /** From 0 up to 1, as Math.random: for ids and the draw of failures. */
  readonly random: () => number
  /** The folder of uploaded bytes. */
  readonly files: string
}

export interface SandboxService {
  /** `world` is as it was when the request came, and is only read. Rejects with a Failure of the store, and a WireError. */
  handle(request: WireRequest, world: World): Promise<WireResponse>
}

/** A service whose refusals are the JSON that `bodyOf` makes of them; by default a sentence, since the HTTP status decides. */
export function openService(
  now: () => Date,
  handle: SandboxService['handle'],
  bodyOf: (refusal: SandboxRefusal) => object = ({message}) => ({message}),
): SandboxService {
  const refused = (refusal: SandboxRefusal) => jsonResponse(refusal.status, bodyOf(refusal), now(), refusal.headers)
  return {
    handle: (request, world) =>
      handle(request, world).catch((error: unknown) => {
        if (error instanceof SandboxRefusal) return refused(error)
        throw error
      }),
  }
}

/** With `code` it leaves as a FAIL envelope (room, Errors). The other documents show no error bodies: a status and a sentence in JSON. */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal'

  constructor(
    message: string,
    readonly status: number,
    readonly code?: Code,
    readonly headers?: Readonly<Record<string, string>>,
  ) {
    super(message)
  }
}

export function refuse(code: Code, message: string): never {
  throw new SandboxRefusal(message, statusOfCode(code), code)
}

export function refusePlain(status: number, message: string, headers?: Readonly<Record<string, string>>): never {
  throw new SandboxRefusal(message, status, undefined, headers)
}

/** 404 if no operation has the path, 405 if others are `allowed` on it. */
export function refuseRoute({method, url}: WireRequest, allowed: readonly string[]): never {
  if (allowed.length === 0) refusePlain(404, `no operation has the path ${url.pathname}`)
  const allow = [...new Set(allowed)].join(', ')
  return refusePlain(405, `${method} is not allowed on ${url.pathname}; allowed: ${allow}`, {allow})
}

/** Not those of a wrong state. The document shows no HTTP status for its codes (room, Errors), so these are the customary ones. */
const statuses: Readonly<Partial<Record<Code, number>>> = {
  CE001: 400,
  AA001: 400,
  CE200: 401,
  CE003: 403,
  T001: 403,
  CE002: 404,
  RE003: 404,
  CE100: 503,
  CE101: 503,
}

function statusOfCode(code: Code): number {
  return statuses[code] ?? 409
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

export function textResponse(status: number, headers: Record<string, string>, text: string, now: Date): WireResponse {
  const bytes = Buffer.from(text)
  return {
    status,
    headers: {...headers, 'content-length': String(bytes.length), date: now.toUTCString()},
    body: once(bytes),
    discard() {},
  }
}

export function jsonResponse(
  status: number,
  value: unknown,
  now: Date,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return textResponse(status, {'content-type': 'application/json', ...headers}, JSON.stringify(value), now)
}

/** Checks an answer against the contract: a handler that drifts from it fails in its own test. */
export function contractResponse(operation: Operation, status: number, data: unknown, now: Date): WireResponse {
  return jsonResponse(status, assertContract(operation, data), now)
}

export function emptyResponse(status: number, headers: Readonly<Record<string, string>>, now: Date): WireResponse {
  const answer = textResponse(status, {...headers}, '', now)
  // RFC 9110: no Content-Length with 204. For HEAD it would be that of GET's answer.
  const {'content-length': length, ...rest} = answer.headers
  return {...answer, headers: status === 201 ? {...rest, 'content-length': length ?? '0'} : rest}
}

export function assertContract<T>({id, reply}: Operation, data: T): T {
  const read = reply.safeParse(data)
  if (!read.success) throw new Error(`the sandbox answers ${id} out of contract: ${JSON.stringify(read.error.issues)}`)
  return data
}
