import {
  type Transport,
  WireError,
  type WireProblem,
  type WireRequest,
  type WireResponse,
} from '../../src/api/http/wire/transport.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {type Circumstances, demoStore, noon} from '../support/cli.js'
import {filesOf} from '../support/files.js'

/** An answer with any body. */
export function reply(
  text: string,
  {status = 200, headers = {}}: {status?: number; headers?: Record<string, string>} = {},
): WireResponse {
  return {
    status,
    headers: {'content-type': 'application/json', ...headers},
    body: once(Buffer.from(text)),
    discard: () => undefined,
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** The envelope of a success. */
export function success(data?: unknown, status = 200): WireResponse {
  return reply(JSON.stringify({status: 'SUCCESS', ...(data === undefined ? {} : {data})}), {status})
}

/** The envelope of a refusal; with HTTP 200, as the document shows no status. */
export function refusal(code: string | undefined, message: string | undefined = 'the service said no', status = 200) {
  return reply(
    JSON.stringify({
      status: 'FAIL',
      ...(message === undefined ? {} : {message}),
      ...(code === undefined ? {} : {error_code: code}),
    }),
    {status},
  )
}

/** The answer of a proxy in front. */
export function page(status: number, headers: Record<string, string> = {}): WireResponse {
  return reply(`<html><body><h1>${status}</h1></body></html>`, {
    status,
    headers: {'content-type': 'text/html', ...headers},
  })
}

/** An answer that never came. */
export function lost(problem: WireProblem, sent: 'no' | 'maybe'): WireError {
  return new WireError(problem, sent, `the connection failed (${problem})`)
}

type Come = WireResponse | WireError

/** A service that answers everything in the same way. */
export function always(answer: (request: WireRequest) => Come): Transport {
  return async (request) => {
    const come = answer(request)
    if (come instanceof WireError) throw come
    return come
  }
}

/** The demonstration rooms, and an application configuration if the operation needs one. */
export async function readyFor(operation: string): Promise<WorldStore> {
  const store = await demoStore()
  if (operation !== 'appConfig.update') return store
  await store.change((world) => {
    world.configuration = {applicationId: 'app-1', values: {}}
  })
  return store
}

/** A terminal without colours, on which a user gives these answers. */
export function terminal(columns: number, ...answers: readonly unknown[]): Circumstances {
  return {columns, answers, env: {NO_COLOR: '1'}}
}

/** The sandbox as a transport of its own. */
export function sandboxOf(store: WorldStore): Transport {
  return createSandbox({store, now: () => noon, files: filesOf(store)})
}

/**
 * The sandbox with the demonstration rooms; requests that `wanted` picks are answered by the
 * given answers in turn, the last one repeatedly; by itself if the answer is undefined. `applied`: the sandbox still carries them out.
 */
export async function instead(
  wanted: (request: WireRequest) => boolean,
  answers: readonly (() => Come | undefined)[],
  {applied = false, store}: {applied?: boolean; store?: WorldStore} = {},
): Promise<Transport> {
  const sandbox = sandboxOf(store ?? (await demoStore()))
  let turn = 0
  return async (request) => {
    if (!wanted(request)) return sandbox(request)
    if (applied) await sandbox(request)
    const come = answers[Math.min(turn, answers.length - 1)]?.()
    turn += 1
    if (come === undefined) return sandbox(request)
    if (come instanceof WireError) throw come
    return come
  }
}

/** A request that changes something, by its method; `record list` is a read that the document sends as POST. */
export function isChange({method, url}: WireRequest): boolean {
  return method !== 'GET' && !url.pathname.endsWith('/recordings')
}
