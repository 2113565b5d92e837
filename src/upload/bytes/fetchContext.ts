import type {Api} from '../../api/client/api.js'

/** What the reading of a resource's bytes works with. */
export interface FetchContext {
  readonly api: Api
  /** Ctrl-C, SIGTERM, SIGHUP. */
  readonly signal: AbortSignal
  /** Ends early, without an error, when the signal does. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => Date
  readonly random: () => number
}
