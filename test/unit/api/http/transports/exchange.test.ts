import {describe, expect, test, vi} from 'vitest'
import {adapters, get, listenHttp, listenRaw, text, wireError} from '../support.js'

async function* chunks(...parts: string[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

describe.each(adapters)('an exchange over the %s adapter', (_, transport) => {
  test('gives status, headers and body, repeated headers joined', async () => {
    const url = await listenHttp((_, response) => {
      response.writeHead(404, {'X-Two': ['a', 'b'], 'Set-Cookie': ['c=1', 'd=2'], 'X-Latin': 'caf\u00e9'})
      response.end('{"status":"FAIL"}')
    })
    const answer = await (await transport())(get(url))
    expect(answer.status).toBe(404)
    expect(answer.headers).toMatchObject({'x-two': 'a, b', 'set-cookie': 'c=1, d=2', 'x-latin': 'caf\u00e9'})
    expect(await text(answer)).toBe('{"status":"FAIL"}')
  })

  test('sends several requests over one connection', async () => {
    const ports = new Set<number | undefined>()
    const url = await listenHttp((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('ok')
    })
    const send = await transport()
    for (let n = 0; n < 4; n++) await text(await send(get(url)))
    expect(ports.size).toBe(1)
  })

  test('uses the connection again after an answer without content was discarded', async () => {
    const ports = new Set<number | undefined>()
    const url = await listenHttp((request, response) => {
      ports.add(request.socket.remotePort)
      response.writeHead(204).end()
    })
    const send = await transport()
    for (let n = 0; n < 3; n++) (await send(get(url, {method: 'PATCH', body: 'x'}))).discard()
    expect(ports.size).toBe(1)
  })

  test.each([301, 302, 303, 307, 308])('does not follow a redirect (%i)', async (status) => {
    let reached = 0
    const elsewhere = await listenHttp((_, response) => {
      reached++
      response.end()
    })
    const url = await listenHttp((_, response) => {
      response.writeHead(status, {location: elsewhere.href}).end()
    })
    const answer = await (await transport())(get(url, {headers: {Authorization: 'Bearer t'}}))
    answer.discard()
    expect(answer).toMatchObject({status, headers: {location: elsewhere.href}})
    expect(reached).toBe(0)
  })

  test('keeps the case of header names on the wire', async () => {
    let received = ''
    const url = await listenRaw((socket, bytes) => {
      received = bytes
      if (bytes.includes('\r\n\r\n')) socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
    })
    const headers = {Original_File_Name: 'a.zip', 'tus-Resumable': '1.0.0', AUTHORIZATION: 'Bearer t'}
    await (await transport())(get(new URL('/media/v1/rooms?limit=1&q=a%20b', url), {headers}))
    expect(received).toMatch(/^GET \/media\/v1\/rooms\?limit=1&q=a%20b HTTP\/1\.1\r\n/)
    for (const line of ['Original_File_Name: a.zip', 'tus-Resumable: 1.0.0', 'AUTHORIZATION: Bearer t']) {
      expect(received).toContain(`\r\n${line}\r\n`)
    }
  })

  test.each([
    ['a text', 'POST', 'h\u00e9llo', 'h\u00e9llo', '6'],
    ['bytes', 'PATCH', Buffer.from('bytes'), 'bytes', '5'],
    ['a text with DELETE', 'DELETE', '{"a":1}', '{"a":1}', '7'],
    ['bytes larger than a slice', 'PUT', Buffer.alloc(300_000, 'x'), 'x'.repeat(300_000), '300000'],
  ])('sends %s with its length', async (_, method, body, expected, length) => {
    const url = await listenHttp(async (request, response) => {
      let received = ''
      for await (const chunk of request.setEncoding('utf8')) received += chunk
      response.setHeader('seen-length', request.headers['content-length'] ?? 'none')
      response.end(`${request.method} ${received}`)
    })
    const answer = await (await transport())(get(url, {method, body}))
    expect(answer.headers['seen-length']).toBe(length)
    expect(await text(answer)).toBe(`${method} ${expected}`)
  })

  test('does not say the length twice when the caller has said it', async () => {
    let received = ''
    const url = await listenRaw((socket, bytes) => {
      received = bytes
      if (bytes.endsWith('two')) socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
    })
    const headers = {'content-LENGTH': '6'}
    await (await transport())(get(url, {method: 'PATCH', headers, body: 'onetwo'}))
    expect(received.match(/^content-length: 6\r$/gim)).toHaveLength(1)
  })

  test('streams a body, in chunks or with the length that was given', async () => {
    const url = await listenHttp(async (request, response) => {
      let received = ''
      for await (const chunk of request) received += chunk
      response.end(`${received} ${request.headers['content-length'] ?? request.headers['transfer-encoding']}`)
    })
    const send = await transport()
    expect(await text(await send(get(url, {method: 'POST', body: chunks('one', 'two')})))).toBe('onetwo chunked')
    const counted = get(url, {method: 'POST', body: chunks('one', 'two'), headers: {'Content-Length': '6'}})
    expect(await text(await send(counted))).toBe('onetwo 6')
  })

  test('reports a body that could not be read, with its cause', async () => {
    const cause = new Error('the disk is gone')
    const url = await listenHttp((request) => request.resume())
    const send = await transport()
    const broken = (async function* () {
      yield Buffer.from('first')
      throw cause
    })()
    const error = await wireError(send(get(url, {method: 'POST', body: broken})))
    expect([error.problem, error.sent, error.cause]).toEqual(['aborted', 'maybe', cause])
    expect(error.message).toBe(`the request to ${url.host} was cancelled: its body could not be read`)
  })

  test.each([
    ['shrank', ['one']],
    ['grew', ['one', 'two', 'three']],
  ])('cancels a streamed body that %s after its length was announced', async (what, parts) => {
    const url = await listenHttp((request) => request.resume())
    const send = await transport()
    const headers = {'content-length': '6'}
    const error = await wireError(send(get(url, {method: 'POST', body: chunks(...parts), headers})))
    expect([error.problem, error.sent]).toEqual(['aborted', 'maybe'])
    expect(error.message).toBe(`the request to ${url.host} was cancelled: its body ${what} while it was read`)
  })

  test('takes an answer that comes before a streamed body has ended, and stops reading the body', async () => {
    const url = await listenHttp((_, response) => response.writeHead(413, {connection: 'close'}).end('enough'))
    const send = await transport()
    let ended = false
    const endless = (async function* () {
      try {
        for (;;) {
          yield Buffer.alloc(65_536)
          await new Promise((resolve) => setImmediate(resolve))
        }
      } finally {
        ended = true
      }
    })()
    const answer = await send(get(url, {method: 'POST', body: endless}))
    expect([answer.status, await text(answer)]).toEqual([413, 'enough'])
    await vi.waitUntil(() => ended, {timeout: 5_000})
  })

  test('refuses header values that HTTP forbids without repeating them', async () => {
    const url = await listenHttp((_, response) => response.end())
    const error = await wireError((await transport())(get(url, {headers: {Authorization: 'Bearer s3cret\nx'}})))
    expect([error.problem, error.sent]).toEqual(['broken', 'no'])
    expect(error.message).toContain(`nothing was sent to ${url.host}: the header "Authorization"`)
    expect(error.message).not.toContain('s3cret')
  })

  test('discards the rest of an endless body without an error', async () => {
    let gone: () => void = () => {}
    const wentAway = new Promise<void>((resolve) => {
      gone = resolve
    })
    const url = await listenHttp((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
      response.on('close', () => {
        clearInterval(timer)
        gone()
      })
    })
    const answer = await (await transport())(get(url))
    answer.discard()
    answer.discard()
    await wentAway
  })

  test('discarding after the body was read changes nothing', async () => {
    const url = await listenHttp((_, response) => response.end('whole'))
    const send = await transport()
    const answer = await send(get(url))
    expect(await text(answer)).toBe('whole')
    answer.discard()
    expect(await text(await send(get(url)))).toBe('whole')
  })
})
