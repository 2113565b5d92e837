import {execFile} from 'node:child_process'
import https from 'node:https'
import {promisify} from 'node:util'
import {describe, expect, test} from 'vitest'
import {bundled} from '../../../../support/bundled.js'
import {makeAuthority} from '../certificates.js'
import {adapters, get, listen, text, wireError} from '../support.js'

const authority = makeAuthority()
const other = makeAuthority('other-authority')
const local = authority.issue('local', 'IP:127.0.0.1')
const elsewhere = authority.issue('elsewhere', 'DNS:elsewhere.test')
const expired = authority.issue('expired', 'IP:127.0.0.1', '2021-01-01T00:00:00Z')

async function server(certificate: {cert: string; key: string}): Promise<URL> {
  const url = await listen(https.createServer(certificate, (_, response) => response.end('secret room')))
  return new URL(`https://${url.host}/`)
}

describe.each(adapters)('TLS over the %s adapter', (_, transport) => {
  test('an untrusted authority is refused', async () => {
    const url = await server(local)
    const error = await wireError((await transport())(get(url)))
    expect([error.problem, error.sent]).toEqual(['tls', 'no'])
    expect(error.message).toMatch(`cannot reach ${url.host}: its certificate is not signed by a trusted CA`)
  })

  test('plain http to it, which it resets or answers with an alert, names https', async () => {
    const url = await server(local)
    const error = await wireError((await transport())(get(new URL(`http://${url.host}/`))))
    expect(error.message).toMatch(/(?:if it|:\d+) speaks TLS[,:] its address begins with https$/u)
  })

  test('an authority given as `ca` is trusted, and the connection is kept', async () => {
    const url = await server(local)
    const send = await transport({ca: [other.pem, authority.pem]})
    expect(await text(await send(get(url)))).toBe('secret room')
    expect(await text(await send(get(url)))).toBe('secret room')
  })

  test('a certificate for another name is refused', async () => {
    const url = await server(elsewhere)
    const error = await wireError((await transport({ca: [authority.pem]}))(get(url)))
    expect([error.problem, error.sent]).toEqual(['tls', 'no'])
    expect(error.message).toBe(`cannot reach ${url.host}: its certificate was issued for another name`)
  })

  test('an expired certificate is refused', async () => {
    const url = await server(expired)
    const error = await wireError((await transport({ca: [authority.pem]}))(get(url)))
    expect([error.problem, error.sent]).toEqual(['tls', 'no'])
    expect(error.message).toBe(`cannot reach ${url.host}: its certificate has expired`)
  })

  test.each([
    ['no certificate', 'hello', 'the CA file contains no PEM certificate'],
    [
      'a damaged certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'a CA certificate is damaged',
    ],
  ])('a `ca` that holds %s is told of', async (_, pem, message) => {
    const url = await server(local)
    const send = transport({ca: [pem]}).then((made) => made(get(url)))
    const error = await wireError(send)
    expect([error.problem, error.sent, error.message]).toEqual(['tls', 'no', message])
  })
})

describe('authorities from the environment', () => {
  /** What a process of its own gets, since Node reads these variables when it starts. */
  async function outcomes(url: URL, env: Record<string, string>, caFile = ''): Promise<unknown> {
    const script = await bundled(new URL('./ask.ts', import.meta.url))
    const {NODE_EXTRA_CA_CERTS: _extra, NODE_OPTIONS: _options, ...rest} = process.env
    const args = [script, url.href, caFile]
    const {stdout} = await promisify(execFile)(process.execPath, args, {env: {...rest, ...env}})
    return JSON.parse(stdout)
  }

  test('NODE_EXTRA_CA_CERTS is trusted, alone and beside a file of other authorities, and so are both', async () => {
    const url = await server(local)
    const trusted = {direct: 'secret room', pooled: 'secret room'}
    expect(await outcomes(url, {NODE_EXTRA_CA_CERTS: authority.file})).toEqual(trusted)
    expect(await outcomes(url, {NODE_EXTRA_CA_CERTS: authority.file}, other.file)).toEqual(trusted)
    expect(await outcomes(url, {NODE_EXTRA_CA_CERTS: other.file}, authority.file)).toEqual(trusted)
  })

  test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch the check off', async () => {
    const url = await server(local)
    expect(await outcomes(url, {NODE_TLS_REJECT_UNAUTHORIZED: '0'})).toEqual({direct: 'tls', pooled: 'tls'})
  })
})
