import type {Operation} from '../../api/contract/operation.js'
import type {WireResponse} from '../../api/http/wire/transport.js'

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A text as an answer of the wire. */
export function textResponse(status: number, headers: Record<string, string>, text: string, now: Date): WireResponse {
  const bytes = Buffer.from(text)
  return {
    status,
    headers: {...headers, 'content-length': String(bytes.length), date: now.toUTCString()},
    body: once(bytes),
    discard() {},
  }
}

/** JSON as an answer of the wire, without an envelope. */
export function jsonResponse(
  status: number,
  value: unknown,
  now: Date,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return textResponse(status, {'content-type': 'application/json', ...headers}, JSON.stringify(value), now)
}

/** An answer that has no body. */
export function emptyResponse(status: number, headers: Readonly<Record<string, string>>, now: Date): WireResponse {
  const answer = textResponse(status, {...headers}, '', now)
  // RFC 9110: no Content-Length with 204. To HEAD it would be that of what GET answers.
  const {'content-length': length, ...rest} = answer.headers
  return {...answer, headers: status === 201 ? {...rest, 'content-length': length ?? '0'} : rest}
}

/** Holds an answer to the contract before it leaves: a handler that drifts from it fails in its own test. */
export function assertContract<T>({id, reply}: Operation, data: T): T {
  const read = reply.safeParse(data)
  if (!read.success) throw new Error(`the sandbox answers ${id} out of contract: ${JSON.stringify(read.error.issues)}`)
  return data
}
