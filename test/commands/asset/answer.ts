import {text} from 'node:stream/consumers'
import type {Transport, WireResponse} from '../../../src/api/http/wire/transport.js'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import {reply, sandboxOf} from '../answers.js'

/** Makes a new answer each time: a body can be read only once. */
export type Answering = () => WireResponse

/** A service that answers each `METHOD /path?query` below its address from this table, and others with 404. */
export function answering(answers: Readonly<Record<string, Answering>>): Transport {
  return async ({method, url}) => {
    const answer = answers[`${method} ${url.pathname.replace(/^\/asset/u, '')}${url.search}`]
    return answer === undefined ? reply('', {status: 404}) : answer()
  }
}

/** JSON of the document, with the status that it shows. */
export function json(value: unknown, status = 200): Answering {
  return () => reply(JSON.stringify(value), {status})
}

/** The sandbox, whose metadata, of one resource or all, say more. */
export function withMeta({store}: {readonly store: WorldStore}, change: object, uuid = ''): Transport {
  const sandbox = sandboxOf(store)
  return async (request) => {
    const answer = await sandbox(request)
    if (!`${request.url.pathname}${request.url.search}`.endsWith(`${uuid}?type=meta`)) return answer
    return reply(JSON.stringify({...JSON.parse(await bodyOf(answer)), ...change}))
  }
}

export async function bodyOf({body}: WireResponse): Promise<string> {
  return await text(body)
}

/** An answer without a body. */
export function bare(status: number, headers: Record<string, string> = {}): Answering {
  return () => ({status, headers, body: nothing(), discard: () => undefined})
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // A body that ends before it begins.
}

/** A listing with these child containers. */
export function listing(...children: readonly string[]): Answering {
  const contains = children.map((uri) => ({type: 'BasicContainer', uri}))
  return json({type: 'BasicContainer', contains, resources: {assetResources: [], commonResources: []}})
}

/** The sandbox as a service that takes the path of a creation as the parent of the new container. */
export function takingParents(store: WorldStore): Transport {
  const sandbox = sandboxOf(store)
  return async (request) => {
    if (request.method !== 'POST' || !request.url.pathname.endsWith('/')) return sandbox(request)
    const {name}: {name: string} = JSON.parse(String(request.body))
    return sandbox({...request, url: new URL(`${encodeURIComponent(name)}/`, request.url)})
  }
}
