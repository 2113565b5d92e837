import net from 'node:net'
import {Worker} from 'node:worker_threads'
import {describe, expect, test} from 'vitest'
import {adapters, atEnd, freePort, get, listen, listenHttp, listenRaw, text, wireError} from '../support.js'

/** A port whose queue of connections is full: its server listens and never accepts, as a host does that is overrun. */
async function fullQueue(): Promise<URL> {
  const code = `
    const server = require('node:net').createServer()
    server.listen({port: 0, host: '127.0.0.1', backlog: 1}, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port)
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    })`
  const worker = new Worker(code, {eval: true})
  atEnd(() => worker.terminate())
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  while (await connects(port));
  return new URL(`http://127.0.0.1:${port}/`)
}

function connects(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1')
  atEnd(() => socket.destroy())
  return new Promise((resolve) => {
    // A turn of the event loop later a connection that was made meanwhile is known.
    const timer = setTimeout(() => setImmediate(() => resolve(!socket.connecting)), 300)
    socket.on('error', () => {})
    socket.on('connect', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

describe.each(adapters)('a failure over the %s adapter', (_, transport) => {
  test('a refused connection', async () => {
    const url = await freePort()
    const error = await wireError((await transport())(get(new URL('/a?secret=s3cret', url))))
    expect([error.problem, error.sent]).toEqual(['refused', 'no'])
    expect(error.message).toBe(`cannot reach ${url.host}: connection refused`)
  })

  test('a name that does not exist', async () => {
    const error = await wireError((await transport({connectMs: 10_000}))(get(new URL('http://nobody.invalid/a'))))
    expect([error.problem, error.sent]).toEqual(['dns', 'no'])
    expect(error.message).toMatch(/^cannot reach nobody\.invalid:80: (unknown host|temporary DNS failure)/)
  })

  test('a connection that is never established', async () => {
    const url = await fullQueue()
    const error = await wireError((await transport({connectMs: 200}))(get(url)))
    expect([error.problem, error.sent]).toEqual(['connect-timeout', 'no'])
    expect(error.message).toBe(`no connection to ${url.host} within 0.2 s`)
  })

  test('a server that accepts and never begins TLS', async () => {
    const url = await listen(net.createServer())
    const error = await wireError((await transport({connectMs: 200}))(get(new URL(`https://${url.host}/`))))
    expect([error.problem, error.sent]).toEqual(['connect-timeout', 'no'])
  })

  test('a connection that is closed in the middle of the TLS handshake', async () => {
    const url = await listenRaw((socket) => socket.resetAndDestroy())
    const error = await wireError((await transport())(get(new URL(`https://${url.host}/`))))
    expect([error.problem, error.sent]).toEqual(['reset', 'no'])
    expect(error.message).toBe(`cannot reach ${url.host}: it closed the connection before anything was sent`)
  })

  test('an answer that does not come', async () => {
    const url = await listenRaw(() => {})
    const error = await wireError((await transport({headersMs: 200}))(get(url, {method: 'POST', body: 'x'})))
    expect([error.problem, error.sent]).toEqual(['headers-timeout', 'maybe'])
    expect(error.message).toBe(`no answer from ${url.host} within 0.2 s`)
  })

  test.each([
    ['reset', (socket: net.Socket) => socket.resetAndDestroy()],
    ['closed', (socket: net.Socket) => socket.end()],
    ['closed after half a status line', (socket: net.Socket) => socket.end('HTTP/1.1 2')],
  ])('a connection that is %s after the request was sent', async (_, hangUp) => {
    const url = await listenRaw(hangUp)
    const error = await wireError((await transport())(get(url, {method: 'POST', body: 'x'})))
    expect([error.problem === 'reset' || error.problem === 'broken', error.sent]).toEqual([true, 'maybe'])
    expect(error.message).toContain(url.host)
  })

  test('something that is no HTTP', async () => {
    const url = await listenRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    const error = await wireError((await transport())(get(url)))
    expect([error.problem, error.sent]).toEqual(['broken', 'maybe'])
    expect(error.message).toBe(`${url.host} sent invalid HTTP`)
  })

  test('a TLS alert, with which a server answers plain http', async () => {
    const url = await listenRaw((socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x16])))
    const error = await wireError((await transport())(get(url)))
    expect([error.problem, error.message]).toEqual(['broken', `${url.host} speaks TLS: its address begins with https`])
  })

  test.each([
    ['ten thousand headers', Array.from({length: 10_000}, (_, n) => `x-${n}: 1\r\n`).join('')],
    ['one header of 20 KiB', `x: ${'y'.repeat(20 * 1024)}\r\n`],
  ])('an answer with %s', async (_, headers) => {
    const url = await listenRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n`))
    const error = await wireError((await transport())(get(url)))
    expect([error.problem, error.sent]).toEqual(['too-large', 'maybe'])
    expect(error.message).toBe(`${url.host} answered with headers larger than 16 KiB`)
  })

  test.each([
    ['a length', 'Content-Length: 100\r\n\r\n0123456789'],
    ['a length and the promise to close', 'Connection: close\r\nContent-Length: 100\r\n\r\n0123456789'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n'],
    ['chunks and the promise to close', 'Connection: close\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n'],
  ])('a body that ends early, announced by %s', async (_, rest) => {
    const url = await listenRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
    const answer = await (await transport())(get(url))
    const error = await wireError(text(answer))
    expect([error.problem, error.sent]).toEqual(['broken', 'maybe'])
    expect(error.message).toBe(`the answer of ${url.host} is incomplete: the connection ended in the middle`)
  })

  test('a switch to an unrequested protocol', async () => {
    const url = await listenRaw((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
    })
    const error = await wireError((await transport())(get(url)))
    expect(error.sent).toBe('maybe')
  })

  test('a stalled body', async () => {
    const url = await listenRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789'))
    const answer = await (await transport({headersMs: 200}))(get(url))
    const error = await wireError(text(answer))
    expect(error.problem).toBe('broken')
    expect(error.message).toBe(`the answer of ${url.host} is incomplete: no more data arrived`)
  })

  test('a slow reader is not taken for a stalled body', async () => {
    const whole = Buffer.alloc(4 * 1024 * 1024, 'x')
    const url = await listenHttp((_, response) => response.end(whole))
    // A busy machine is silent for a moment, too.
    const answer = await (await transport({headersMs: 1_500}))(get(url))
    let size = 0
    for await (const chunk of answer.body) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 2_500))
      size += chunk.length
    }
    expect(size).toBe(whole.length)
  })

  test('a stalled body is noticed also after its reader was slow', async () => {
    const url = await listenHttp((_, response) => {
      response.writeHead(200, {'content-length': 1_000_000})
      response.write(Buffer.alloc(300_000))
    })
    const answer = await (await transport({headersMs: 150}))(get(url))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await wireError(text(answer))).message).toMatch(/is incomplete: no more data arrived$/)
  })

  test('a slow upload that is alive is not ended by the limit on silence', async () => {
    const url = await listenHttp((request, response) => {
      request.resume().on('end', () => response.end('taken'))
    })
    const send = await transport({headersMs: 600})
    const slow = (async function* () {
      for (let n = 0; n < 6; n++) {
        await new Promise((resolve) => setTimeout(resolve, 250))
        yield Buffer.from('a little')
      }
    })()
    expect(await text(await send(get(url, {method: 'PUT', body: slow})))).toBe('taken')
  })

  test('a caller who gives up before, while waiting, and in the middle of the body', async () => {
    const waiting = new AbortController()
    const url = await listenHttp((request, response) => {
      if (request.url === '/body') response.write('begun')
      else waiting.abort()
    })
    const send = await transport()
    const before = await wireError(send(get(url, {signal: AbortSignal.abort()})))
    expect([before.problem, before.sent]).toEqual(['aborted', 'no'])

    const during = await wireError(send(get(url, {signal: waiting.signal})))
    expect([during.problem, during.sent]).toEqual(['aborted', 'maybe'])
    expect(during.message).toBe(`the request to ${url.host} was cancelled`)

    const reading = new AbortController()
    const answer = await send(get(new URL('/body', url), {signal: reading.signal}))
    setTimeout(() => reading.abort(), 100)
    expect((await wireError(text(answer))).problem).toBe('aborted')
  })
})
