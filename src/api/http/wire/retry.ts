/** How often and how slowly a request is sent again. Times are in milliseconds. */
export interface RetryPolicy {
  readonly retries: number
  /** The longest wait before the first retry (250); it doubles with each further one. */
  readonly baseMs: number
  readonly capMs: number
  random(): number
}

/**
 * The wait before a retry in milliseconds; `attempt` counts from 1. With full jitter: anything between nothing and the doubling
 * bound, so that many clients do not come back together, but at least what the service asks for.
 */
export function backoffMs(policy: RetryPolicy, attempt: number, askedMs = 0): number {
  const bound = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1))
  return Math.max(askedMs, Math.floor(policy.random() * bound))
}

interface RetryHeaders {
  readonly 'retry-after'?: string | undefined
  readonly date?: string | undefined
}

/**
 * The wait that `Retry-After` asks for, in milliseconds; undefined for none, and for one that cannot be read. A date counts from the
 * answer's own `Date`: the clocks may differ.
 */
export function retryAfterMs({'retry-after': asked = '', date = ''}: RetryHeaders, now: Date): number | undefined {
  if (/^\s*\d+\s*$/.test(asked)) return Number(asked) * 1000
  // Only the date forms of HTTP: Date.parse alone would take "-5" and "soon 1" for years.
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(asked)) return undefined
  const [until, answered] = [Date.parse(asked), Date.parse(date)]
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(answered) ? now.getTime() : answered))
}
