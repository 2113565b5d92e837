import {once} from 'node:events'
import http from 'node:http'
import net from 'node:net'
import {describe, expect, test} from 'vitest'
import {type RunningServer, serve} from '../../../../../src/api/http/server/serve.js'
import {directTransport} from '../../../../../src/api/http/transports/direct.js'
import {type Transport, WireError, type WireRequest} from '../../../../../src/api/http/wire/transport.js'
import {step} from '../../../../support/step.js'
import {answerWith, atEnd, get, text, wireError} from '../support.js'

const send = directTransport({connectMs: 2_000, headersMs: 2_000})

async function served(handler: Transport): Promise<RunningServer> {
  const running = await serve(handler, {port: 0})
  atEnd(() => running.close())
  return running
}

describe('a handler that is served', () => {
  test('sees method, address, headers as they were written, and the body', async () => {
    const asked: (WireRequest & {text: string})[] = []
    const {url} = await served(async (request) => {
      const chunks: Uint8Array[] = []
      if (request.body && typeof request.body !== 'string' && !(request.body instanceof Uint8Array)) {
        for await (const chunk of request.body) chunks.push(chunk)
      }
      asked.push({...request, text: Buffer.concat(chunks).toString()})
      return {...answerWith('{"a":1}', {'content-type': 'application/json', 'x-two': 'a, b'}), status: 201}
    })
    const headers = {Original_File_Name: 'a.zip', 'X-A': '1'}
    const answer = await send(get(new URL('/media/v1/rooms?a=b%20c', url), {method: 'POST', headers, body: 'hello'}))
    expect([answer.status, answer.headers['x-two'], await text(answer)]).toEqual([201, 'a, b', '{"a":1}'])
    const seen = asked[0]
    expect([seen?.method, seen?.url.href, seen?.text]).toEqual([
      'POST',
      `${url.origin}/media/v1/rooms?a=b%20c`,
      'hello',
    ])
    expect(seen?.headers).toMatchObject(headers)
  })

  test('gets no body where none was announced, and repeated headers joined', async () => {
    const asked: WireRequest[] = []
    const {url} = await served(async (request) => {
      asked.push(request)
      return answerWith('')
    })
    const socket = net.connect(Number(url.port), url.hostname)
    socket.end('GET //evil.test/a HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\nx-a: 2\r\nConnection: close\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
    expect(asked[0]?.body).toBeUndefined()
    expect(asked[0]?.headers['X-A']).toBe('1, 2')
    expect(asked[0]?.url.href).toBe('http://localhost//evil.test/a')
  })

  test('refuses a page that a foreign host name led here', async () => {
    const asked: string[] = []
    const {url} = await served(async ({url: {host}}) => {
      asked.push(host)
      return answerWith('')
    })
    const status = async (host: string) => {
      const socket = net.connect(Number(url.port), url.hostname)
      socket.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      const [answer] = await once(socket, 'data')
      return String(answer).slice(9, 12)
    }
    const here = ['localhost', `127.0.0.1:${url.port}`, '[::1]:80', 'a.localhost:4170']
    for (const host of here) expect(await status(host), host).toBe('200')
    for (const host of [
      'evil.test',
      `evil.test:${url.port}`,
      'localhost.evil.test',
      '192.168.1.1',
      '127.0.0.1.evil.test',
    ]) {
      expect(await status(host), host).toBe('421')
    }
    expect(asked).toEqual(here.map((host) => host.replace(/:80$/u, '')))
  })

  test('that has no answer breaks the connection, and one that fails is a 500', async () => {
    const {url} = await served(async (request) => {
      if (request.url.pathname === '/reset') throw new WireError('reset', 'maybe', 'as asked')
      throw new Error('a secret reason')
    })
    const error = await wireError(send(get(new URL('/reset', url), {method: 'POST'})))
    expect([error.problem, error.sent]).toEqual(['reset', 'maybe'])
    const answer = await send(get(url))
    expect([answer.status, await text(answer)]).toEqual([500, 'the handler of this server failed\n'])
  })

  test('notices that the client goes away', async () => {
    let gone: () => void = () => {}
    const wentAway = new Promise<void>((resolve) => {
      gone = resolve
    })
    const caller = new AbortController()
    const {url} = await served((request) => {
      request.signal?.addEventListener('abort', gone)
      caller.abort()
      return new Promise(() => {})
    })
    const waiting = wireError(send(get(url, {signal: caller.signal})))
    expect((await waiting).problem).toBe('aborted')
    await wentAway
  })

  test.each([
    'GET http://evil.test/ HTTP/1.1\r\nHost: h\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: h\r\n',
    'GET / HTTP/1.1\r\nHost: a b\r\n',
  ])('is not asked for %j', async (head) => {
    let asked = 0
    const {url} = await served(async () => {
      asked++
      return answerWith('')
    })
    const socket = net.connect(Number(url.port), url.hostname)
    socket.end(`${head}Connection: close\r\n\r\n`)
    const [received] = await once(socket, 'data')
    expect([String(received).slice(0, 12), asked]).toEqual(['HTTP/1.1 400', 0])
  })
})

describe('closing', () => {
  test('ends kept connections, and lets a request under way end', async () => {
    const [asked, held] = [step(), step()]
    const running = await serve(
      async (request) => {
        if (request.url.pathname === '/held') {
          asked.go()
          await held.until
        }
        return answerWith('done')
      },
      {port: 0},
    )
    const agent = new http.Agent({keepAlive: true})
    const kept = await new Promise<net.Socket>((resolve) => {
      http.get(running.url, {agent}, (response) => {
        const {socket} = response
        response.resume().on('end', () => resolve(socket))
      })
    })
    const under = send(get(new URL('/held', running.url)))
    await asked.until

    const closed = running.close()
    await once(kept, 'close')
    held.go()
    expect(await text(await under)).toBe('done')
    await closed
    expect((await wireError(send(get(running.url)))).problem).toBe('refused')
  })

  test('does not wait forever for a request that hangs, and can be called twice', async () => {
    const asked = step()
    const never = () => {
      asked.go()
      return new Promise<never>(() => {})
    }
    const running = await serve(never, {port: 0})
    const hanging = wireError(send(get(running.url, {method: 'POST'})))
    await asked.until
    await Promise.all([running.close(), running.close()])
    expect((await hanging).problem).toBe('reset')
  })

  test('a port that is in use is named', async () => {
    const first = await served(async () => answerWith(''))
    await expect(serve(async () => answerWith(''), {port: Number(first.url.port)})).rejects.toThrow(
      `cannot listen on 127.0.0.1:${first.url.port}: another program uses this port`,
    )
  })
})
