import http from 'node:http'
import net from 'node:net'
import {text as textOf} from 'node:stream/consumers'
import {onTestFinished} from 'vitest'
import type {WireOptions} from '../../../../src/api/http/transports/direct.js'
import {directTransport} from '../../../../src/api/http/transports/direct.js'
import {pooledTransport} from '../../../../src/api/http/transports/pooled.js'
import {withResend} from '../../../../src/api/http/transports/selectTransport.js'
import {
  type Transport,
  WireError,
  type WireRequest,
  type WireResponse,
} from '../../../../src/api/http/wire/transport.js'
import {closedPort, listen as listening} from '../../../support/listen.js'

/** Has something ended (and waited for) after the test that is running, the last one first. */
export function atEnd(end: () => unknown): void {
  onTestFinished(async () => void (await end()))
}

const options: WireOptions = {connectMs: 2_000, headersMs: 2_000}

/** Both adapters by name; every test of the wire runs on each. */
export const adapters: [string, (changed?: Partial<WireOptions>) => Promise<Transport>][] = [
  ['direct', async (changed) => withResend(directTransport({...options, ...changed}))],
  ['pooled', async (changed) => withResend(await pooledTransport({...options, ...changed}))],
]

/** A server on a loopback port of the system's choice; it and all its connections end with the test. */
export async function listen(server: net.Server, host = '127.0.0.1'): Promise<URL> {
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${await listening(server, {host})}/`)
}

/** An HTTP server. */
export function listenHttp(handler: http.RequestListener): Promise<URL> {
  return listen(http.createServer(handler))
}

/** A server on bare TCP: `respond` gets each connection and the bytes of it that came so far, whenever more come. */
export function listenRaw(respond: (socket: net.Socket, received: string) => void): Promise<URL> {
  return listen(
    net.createServer((socket) => {
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        respond(socket, received)
      })
    }),
  )
}

/** An address without a listener. */
export async function freePort(): Promise<URL> {
  return new URL(`http://127.0.0.1:${await closedPort()}/`)
}

/** A GET of a URL, or what `changed` makes of it. */
export function get(url: URL, changed: Partial<WireRequest> = {}): WireRequest {
  return {method: 'GET', url, headers: {}, ...changed}
}

/** The body as text. */
export async function text(answer: WireResponse): Promise<string> {
  return await textOf(answer.body)
}

/** The `WireError` that a promise rejects with; any other outcome fails the test. */
export async function wireError(promise: Promise<unknown>): Promise<WireError> {
  const outcome = await promise.catch((error: unknown) => error)
  if (outcome instanceof WireError) return outcome
  throw new Error('a WireError was expected', {cause: outcome})
}

/** An answer made by hand, as a transport would give it. */
export function answerWith(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
): WireResponse & {discarded(): boolean} {
  let discarded = false
  const chunks = typeof body === 'string' || body instanceof Uint8Array ? once(Buffer.from(body)) : body
  return {
    status: 200,
    headers,
    body: chunks,
    discard: () => {
      discarded = true
    },
    discarded: () => discarded,
  }
}

async function* once(chunk: Uint8Array): AsyncIterable<Uint8Array> {
  yield chunk
}
