import net from 'node:net'
import {describe, expect, test} from 'vitest'
import {readBody} from '../../../../../src/api/http/wire/message.js'
import {adapters, get, listen, listenHttp, listenRaw, text, wireError} from '../support.js'

describe.each(adapters)('the reader of an answer over the %s adapter', (_, transport) => {
  test('gets the final response, without the informational ones before it', async () => {
    const url = await listenRaw((socket) =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone',
      ),
    )
    const answer = await (await transport())(get(url))
    expect([answer.status, answer.headers.link, await text(answer)]).toEqual([404, undefined, 'gone'])
  })

  test('slows down a service that sends faster than it reads', async () => {
    const sent = {bytes: 0}
    const url = await listenHttp((_, response) => {
      const pour = () => {
        do sent.bytes += 1_000
        while (response.write(Buffer.alloc(1_000)))
      }
      response.on('drain', pour)
      pour()
    })
    const answer = await (await transport())(get(url))
    const chunks = answer.body[Symbol.asyncIterator]()
    await chunks.next()
    // What the buffers of the system hold, and no more.
    let once = 0
    while (once < sent.bytes) {
      once = sent.bytes
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    for (let read = 0; read < once; read += (await chunks.next()).value.length);
    expect(sent.bytes).toBeGreaterThan(once)
    await chunks.return?.()
  })

  test('that stops reading closes the connection', async () => {
    let closed: () => void = () => {}
    const wasClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await listenHttp((_, response) => {
      response.on('close', closed)
      response.write('a beginning')
    })
    const answer = await (await transport())(get(url))
    for await (const chunk of answer.body) if (chunk.length > 0) break
    await wasClosed
  })

  test('that gives up before a connection is ready does not wait for it, and nothing is sent', async () => {
    // TLS never begins, so that the connection is never ready.
    const url = await listen(net.createServer())
    const patience = new AbortController()
    setTimeout(() => patience.abort(), 50)
    const send = await transport({connectMs: 2_000})
    const error = await wireError(send(get(new URL(`https://${url.host}/`), {signal: patience.signal})))
    expect([error.problem, error.sent]).toEqual(['aborted', 'no'])
  })

  test('an abort has no effect once a short answer is complete', async () => {
    const url = await listenHttp((_, response) => response.end('whole'))
    const answer = await (await transport())(get(url))
    while (!answer.isWhole?.()) await new Promise((resolve) => setImmediate(resolve))
    const body = await readBody(answer, {maxBytes: 100, signal: AbortSignal.abort()})
    expect(body.toString()).toBe('whole')
  })
})
