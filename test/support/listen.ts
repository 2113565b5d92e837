import net from 'node:net'
import {onTestFinished} from 'vitest'

/** Listens on a loopback port, and returns it. The server and its connections end with the test, or by `until`. */
export async function listen(
  server: net.Server,
  {until = onTestFinished, host = '127.0.0.1'}: {until?: (end: () => Promise<void>) => void; host?: string} = {},
): Promise<number> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  until(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return portOf(server)
}

/** A port without a listener. */
export async function closedPort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function portOf(server: net.Server): number {
  const bound = server.address()
  if (typeof bound !== 'object' || !bound) throw new Error('the test server has no port')
  return bound.port
}
