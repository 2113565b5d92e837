import http from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import {listen} from '../../../support/listen.js'

/** A TLS server that says nothing, and counts the bytes that it was sent. */
export async function tlsServer(cert: string, key: string): Promise<{port: number; received: () => number}> {
  let received = 0
  const server = tls.createServer({cert, key}, (socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        received += bytes.length
      })
  })
  return {port: await listen(server), received: () => received}
}

/** A proxy that opens every way it is asked for, or answers CONNECT with a status of its own. */
export async function proxyServer(refusal?: number): Promise<{port: number; asked: string[]}> {
  const asked: string[] = []
  const server = http.createServer()
  server.on('connect', (request, client: net.Socket) => {
    asked.push(request.url ?? '')
    client.on('error', () => undefined)
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
      return
    }
    const {hostname, port} = new URL(`http://${request.url}`)
    const onward = net.connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', () => client.destroy())
    client.on('close', () => onward.destroy())
  })
  return {port: await listen(server), asked}
}
