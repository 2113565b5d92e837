import {Api} from '../../../../src/api/client/api.js'
import type {Route} from '../../../../src/api/http/route/route.js'
import {
  type Transport,
  WireError,
  type WireProblem,
  type WireRequest,
  type WireResponse,
} from '../../../../src/api/http/wire/transport.js'

/** The service's treatment of one request. */
export type Step = (request: WireRequest) => Promise<WireResponse>

/** Answers with a status and a body; an object is sent as JSON. */
export function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): Step {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/html' : 'application/json'
  return async () => ({
    status,
    headers: {'content-type': type, ...headers},
    body: once(text),
    discard() {},
  })
}

export const success = (data?: unknown) => answer(200, {status: 'SUCCESS', data})
export const refusal = (code: string, message = 'no', status = 409) =>
  answer(status, {status: 'FAIL', message, error_code: code})
/** The room as the detail shows it. */
export const room = (fields: object = {}) => success({room_id: 'r-1', ...fields})
export const noRoom = refusal('CE002', 'no such room', 404)

/** Fails on the wire. */
export function breaks(problem: WireProblem, sent: 'no' | 'maybe' = 'maybe'): Step {
  return async () => {
    throw new WireError(problem, sent, `it broke: ${problem}`)
  }
}

/** Sends the head of an answer, and fails while its body is read. */
export function breaksInBody(status: number, problem: WireProblem = 'broken'): Step {
  return async () => ({
    status,
    headers: {},
    body: (async function* () {
      yield Buffer.from('{"status":')
      throw new WireError(problem, 'maybe', 'it broke in the middle')
    })(),
    discard() {},
  })
}

/** Never answers; ends when the caller gives up. `sent` as the wire reports it. */
export function hangs(sent: 'no' | 'maybe' = 'maybe', meanwhile: () => void = () => undefined): Step {
  return ({signal}) =>
    new Promise((_, reject) => {
      const end = () => reject(new WireError('aborted', sent, 'given up'))
      if (signal?.aborted) end()
      signal?.addEventListener('abort', end, {once: true})
      meanwhile()
    })
}

export interface Circumstances {
  readonly retries?: number
  readonly timeoutMs?: number
  readonly abort?: AbortController
  /** An event during the wait before a retry. */
  readonly onSleep?: () => void
  /** The route that is set in place of every operation's own. */
  readonly route?: Route
  /** The address of the service; `https://rooms.test/media` otherwise. */
  readonly base?: string
  readonly now?: Date
}

export interface Stage {
  readonly api: Api
  /** The requests as `METHOD /path`, in their order. */
  readonly sent: string[]
  /** How long the client wanted to wait before each further attempt, in milliseconds. */
  readonly slept: number[]
  /** Reports of unusual successes. */
  readonly warned: string[]
  /** The secrets that were made known; bytes as a text. */
  readonly concealed: string[]
}

const noon = new Date('2026-12-01T12:00:00Z')

/** A client whose service does one step for each request; a request beyond the script fails the test. */
export function stage(steps: readonly Step[], circumstances: Circumstances = {}): Stage {
  const {retries = 2, timeoutMs = 10_000, abort = new AbortController(), onSleep, route, base, now} = circumstances
  const sent: string[] = []
  const slept: number[] = []
  const warned: string[] = []
  const concealed: string[] = []
  const transport: Transport = (request) => {
    sent.push(`${request.method} ${request.url.pathname}`)
    const step = steps[sent.length - 1]
    if (!step) throw new Error(`the script has no answer to: ${sent.join(', ')}`)
    return step(request)
  }
  const api = new Api({
    assertWritable: () => undefined,
    access: async () => ({
      base: new URL(base ?? 'https://rooms.test/media'),
      transport,
      open: transport,
      route: (operation) => route ?? {method: operation.method, path: operation.route},
    }),
    retry: {retries, baseMs: 250, capMs: 8_000, random: () => 0.5},
    timeoutMs,
    sleep: async (ms) => {
      slept.push(ms)
      onSleep?.()
    },
    // Time passes while the client waits, and only then.
    now: () => new Date((now ?? noon).getTime() + slept.reduce((sum, ms) => sum + ms, 0)),
    signal: abort.signal,
    warn: (text) => warned.push(text),
    secrets: {
      add: (secret) => concealed.push(String(secret)),
      learn: () => undefined,
      maskResultIn: (value) => value,
    },
  })
  return {api, sent, slept, warned, concealed}
}

/** What the service shows while it is read until a change is settled, four times. */
export const settling = (shown: Step): Step[] => [shown, shown, shown, shown]

async function* once(text: string): AsyncIterable<Uint8Array> {
  if (text !== '') yield Buffer.from(text)
}
