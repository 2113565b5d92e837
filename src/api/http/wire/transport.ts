/** A request as it goes over the wire. Header names keep the case they are given in. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** A streamed body may be told by `next(LEFT)` what has become of its chunks. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
  /** How long this exchange may be silent, in milliseconds, where that is not the adapter's own time. */
  readonly silenceMs?: number
}

/**
 * What a reader of a streamed body hands to `next` when the chunk before has left this process: its maker may then use that
 * memory again. A reader that does not say so (`for await`) may keep the chunk.
 */
export const CHUNK_SENT = 'left'

/** An answer whose body is still to be read. Header names are lower case; repeated headers are joined by `, `. */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The bytes as they come, compressed if `content-encoding` says so. Read at most once. */
  readonly body: AsyncIterable<Uint8Array>
  /** Whether all of the body has come: who does not want it need not wait for its end. Absent where that cannot be told. */
  readonly isWhole?: () => boolean
  /** Lets the rest of the body go; harmless after it was read. */
  discard(): void
}

/** One exchange. Rejects with a `WireError`; any HTTP status is an answer, and no redirect is followed. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

/** Why an exchange brought no answer. */
export type WireProblem =
  | 'dns'
  | 'refused'
  | 'connect-timeout'
  | 'headers-timeout'
  | 'deadline'
  | 'reset'
  | 'tls'
  | 'proxy'
  | 'too-large'
  | 'broken'
  | 'aborted'

/** An exchange that failed. `sent` says whether the service can have seen the request. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly problem: WireProblem
  /** `no`: it certainly did not arrive. `maybe`: it may have arrived and may have been carried out. */
  readonly sent: 'no' | 'maybe'

  constructor(problem: WireProblem, sent: 'no' | 'maybe', message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
    this.sent = sent
  }
}
