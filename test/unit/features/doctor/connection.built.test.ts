import net from 'node:net'
import {beforeAll, describe, expect, test} from 'vitest'
import {type TestCertificateOptions, TestCredentials} from '../../../../scripts/testCredentials.js'
import {
  type Connection,
  checkName,
  checkProxy,
  checkServiceAddress,
  connect,
} from '../../../../src/features/doctor/connection.js'
import {checkCertificate, readTrusted} from '../../../../src/features/doctor/tls.js'
import {everyCase} from '../../../support/everyCase.js'
import {closedPort, listen, proxyServer, tlsServer} from './servers.js'

const workshop = new TestCredentials()
const now = new Date('2026-12-01T12:00:00Z')
/** A signal of its own for each check: those of many would all listen to one. */
const boundOf = (ms = 5_000) => ({ms, signal: new AbortController().signal})
const ca: {key: string; certificate: string; file: string} = {key: 'ca', certificate: '', file: ''}

beforeAll(() => {
  ca.certificate = workshop.certificate({
    key: 'ca',
    name: 'Test Authority',
    authority: true,
    from: '2020-01-01T00:00:00Z',
  })
  ca.file = workshop.file('ca-file.pem', ca.certificate)
})

/** A server whose certificate our authority signed, for 127.0.0.1 unless it says otherwise. */
async function served(options: TestCertificateOptions = {}) {
  const own = {key: 'server', name: 'rooms', alternatives: 'IP:127.0.0.1', from: '2020-01-01T00:00:00Z'}
  const certificate = workshop.certificate({...own, issuer: ca, ...options})
  const server = await tlsServer(certificate, workshop.key('server'))
  return {...server, url: new URL(`https://127.0.0.1:${server.port}/`)}
}

async function looked(url: URL, {caFile, proxy}: {caFile?: string; proxy?: URL} = {}) {
  const {secureContext, authorities} = await readTrusted(caFile, {})
  const made = await connect({url, proxy, secureContext}, boundOf())
  return {made, verdict: (at = now) => verdictOf(made, authorities, at)}
}

function verdictOf({tls}: Connection, authorities: Parameters<typeof checkCertificate>[2]['authorities'], at: Date) {
  if (!tls) throw new Error('there was no TLS')
  return checkCertificate('room tls', tls, {host: '127.0.0.1', now: at, authorities})
}

describe('the certificate of a service', () => {
  test('of an authority that caFile names is well, and nothing is sent to see it', async () => {
    const {url, received} = await served()
    const {verdict} = await looked(url, {caFile: ca.file})
    expect(verdict()).toMatchObject({
      state: 'ok',
      details: {
        subject: 'rooms',
        issuer: 'Test Authority',
        trusted_by: 'caFile',
        chain: ['rooms', 'Test Authority'],
        valid_to: '2049-12-31T00:00:00.000Z',
      },
    })
    expect(received()).toBe(0)
  })

  test('is a warning in its last 30 days', async () => {
    const {verdict} = await looked((await served()).url, {caFile: ca.file})
    expect(verdict(new Date('2049-12-01T00:00:00Z')).state).toBe('ok')
    expect(verdict(new Date('2049-12-01T00:00:01Z'))).toMatchObject({
      state: 'warn',
      what: expect.stringContaining('29 days left'),
      details: {days_left: 29},
    })
  })

  test('of an authority that is not known here fails, and says how to name it', async () => {
    const {verdict} = await looked((await served()).url)
    expect(verdict()).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('is not signed by a trusted CA'),
      fix: expect.stringContaining('roomctl config set caFile FILE'),
      details: {trusted_by: null, issuer: 'Test Authority'},
    })
  })

  test('that has expired fails', async () => {
    const {verdict} = await looked((await served({to: '2021-01-01T00:00:00Z'})).url, {caFile: ca.file})
    expect(verdict()).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('its certificate has expired'),
      fix: expect.stringContaining('2021-01-01'),
      details: {reason: 'CERT_HAS_EXPIRED'},
    })
  })

  test('that is not valid yet fails', async () => {
    const {verdict} = await looked((await served({from: '2048-01-01T00:00:00Z'})).url, {caFile: ca.file})
    expect(verdict()).toMatchObject({state: 'fail', fix: expect.stringContaining("correct this machine's clock")})
  })

  test('for another name fails, and tells the names that it is for', async () => {
    const other = await served({alternatives: 'DNS:rooms.example.com'})
    const {verdict} = await looked(other.url, {caFile: ca.file})
    expect(verdict()).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('its certificate was issued for another name'),
      fix: expect.stringContaining('DNS:rooms.example.com'),
    })
  })

  test('is seen through a proxy as well', async () => {
    const {url} = await served()
    const proxy = await proxyServer()
    const {verdict} = await looked(url, {caFile: ca.file, proxy: new URL(`http://127.0.0.1:${proxy.port}`)})
    expect(verdict().state).toBe('ok')
    expect(proxy.asked).toEqual([`127.0.0.1:${url.port}`])
  })
})

describe('a file of authorities', () => {
  test('is told to be trusted, or why it cannot be', async () => {
    expect((await readTrusted(ca.file, {})).found).toMatchObject([{state: 'ok'}])
    expect((await readTrusted(undefined, {})).found).toEqual([])
    const missing = await readTrusted('/nowhere/ca.pem', {})
    expect(missing.found).toMatchObject([{state: 'fail', what: '/nowhere/ca.pem cannot be read (ENOENT)'}])
    const empty = await readTrusted(workshop.file('empty.pem', 'nothing'), {})
    expect(empty.found).toMatchObject([
      {state: 'fail', what: expect.stringContaining('contains no usable certificate')},
    ])
  })

  test('is named where it is the one of NODE_EXTRA_CA_CERTS', async () => {
    const {authorities} = await readTrusted(undefined, {NODE_EXTRA_CA_CERTS: ca.file})
    expect(authorities).toMatchObject([{name: 'NODE_EXTRA_CA_CERTS'}])
    expect(authorities[0]?.fingerprints.size).toBe(1)
  })
})

describe('a connection', () => {
  const failing = (url: string, ms = 5_000, proxy?: URL) =>
    connect({url: new URL(url), proxy, secureContext: undefined}, boundOf(ms))

  test('that is refused is told', async () => {
    const port = await closedPort()
    await expect(failing(`https://127.0.0.1:${port}`)).rejects.toMatchObject({
      problem: 'refused',
      message: `cannot reach 127.0.0.1:${port}: connection refused`,
    })
  })

  test('to something that does not speak TLS is told', async () => {
    const port = await listen(net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    await expect(failing(`https://127.0.0.1:${port}`)).rejects.toMatchObject({
      problem: 'tls',
      message: expect.stringContaining('it does not speak TLS as expected'),
    })
  })

  test('to something that hangs up at once is told', async () => {
    const port = await listen(net.createServer((socket) => socket.destroy()))
    await expect(failing(`https://127.0.0.1:${port}`)).rejects.toMatchObject({problem: 'reset'})
  })

  test('to something that never answers ends in time', async () => {
    const port = await listen(net.createServer())
    await expect(failing(`https://127.0.0.1:${port}`, 300)).rejects.toMatchObject({
      problem: 'connect-timeout',
      message: `no connection to 127.0.0.1:${port} within 0.3 s`,
    })
  })

  test('through a proxy that refuses, is not there, or never answers is told', async () => {
    const {url} = await served()
    const refusing = await proxyServer(407)
    await expect(failing(url.href, 5_000, new URL(`http://u:canary@127.0.0.1:${refusing.port}`))).rejects.toMatchObject(
      {
        problem: 'proxy',
        message: `the proxy 127.0.0.1:${refusing.port} does not connect to ${url.host}: it answered 407`,
      },
    )
    const nobody = new URL(`http://127.0.0.1:${await closedPort()}`)
    await expect(failing(url.href, 5_000, nobody)).rejects.toMatchObject({
      problem: 'proxy',
      message: expect.stringContaining('the proxy refused the connection'),
    })
    const silent = new URL(`http://127.0.0.1:${await listen(net.createServer())}`)
    await expect(failing(url.href, 300, silent)).rejects.toMatchObject({problem: 'connect-timeout'})
  })
})

describe('a name', () => {
  test('that nobody has is told, and a figure is not looked up', async () => {
    const [found] = await checkName('room name', 'nobody.invalid', 'check the address', boundOf())
    expect(found).toMatchObject({check: 'room name', state: 'fail', fix: 'check the address'})
    expect(found?.what).toContain('nobody.invalid')
    expect(await checkName('room name', '127.0.0.1', '', boundOf())).toEqual([])
    expect(await checkName('room name', '[::1]', '', boundOf())).toEqual([])
  })

  test('of this machine has its addresses', async () => {
    const [found] = await checkName('room name', 'localhost', '', boundOf())
    expect(found).toMatchObject({state: 'ok', details: {host: 'localhost', addresses: expect.any(Array)}})
  })

  test('is no longer looked up after Ctrl-C', async () => {
    const stopped = {ms: 5_000, signal: AbortSignal.abort()}
    await expect(checkName('room name', 'localhost', '', stopped)).rejects.toMatchObject({facts: {exit: 'interrupted'}})
  })
})

describe('an address', () => {
  test('is checked as a call checks it', () =>
    everyCase(
      [
        ['https://rooms.example.com/media/', false, 'ok', 'https://rooms.example.com/media'],
        ['http://127.0.0.1:8080', false, 'ok', 'http://127.0.0.1:8080/'],
        ['http://rooms.example.com', false, 'fail', 'must begin with https'],
        ['http://rooms.example.com', true, 'warn', 'can be read on the network'],
        ['https://u:canary@rooms.example.com', false, 'fail', 'user name or password'],
        ['https://rooms.example.com/?a=1', false, 'fail', 'must not contain a query'],
      ],
      (text, allowHttp, state, what) => {
        const {found, base} = checkServiceAddress('room', text, {allowHttp, source: 'env'})
        expect(found).toMatchObject({state, what: expect.stringContaining(what)})
        expect(base === undefined).toBe(state === 'fail')
        expect(JSON.stringify(found)).not.toContain('canary')
      },
    ))

  test('is reached through the proxy that the environment names, whose password is not shown', () => {
    const base = new URL('https://rooms.example.com')
    const HTTPS_PROXY = 'http://u:canary@proxy.example.com:3128'
    expect(checkProxy('room', base, {HTTPS_PROXY}).found).toEqual([
      expect.objectContaining({state: 'ok', what: 'through the proxy proxy.example.com:3128'}),
    ])
    expect(checkProxy('room', base, {HTTPS_PROXY, NO_PROXY: '.example.com'})).toMatchObject({
      proxy: undefined,
      found: [{state: 'ok', what: 'none: NO_PROXY exempts this host'}],
    })
    expect(checkProxy('room', base, {HTTP_PROXY: HTTPS_PROXY}).found).toEqual([])
    expect(checkProxy('room', base, {HTTPS_PROXY: 'socks5://u:canary@h'}).found).toMatchObject([{state: 'fail'}])
  })
})
