import {existsSync} from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import {join} from 'node:path'
import {writeProfiles} from '../commands/live.js'
import {listening} from './stage.js'

/** A proxy that lets every CONNECT through, and the heads of all that it was asked. */
export interface ConnectProxy {
  readonly url: string
  readonly seen: string[]
}

/** Opens a proxy until the tests of the file are over. */
export async function proxyFor(): Promise<ConnectProxy> {
  const seen: string[] = []
  const note = ({method, url, rawHeaders}: http.IncomingMessage) =>
    seen.push(`${method} ${url} ${rawHeaders.join(' ')}`)
  const server = http.createServer((request, response) => {
    note(request)
    response.writeHead(500).end()
  })
  server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
    note(request)
    const {port} = new URL(`http://${request.url}`)
    const onward = net.connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy())
  })
  return {url: await listening(server), seen}
}

/**
 * What leads to a service of this machine through the proxy: its rooms and assets under a name, since plain http to this machine
 * itself is never proxied, and a profile in `home` that allows plain http. Push stays, whose passwords are never sent that way.
 */
export function throughProxy(
  {url}: ConnectProxy,
  env: Readonly<Record<string, string>>,
  home: string,
): Readonly<Record<string, string>> {
  if (!existsSync(join(home, '.config'))) writeProfiles(home, {default: {allowHttp: true}})
  const named = ['ROOMCTL_ROOM_URL', 'ROOMCTL_ASSET_URL'].map((name) => [
    name,
    env[name]?.replace('127.0.0.1', 'service.test') ?? '',
  ])
  return {...env, ...Object.fromEntries(named), HTTP_PROXY: url}
}
