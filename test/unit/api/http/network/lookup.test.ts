import dns from 'node:dns'
import http from 'node:http'
import {expect, test, vi} from 'vitest'
import {openTunnel} from '../../../../../src/api/http/network/tunnel.js'
import {directTransport} from '../../../../../src/api/http/transports/direct.js'
import {pooledTransport} from '../../../../../src/api/http/transports/pooled.js'
import {get, listen, text} from '../support.js'

const options = {connectMs: 2_000, headersMs: 2_000}

test('names of this machine are this machine, with any answer of the resolver', async () => {
  const ports = []
  for (const host of ['127.0.0.1', '::1']) {
    const server = http.createServer((_, response) => response.end('here'))
    server.on('connect', (_, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    ports.push((await listen(server, host)).port)
  }
  const asked: string[] = []
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, _: unknown, done: (error: Error) => void) => {
    asked.push(name)
    done(Object.assign(new Error('not found'), {code: 'ENOTFOUND'}))
  }) as typeof dns.lookup)
  const ways = [directTransport(options), await pooledTransport(options)]
  for (const port of ports) {
    for (const name of ['localhost', 'rooms.localhost']) {
      const url = new URL(`http://${name}:${port}/`)
      for (const send of ways) expect(await text(await send(get(url)))).toBe('here')
      const tunnel = {proxy: url, target: new URL('https://rooms.test'), connectMs: 2_000, secureContext: undefined}
      ;(await openTunnel(tunnel)).destroy()
    }
  }
  expect(asked).toEqual([])
  await expect(ways[0]?.(get(new URL('http://rooms.test/'))) ?? '').rejects.toThrow('rooms.test')
  expect(asked).toEqual(['rooms.test'])
})
