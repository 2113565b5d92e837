import type {WireError} from '../../http/wire/transport.js'

/** An answer read to its end. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What came of a call: what the answer says, or the error that lost the answer. */
export type CallResult<T = unknown> =
  | {readonly kind: 'success'; readonly data: T; readonly status: number}
  | CallFailure

/** What came of a call that did not succeed. */
export type CallFailure =
  | {readonly kind: 'refused'; readonly refusal: Refusal}
  | {readonly kind: 'broken'; readonly what: string; readonly status: number}
  /** `status`: the answer had begun, and its body was lost. */
  | {readonly kind: 'lost'; readonly error: WireError; readonly status?: number}

/** A service's `no`, as it came. */
export interface Refusal {
  readonly status: number
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** What the answer was instead of an envelope, where it was none. */
  readonly broken?: string | undefined
  /** How long the service asks to wait before the next request, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}
