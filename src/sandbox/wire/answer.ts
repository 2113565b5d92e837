import type {Code} from '../../api/contract/codes.js'
import type {WireResponse} from '../../api/http/wire/transport.js'

/** The envelope, with exactly the members that the document names (room, Response envelope). */
export interface Envelope {
  readonly status: 'SUCCESS' | 'FAIL'
  readonly data?: unknown
  readonly message?: string
  readonly error_code?: Code
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A text as an answer of the wire. */
export function textAnswer(status: number, headers: Record<string, string>, text: string, now: Date): WireResponse {
  const bytes = Buffer.from(text)
  return {
    status,
    headers: {...headers, 'content-length': String(bytes.length), date: now.toUTCString()},
    body: once(bytes),
    discard() {},
  }
}

/** An envelope as an answer of the wire. */
export function envelopeAnswer(
  status: number,
  envelope: Envelope,
  now: Date,
  headers: Record<string, string> = {},
): WireResponse {
  return textAnswer(status, {'content-type': 'application/json', ...headers}, JSON.stringify(envelope), now)
}
