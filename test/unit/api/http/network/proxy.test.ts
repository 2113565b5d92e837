import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import {describe, expect, test} from 'vitest'
import {proxyFor, readProxy} from '../../../../../src/api/http/network/address.js'
import type {WireOptions} from '../../../../../src/api/http/transports/direct.js'
import {pooledTransport} from '../../../../../src/api/http/transports/pooled.js'
import {selectTransport, withResend} from '../../../../../src/api/http/transports/selectTransport.js'
import type {Transport} from '../../../../../src/api/http/wire/transport.js'
import {makeAuthority} from '../certificates.js'
import {atEnd, freePort, get, listen, listenHttp, listenRaw, text, wireError} from '../support.js'

const authority = makeAuthority()
const local = authority.issue('local', 'IP:127.0.0.1')

interface Seen {
  readonly target: string | undefined
  readonly headers: http.IncomingHttpHeaders
}

/** Lets every CONNECT through to where it wants, and notes all that a proxy gets to see. */
async function proxy(
  server: http.Server = http.createServer(),
): Promise<{url: URL; seen: Seen[]; requests: () => number}> {
  const seen: Seen[] = []
  let requests = 0
  server.on('request', (_, response) => {
    requests++
    response.writeHead(500).end()
  })
  server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
    seen.push({target: request.url, headers: request.headers})
    const [, port] = (request.url ?? '').split(':')
    const onward = net.connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    atEnd(() => onward.destroy())
  })
  return {url: await listen(server), seen, requests: () => requests}
}

/** A plain address by a name: this machine itself is never asked through a proxy. */
const byName = (url: URL) => new URL(url.href.replace('127.0.0.1', 'h.test'))

async function through(url: URL, changed: Partial<WireOptions> = {}): Promise<Transport> {
  const proxy = {http: url.href, https: url.href}
  return withResend(await pooledTransport({connectMs: 2_000, headersMs: 2_000, proxy, ...changed}))
}

describe('a proxy', () => {
  test('opens a tunnel for http and never sees the request or its credential', async () => {
    const by = await proxy()
    const url = byName(await listenHttp((request, response) => response.end(request.headers.authorization)))
    const send = await through(by.url)
    const asked = () => get(new URL('/room?x=1', url), {headers: {Authorization: 'Bearer s3cret'}})
    expect(await text(await send(asked()))).toBe('Bearer s3cret')
    expect(await text(await send(asked()))).toBe('Bearer s3cret')
    expect(by.seen.map(({target}) => target)).toEqual([url.host])
    expect(by.requests()).toBe(0)
    expect(JSON.stringify(by.seen)).not.toMatch(/s3cret|authorization|room/i)
  })

  test('opens a tunnel for https, which needs the given authority', async () => {
    const by = await proxy()
    const server = await listen(https.createServer(local, (_, response) => response.end('behind')))
    const url = new URL(`https://${server.host}/`)
    expect(await text(await (await through(by.url, {ca: [authority.pem]}))(get(url)))).toBe('behind')
    const error = await wireError((await through(by.url))(get(url)))
    expect([error.problem, error.sent]).toEqual(['tls', 'no'])
    expect(error.message).toContain(`cannot reach ${url.host}: its certificate is not signed by a trusted CA`)
  })

  test('may itself speak TLS, under the given authority', async () => {
    const by = await proxy(https.createServer(local))
    const url = byName(await listenHttp((_, response) => response.end('behind')))
    const address = new URL(`https://${by.url.host}`)
    expect(await text(await (await through(address, {ca: [authority.pem]}))(get(url)))).toBe('behind')
    const error = await wireError((await through(address))(get(url)))
    expect([error.problem, error.sent]).toEqual(['proxy', 'no'])
  })

  test('gets the name and password of its address, decoded, and messages do not', async () => {
    const by = await proxy()
    const url = byName(await listenHttp((_, response) => response.end('behind')))
    await text(await (await through(new URL(`http://me:p%40ss@${by.url.host}`)))(get(url)))
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    expect(by.seen[0]?.headers['proxy-authorization']).toBe(basic)
    const refusing = await listenRaw((socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
    const error = await wireError((await through(new URL(`http://me:p%40ss@${refusing.host}`)))(get(url)))
    expect([error.problem, error.sent]).toEqual(['proxy', 'no'])
    expect(error.message).toBe(
      `the proxy ${refusing.host} does not connect to ${url.host}: it answered 407, so it refuses the user and password of its address`,
    )
  })

  test('gets a password without a name', async () => {
    const by = await proxy()
    const url = byName(await listenHttp((_, response) => response.end('behind')))
    await text(await (await through(new URL(`http://:p%40ss@${by.url.host}`)))(get(url)))
    expect(by.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from(':p@ss').toString('base64')}`)
  })

  test('that never answers ends as a connection that is never established', async () => {
    const silent = await listenRaw(() => {})
    const error = await wireError((await through(silent, {connectMs: 200}))(get(new URL('https://h.invalid/'))))
    expect([error.problem, error.sent]).toEqual(['connect-timeout', 'no'])
    expect(error.message).toBe(`no connection to h.invalid:443 within 0.2 s (through the proxy ${silent.host})`)
  })

  test('that hangs up is tried once, not repeatedly', async () => {
    let connections = 0
    const url = await listenRaw((socket) => {
      connections++
      socket.end()
    })
    const error = await wireError((await through(url))(get(new URL('http://h.invalid/'))))
    expect([error.problem, error.sent, connections]).toEqual(['proxy', 'no', 1])
    expect(error.message).toBe(
      `cannot reach h.invalid:80 through the proxy ${url.host}: the proxy closed the connection`,
    )
  })

  test('that is not there is named', async () => {
    const gone = await freePort()
    const error = await wireError((await through(gone))(get(new URL('http://h.invalid/'))))
    expect([error.problem, error.sent]).toEqual(['proxy', 'no'])
    expect(error.message).toBe(
      `cannot reach h.invalid:80 through the proxy ${gone.host}: the proxy refused the connection`,
    )
  })
})

describe('the transport for a run', () => {
  const options = {connectMs: 2_000, headersMs: 2_000}

  test.each(['HTTP_PROXY', 'http_proxy'])('goes through the proxy of %s', async (variable) => {
    const by = await proxy()
    const url = byName(await listenHttp((_, response) => response.end('behind')))
    const send = selectTransport({...options, env: {[variable]: by.url.href}})
    expect(await text(await send(get(url)))).toBe('behind')
    expect(by.seen).toHaveLength(1)
  })

  test('goes straight to this machine over plain http, which a proxy would read', async () => {
    const by = await proxy()
    const url = await listenHttp((_, response) => response.end('straight'))
    for (const concurrency of [1, 64]) {
      const send = selectTransport({...options, env: {HTTP_PROXY: by.url.href}, concurrency})
      expect(await text(await send(get(url)))).toBe('straight')
      expect(await text(await send(get(new URL(url.href.replace('127.0.0.1', 'localhost')))))).toBe('straight')
    }
    expect([by.seen.length, by.requests()]).toEqual([0, 0])
  })

  test('goes straight where NO_PROXY exempts the host', async () => {
    const by = await proxy()
    const url = await listenHttp((_, response) => response.end('straight'))
    const send = selectTransport({...options, env: {HTTP_PROXY: by.url.href, NO_PROXY: '127.0.0.1'}})
    expect(await text(await send(get(url)))).toBe('straight')
    expect(by.seen).toHaveLength(0)
  })

  test('names a proxy it cannot use, without its password', async () => {
    const send = selectTransport({...options, env: {HTTPS_PROXY: 'socks5://me:s3cret@127.0.0.1:1080'}})
    const error = await wireError(send(get(new URL('https://h.invalid/'))))
    expect([error.problem, error.sent]).toEqual(['proxy', 'no'])
    expect(error.message).toBe('the environment variable HTTPS_PROXY does not name an http or https proxy')
  })
})

describe('which proxy a URL has', () => {
  const via = (url: string, env: Record<string, string>) => proxyFor(new URL(url), readProxy(env))?.href

  test.each([
    ['http://h/', {HTTP_PROXY: 'http://p:1'}, 'http://p:1/'],
    ['https://h/', {HTTP_PROXY: 'http://p:1'}, undefined],
    ['https://h/', {HTTPS_PROXY: 'http://p:1'}, 'http://p:1/'],
    ['https://h/', {https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1'}, 'http://low:1/'],
    ['https://h/', {https_proxy: '', HTTPS_PROXY: 'http://up:1'}, 'http://up:1/'],
    ['http://h/', {HTTP_PROXY: 'p.test:3128'}, 'http://p.test:3128/'],
    ['http://h/', {ALL_PROXY: 'http://p:1'}, 'http://p:1/'],
    ['https://h/', {all_proxy: 'http://p:1', HTTP_PROXY: 'http://q:1'}, 'http://p:1/'],
    ['http://h/', {ALL_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:1'}, 'http://q:1/'],
    ['http://127.0.0.1/', {ALL_PROXY: 'http://p:1'}, undefined],
    ['http://127.0.0.1/', {HTTP_PROXY: 'http://p:1'}, undefined],
    ['http://127.9.9.9/', {HTTP_PROXY: 'http://p:1'}, undefined],
    ['http://[::1]/', {HTTP_PROXY: 'http://p:1'}, undefined],
    ['http://localhost/', {HTTP_PROXY: 'http://p:1'}, undefined],
    ['http://rooms.localhost/', {HTTP_PROXY: 'http://p:1'}, undefined],
    ['http://localhost.evil/', {HTTP_PROXY: 'http://p:1'}, 'http://p:1/'],
    ['https://localhost/', {HTTPS_PROXY: 'http://p:1'}, 'http://p:1/'],
  ])('%s with %j', (url, env, expected) => {
    expect(via(url, env)).toBe(expected)
  })

  test.each([
    ['*', 'http://h.test/', true],
    ['h.test', 'http://h.test/', true],
    ['H.Test', 'http://h.test/', true],
    ['h.test', 'http://a.h.test/', true],
    ['.h.test', 'http://a.h.test/', true],
    ['.h.test', 'http://h.test/', true],
    ['*.h.test', 'http://a.h.test/', true],
    ['h.test', 'http://evilh.test/', false],
    ['h.test', 'http://h.test.evil/', false],
    ['h.test', 'http://h.test./', true],
    ['a.test, h.test', 'http://h.test/', true],
    ['a.test h.test', 'http://h.test/', true],
    ['h.test:8080', 'http://h.test:8080/', true],
    ['h.test:8080', 'http://h.test/', false],
    ['h.test:80', 'http://h.test/', true],
    ['10.0.0.1', 'http://10.0.0.1:9/', true],
    ['0.0.1', 'http://10.0.0.1/', false],
    ['10.0.0.0/8', 'http://10.9.8.7/', true],
    ['10.0.0.0/8', 'http://11.9.8.7/', false],
    ['10.0.0.0/8', 'http://[::ffff:10.9.8.7]/', true],
    ['10.9.8.7', 'http://[::ffff:a09:807]/', true],
    ['10.0.0.0/8', 'http://[::ffff:11.9.8.7]/', false],
    ['::/0', 'http://10.9.8.7/', false],
    ['10.0.0.0/99', 'http://10.9.8.7/', false],
    ['fd12::3', 'http://[fd12::3]:8080/', true],
    ['[fd12::3]', 'http://[fd12::3]/', true],
    ['[fd12::3]:8080', 'http://[fd12::3]:8080/', true],
    ['[fd12::3]:8080', 'http://[fd12::3]/', false],
    ['fd00::/8', 'http://[fd12::3]/', true],
    ['2001:0DB8:0::1', 'http://[2001:db8::1]/', true],
    ['[2001:db8::]/32', 'http://[2001:db8::1]/', true],
    ['2001:db9::/32', 'http://[2001:db8::1]/', false],
    ['.BÜCHER.example', 'http://a.xn--bcher-kva.example/', true],
    ['', 'http://h.test/', false],
    [' , ', 'http://h.test/', false],
  ])('NO_PROXY=%s and %s', (no, url, exempt) => {
    expect(via(url, {HTTP_PROXY: 'http://p:1', NO_PROXY: no}) === undefined).toBe(exempt)
  })
})
