import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import path from 'node:path'
import type {Traffic} from './traffic.js'

export interface ProxyOptions {
  /** Origin of the service behind it. */
  readonly target: URL
  readonly traffic: Traffic
  /** Whether the service answers HEAD; 405 otherwise. */
  readonly head: boolean
}

/**
 * A transparent proxy that counts. A connection that breaks on one side breaks on the other. Returns its own
 * origin.
 */
export async function countingProxy(options: ProxyOptions): Promise<{readonly origin: string; close(): void}> {
  const names = new Map<string, string>()
  const server = createServer((incoming, answer) => pass(incoming, answer, {...options, names}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return {origin: `http://127.0.0.1:${port}`, close}
}

interface Passing extends ProxyOptions {
  /** The file of each upload, by the uuid. */
  readonly names: Map<string, string>
}

function pass(incoming: IncomingMessage, answer: ServerResponse, {target, traffic, head, names}: Passing): void {
  const {method = '', url = '', headers} = incoming
  if (method === 'HEAD' && !head) {
    answer.writeHead(405).end()
    return
  }
  const onwards = request(new URL(url, target), {method, headers, agent: false})
  const uuid = path.posix.basename(url)
  if (method === 'PATCH') {
    const arrived = traffic.patch(
      names.get(uuid) ?? uuid,
      Number(headers['upload-offset']),
      Number(headers['content-length']),
    )
    incoming.on('data', (bytes: Buffer) => arrived(bytes.length))
  }
  if (headers['upload-length'] !== undefined) traffic.create()
  onwards.on('response', (response) => {
    const {location} = response.headers
    if (location) names.set(path.posix.basename(location), String(headers.original_file_name))
    answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
    response.pipe(answer)
  })
  onwards.on('error', () => answer.destroy())
  answer.on('close', () => onwards.destroy())
  incoming.pipe(onwards)
}
