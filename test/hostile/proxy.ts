import http from 'node:http'
import net from 'node:net'
import {listening} from './stage.js'

/** A proxy that lets every CONNECT through, and the heads of all that it was asked. */
export interface Proxy {
  readonly url: string
  readonly seen: string[]
}

/** Opens a proxy until the tests of the file are over. */
export async function proxyFor(): Promise<Proxy> {
  const seen: string[] = []
  const note = ({method, url, rawHeaders}: http.IncomingMessage) =>
    seen.push(`${method} ${url} ${rawHeaders.join(' ')}`)
  const server = http.createServer((request, response) => {
    note(request)
    response.writeHead(500).end()
  })
  server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
    note(request)
    const {hostname, port} = new URL(`http://${request.url}`)
    const onward = net.connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy())
  })
  return {url: await listening(server), seen}
}
