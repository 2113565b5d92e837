import {once} from 'node:events'
import type net from 'node:net'
import {Worker} from 'node:worker_threads'
import {describe, expect, test} from 'vitest'
import {adapters, atEnd, get, listenRaw, text, wireError} from '../support.js'

/** A server that answers a request unless `hangsUp` says that it resets the connection instead. */
async function server(hangsUp: (nth: {onConnection: number; inAll: number}) => boolean) {
  const seen: {requests: string[]; sockets: net.Socket[]} = {requests: [], sockets: []}
  const url = await listenRaw((socket, received) => {
    const requests = received.match(/(GET|POST) /g) ?? []
    seen.requests.push(requests.at(-1)?.trim() ?? '')
    if (!seen.sockets.includes(socket)) seen.sockets.push(socket)
    if (hangsUp({onConnection: requests.length, inAll: seen.requests.length})) socket.resetAndDestroy()
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
  })
  return {url, seen}
}

/** A server on a thread of its own that closes a kept connection after 50 ms, and has then set `closed`. */
async function impatientServer(closed: Int32Array): Promise<URL> {
  const code = `
    const {parentPort, workerData: closed} = require('node:worker_threads')
    const server = require('node:http').createServer((request, response) => {
      response.end('ok')
      setTimeout(() => request.socket.end(() => {
        Atomics.store(closed, 0, 1)
        Atomics.notify(closed, 0)
      }), 50)
    })
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`
  const worker = new Worker(code, {eval: true, workerData: closed})
  atEnd(() => worker.terminate())
  const [port] = await once(worker, 'message')
  return new URL(`http://127.0.0.1:${port}/`)
}

describe.each(adapters)('a kept connection of the %s adapter', (_, transport) => {
  test.each(['GET', 'POST'])('that was closed between two requests is not used (%s)', async (method) => {
    const {url, seen} = await server(() => false)
    const send = await transport()
    await text(await send(get(url)))
    const [first] = seen.sockets
    first?.end()
    if (first) await once(first, 'close')
    const answer = await send(get(url, {method, ...(method === 'POST' ? {body: 'x'} : {})}))
    expect(await text(answer)).toBe('ok')
    expect([seen.requests, seen.sockets.length]).toEqual([['GET', method], 2])
  })

  test('that was closed while this process was too busy to notice is not used for a change', async () => {
    const closed = new Int32Array(new SharedArrayBuffer(4))
    const url = await impatientServer(closed)
    const send = await transport()
    await text(await send(get(url)))
    await new Promise((resolve) => setTimeout(resolve, 10))
    Atomics.wait(closed, 0, 0)
    expect(await text(await send(get(url, {method: 'POST', body: 'x'})))).toBe('ok')
  })

  test('that is closed as the next request arrives: a read is sent once more on a fresh connection', async () => {
    const {url, seen} = await server(({onConnection}) => onConnection > 1)
    const send = await transport()
    await text(await send(get(url)))
    expect(await text(await send(get(url)))).toBe('ok')
    expect([seen.requests, seen.sockets.length]).toEqual([['GET', 'GET', 'GET'], 2])
  })

  test('that is closed as a change arrives: the change is not repeated and may have been received', async () => {
    const {url, seen} = await server(({onConnection}) => onConnection > 1)
    const send = await transport()
    await text(await send(get(url)))
    const error = await wireError(send(get(url, {method: 'POST', body: 'x'})))
    expect([error.problem, error.sent]).toEqual(['reset', 'maybe'])
    expect(error.message).toBe(`the connection to ${url.host} was reset before an answer came`)
    expect(seen.requests).toEqual(['GET', 'POST'])
  })

  test('to a service that resets every read: it is asked once more and not again', async () => {
    const {url, seen} = await server(({inAll}) => inAll > 1)
    const send = await transport()
    await text(await send(get(url)))
    const error = await wireError(send(get(url)))
    expect([error.problem, error.sent]).toEqual(['reset', 'maybe'])
    expect(seen.requests).toEqual(['GET', 'GET', 'GET'])
  })
})
