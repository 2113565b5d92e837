import {createHash} from 'node:crypto'
import type http from 'node:http'
import {adapters, listenHttp} from '../../api/http/support.js'
import {contextOf} from './context.js'

/** A request as received by the server. */
export interface Seen {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
}

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void

/** A server, and its requests. */
export interface Server {
  readonly url: URL
  readonly seen: Seen[]
}

/** A server of the test's own that notes every request. */
export async function serve(handler: Handler): Promise<Server> {
  const seen: Seen[] = []
  const url = await listenHttp((request, response) => {
    seen.push({path: request.url ?? '', headers: request.headers})
    handler(request, response)
  })
  return {url, seen}
}

/** An asset service whose metadata of the resource are `meta`; `bytes` answers everything else. */
export function serveAssets(meta: () => object, bytes: Handler = notFound): Promise<Server> {
  return serve((request, response) => {
    if (request.url !== '/asset/games/foo/u-1?type=meta') return bytes(request, response)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({uuid: 'u-1', ...meta()}))
  })
}

export const notFound: Handler = (_, response) => {
  response.statusCode = 404
  response.end()
}

export interface Circumstances {
  readonly signal?: AbortSignal
  /** Milliseconds after which a silent connection is given up. */
  readonly silenceMs?: number
  /** Milliseconds for a whole call (`--timeout`). */
  readonly timeoutMs?: number
  /** `direct` or `pooled`. */
  readonly adapter?: string
}

/** The context of a download from that service, over real transports. */
export async function contextFor(base: URL, circumstances: Circumstances = {}): Promise<ReturnType<typeof contextOf>> {
  const {
    signal = new AbortController().signal,
    silenceMs = 2_000,
    timeoutMs = 5_000,
    adapter = 'direct',
  } = circumstances
  const make = adapters.find(([name]) => name === adapter)?.[1]
  if (!make) throw new Error(`there is no adapter ${adapter}`)
  return contextOf({base, open: await make({headersMs: silenceMs}), signal, timeoutMs})
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
