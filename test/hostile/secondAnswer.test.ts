import {describe, expect, test} from 'vitest'
import {adapters, get, listenRaw, text, wireError} from '../unit/api/http/support.js'

const answer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe.each(adapters)('over the %s adapter', (_, transport) => {
  test.each([
    ['at once', 0],
    ['a while later', 100],
  ])('an unrequested answer, sent %s, is never taken for that to the next request', async (_when, ms) => {
    const url = await listenRaw((socket, received) => {
      const requests = received.split('\r\n\r\n').length - 1
      const own = answer(`own ${/^GET (\S+)/.exec(received)?.[1]}`)
      if (requests > 1) socket.end(answer('late'))
      else if (ms === 0) socket.write(`${own}${answer('stolen')}`)
      else {
        socket.write(own)
        setTimeout(() => socket.write(answer('stolen')), ms)
      }
    })
    const send = await transport()
    for (const path of ['/first', '/second', '/third']) {
      const came = await send(get(new URL(path, url))).then(text, (error: Error) => error.message)
      expect(came).toMatch(new RegExp(`^own ${path}$|^late$|invalid HTTP|was reset`))
      await new Promise((resolve) => setTimeout(resolve, ms * 2))
    }
  })

  test('bytes behind the announced end are no part of an answer', async () => {
    const url = await listenRaw((socket) => socket.end(`${answer('whole')}{"status":"SUCCESS"}`))
    const send = await transport()
    const came = await send(get(url)).then(text, (error: Error) => error.message)
    expect(came).toMatch(/^whole$|invalid HTTP|incomplete/)
  })

  test('an upgrade, trailers and hints on the way leave an answer as it is', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50)
    const chunked =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-late\r\n\r\n5\r\nwhole\r\n0\r\nx-late: 1\r\n\r\n'
    const url = await listenRaw((socket) => socket.write(`${hints}${chunked}`))
    const came = await (await transport())(get(url))
    expect(came.headers['x-late']).toBeUndefined()
    expect(await text(came)).toBe('whole')
    const endless = await listenRaw((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(5)))
    expect((await wireError((await transport({headersMs: 300}))(get(endless)))).sent).toBe('maybe')
  })

  test('headers named after members of every object are headers', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
    const headers = names.map((name) => `${name}: 1\r\n`).join('')
    const url = await listenRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${headers}Content-Length: 2\r\n\r\n{}`))
    const came = await (await transport())(get(url))
    expect(await text(came)).toBe('{}')
    expect(Object.getPrototypeOf(came.headers)).toBe(Object.prototype)
    for (const name of names.slice(1)) expect(came.headers[name.toLowerCase()]).toBe('1')
  })
})
