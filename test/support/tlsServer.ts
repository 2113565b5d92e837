import tls from 'node:tls'
import {listen} from './listen.js'

/** A TLS server that says nothing. */
export async function tlsServer(cert: string, key: string): Promise<{port: number}> {
  return {port: await listen(tls.createServer({cert, key}, (socket) => socket.on('error', () => undefined)))}
}
