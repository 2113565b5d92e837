/** How often and how slowly a request is sent again. Times are in milliseconds. */
export interface RetryPolicy {
  readonly retries: number
  /** The longest wait before the first retry (250); it doubles with each further one. */
  readonly baseMs: number
  readonly capMs: number
  /** The longest wait that a service may ask for (60 s). */
  readonly longestAskedMs?: number
  random(): number
}

/** A service may ask for more patience, but not for more than this. */
const LONGEST_RETRY_AFTER_MS = 60_000

/**
 * The wait before a retry in milliseconds; `attempt` counts from 1. With full jitter: anything between nothing and the doubling
 * bound, so that many clients do not come back together. A readable `Retry-After` is obeyed instead, up to `longestAskedMs`.
 */
export function backoffMs(policy: RetryPolicy, attempt: number, retryAfter?: string, now: Date = new Date()): number {
  const asked = retryAfterMs(retryAfter, now)
  if (asked !== undefined) return Math.min(asked, policy.longestAskedMs ?? LONGEST_RETRY_AFTER_MS)
  const bound = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1))
  return Math.floor(policy.random() * bound)
}

/** The wait that a `Retry-After` header asks for, in milliseconds; undefined for none, and for one that cannot be read. */
export function retryAfterMs(retryAfter: string | undefined, now: Date): number | undefined {
  const asked = retryAfter === undefined ? undefined : askedMs(retryAfter.trim(), now)
  return asked === undefined ? undefined : Math.max(asked, 0)
}

function askedMs(retryAfter: string, now: Date): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000
  // Only the date forms of HTTP: Date.parse alone would take "-5" and "soon 1" for years.
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(retryAfter)) return undefined
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : date - now.getTime()
}
