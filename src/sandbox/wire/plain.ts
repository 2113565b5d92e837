import type {WireResponse} from '../../api/http/wire/transport.js'
import {textAnswer} from './answer.js'

/** A request that a service without an envelope refuses. Their documents show no error bodies: an HTTP status, and a sentence in JSON. */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** Ends the request with a status and the sentence that stands in `message`. */
export function refusePlain(status: number, message: string, headers?: Readonly<Record<string, string>>): never {
  throw new PlainRefusal(status, message, headers)
}

/** A refusal as it leaves. */
export function refusedAnswer({status, message, headers}: PlainRefusal, now: Date): WireResponse {
  return jsonAnswer(status, {message}, now, headers)
}

/** JSON as an answer of the wire, without an envelope. */
export function jsonAnswer(
  status: number,
  value: unknown,
  now: Date,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return textAnswer(status, {'content-type': 'application/json', ...headers}, JSON.stringify(value), now)
}

/** An answer that has no body. */
export function bareAnswer(status: number, headers: Readonly<Record<string, string>>, now: Date): WireResponse {
  const answer = textAnswer(status, {...headers}, '', now)
  // RFC 9110: no Content-Length with 204. To HEAD it would be that of what GET answers.
  const {'content-length': length, ...rest} = answer.headers
  return {...answer, headers: status === 201 ? {...rest, 'content-length': length ?? '0'} : rest}
}
