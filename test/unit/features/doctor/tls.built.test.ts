import net from 'node:net'
import {beforeAll, describe, expect, test} from 'vitest'
import {type TestCertificateOptions, TestCredentials} from '../../../../scripts/testCredentials.js'
import {checkCertificate} from '../../../../src/features/doctor/tls.js'
import {everyCase} from '../../../support/everyCase.js'
import {closedPort, listen} from '../../../support/listen.js'
import {proxyServer, tlsServer} from './servers.js'

const workshop = new TestCredentials()
const ca: {key: string; certificate: string; file: string} = {key: 'ca', certificate: '', file: ''}

beforeAll(() => {
  const from = '2020-01-01T00:00:00Z'
  ca.certificate = workshop.certificate({key: 'ca', name: 'Test Authority', authority: true, from})
  ca.file = workshop.file('ca-file.pem', ca.certificate)
})

/** A server whose certificate our authority signed, for 127.0.0.1 unless it says otherwise. */
async function served(options: TestCertificateOptions = {}) {
  const own = {key: 'server', name: 'rooms', alternatives: 'IP:127.0.0.1', from: '2020-01-01T00:00:00Z'}
  const certificate = workshop.certificate({...own, issuer: ca, ...options})
  const server = await tlsServer(certificate, workshop.key('server'))
  return {...server, address: `https://127.0.0.1:${server.port}/`}
}

interface Circumstances {
  readonly caFile?: string
  readonly proxy?: string
  readonly at?: string
  readonly ms?: number
}

function looked(address: string, {caFile, proxy, at = '2026-12-01T12:00:00Z', ms = 5_000}: Circumstances = {}) {
  const env = proxy === undefined ? {} : {HTTPS_PROXY: proxy}
  const {signal} = new AbortController()
  return checkCertificate('room tls', {address, caFile, env, now: new Date(at), ms, signal})
}

describe('the certificate of a service', () => {
  test('of an authority that caFile names is well, and nothing is sent to see it', async () => {
    const {address, received} = await served()
    expect(await looked(address, {caFile: ca.file})).toMatchObject([
      {state: 'ok', details: {subject: 'rooms', issuer: 'Test Authority', valid_to: '2049-12-31T00:00:00.000Z'}},
    ])
    expect(received()).toBe(0)
  })

  test('is a warning in its last 30 days', async () => {
    const {address} = await served()
    const at = (time: string) => looked(address, {caFile: ca.file, at: time})
    expect(await at('2049-12-01T23:59:59Z')).toMatchObject([{state: 'ok'}])
    expect(await at('2049-12-02T00:00:00Z')).toMatchObject([
      {state: 'warn', what: expect.stringContaining('29 days left'), details: {days_left: 29}},
    ])
  })

  test('that is not trusted fails with the reason and what helps', () =>
    everyCase<[TestCertificateOptions, boolean, string, string]>(
      [
        [{}, false, 'is not signed by a trusted CA', 'roomctl config set caFile FILE'],
        [{to: '2021-01-01T00:00:00Z'}, true, 'its certificate has expired', '2021-01-01'],
        [{from: '2048-01-01T00:00:00Z'}, true, '', "correct this machine's clock"],
        [
          {alternatives: 'DNS:rooms.example.com'},
          true,
          'its certificate was issued for another name',
          'DNS:rooms.example.com',
        ],
      ],
      async (options, isKnown, what, fix) => {
        const {address} = await served(options)
        expect(await looked(address, isKnown ? {caFile: ca.file} : {})).toMatchObject([
          {state: 'fail', what: expect.stringContaining(what), fix: expect.stringContaining(fix)},
        ])
      },
    ))

  test('is seen through a proxy as well', async () => {
    const {address, port} = await served()
    const proxy = await proxyServer()
    const found = await looked(address, {caFile: ca.file, proxy: `http://127.0.0.1:${proxy.port}`})
    expect(found).toMatchObject([{state: 'ok'}])
    expect(proxy.asked).toEqual([`127.0.0.1:${port}`])
  })

  test('has no line where no connection can be made, since the read says why', async () => {
    const {address, port} = await served()
    const refusing = await proxyServer(407)
    const silent = await listen(net.createServer())
    const noTls = await listen(net.createServer((socket) => socket.end('HTTP/1.1 400 No\r\n\r\n')))
    const places: [string, Circumstances][] = [
      [`https://127.0.0.1:${await closedPort()}`, {}],
      [`https://127.0.0.1:${noTls}`, {}],
      [`https://127.0.0.1:${silent}`, {ms: 300}],
      [`http://127.0.0.1:${port}`, {}],
      [`https://u:canary@127.0.0.1:${port}`, {}],
      ['https://', {}],
      [address, {proxy: `http://u:canary@127.0.0.1:${refusing.port}`}],
      [address, {caFile: '/nowhere/ca.pem'}],
    ]
    await everyCase(places, async (place, circumstances) => expect(await looked(place, circumstances)).toEqual([]))
  })
})
