import http from 'node:http'
import {pipeline} from 'node:stream/promises'
import {failureWith} from '../../../failure.js'
import {isLoopback} from '../network/address.js'
import {type Transport, WireError, type WireRequest} from '../wire/transport.js'

export interface RunningServer {
  readonly url: URL
  close(): Promise<void>
}

const host = '127.0.0.1'

/** Requests under way when the server closes have this long to end. */
const CLOSING_MS = 1_000

/**
 * Serves a handler over HTTP on a loopback address; port 0 lets the system choose. A request whose Host names another machine is
 * refused (421), else a web page could reach the server by a name of its own (DNS rebinding). A handler that rejects with a
 * `WireError` breaks the connection without an answer; any other failure is a 500. @throws Failure (network) if the port is not
 * available
 */
export async function serve(handler: Transport, {port}: {port: number}): Promise<RunningServer> {
  const server = http.createServer({requestTimeout: 0}, (incoming, outgoing) => {
    outgoing.on('close', () => server.listening || incoming.socket.end())
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await listening(server, port)
  const close = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), CLOSING_MS)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      server.closeIdleConnections()
    })
  return {url: new URL(`http://${authority(server)}/`), close}
}

async function answer(
  handler: Transport,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<void> {
  const request = requestOf(incoming, outgoing)
  if (!request || !isLoopback(request.url.hostname)) {
    outgoing.writeHead(request ? 421 : 400).end()
    return
  }
  const answered = await handler(request).catch((error: unknown) => {
    if (error instanceof WireError) throw error
    return undefined
  })
  if (!answered) outgoing.writeHead(500, {'content-type': 'text/plain'}).end('the handler of this server failed\n')
  else await pipeline(answered.body, outgoing.writeHead(answered.status, answered.headers))
}

/** The request as a transport sees it: header names in their own case, a body only if one was announced. */
function requestOf(incoming: http.IncomingMessage, outgoing: http.ServerResponse): WireRequest | undefined {
  const target = incoming.url ?? ''
  const address = `http://${incoming.headers.host ?? 'localhost'}${target}`
  if (!target.startsWith('/') || !URL.canParse(address)) return undefined
  const gone = new AbortController()
  outgoing.once('close', () => {
    // An abort costs as much as a small answer, and has no listener after a whole one.
    if (!outgoing.writableFinished) gone.abort()
  })
  const hasBody =
    incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined
  return {
    method: incoming.method ?? 'GET',
    url: new URL(address),
    headers: headersOf(incoming.rawHeaders),
    signal: gone.signal,
    ...(hasBody ? {body: incoming} : {}),
  }
}

function headersOf(raw: readonly string[]): Record<string, string> {
  const headers = new Map<string, [name: string, value: string]>()
  for (let n = 0; n < raw.length; n += 2) {
    const {[n]: name = '', [n + 1]: value = ''} = raw
    const first = headers.get(name.toLowerCase())
    if (first) first[1] += `, ${value}`
    else headers.set(name.toLowerCase(), [name, value])
  }
  return Object.fromEntries(headers.values())
}

function listening(server: http.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const taken = 'code' in error && error.code === 'EADDRINUSE'
      const why = taken ? 'another program uses this port' : 'permission denied'
      const advice = 'choose another port with --port, or a free one with --port 0'
      reject(failureWith('network', `cannot listen on ${host}:${port}: ${why}`, {try: advice}, {cause: error}))
    })
    server.listen(port, host, resolve)
  })
}

function authority(server: http.Server): string {
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  return `${host}:${port}`
}
