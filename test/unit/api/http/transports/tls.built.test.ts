import {execFile} from 'node:child_process'
import https from 'node:https'
import {promisify} from 'node:util'
import {describe, expect, test} from 'vitest'
import {certificateBlocks} from '../../../../../src/api/http/network/caCertificates.js'
import {directTransport} from '../../../../../src/api/http/transports/direct.js'
import {bundled} from '../../../../support/bundled.js'
import {everyCase} from '../../../../support/everyCase.js'
import {makeAuthority} from '../certificates.js'
import {adapters, get, listen, listenHttp, text, wireError} from '../support.js'

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
    expect([error.problem, error.tls, error.sent]).toEqual(['tls', 'name', 'no'])
    expect(error.message).toBe(`cannot reach ${url.host}: its certificate was issued for another name`)
  })

  test('an expired certificate is refused', async () => {
    const url = await server(expired)
    const error = await wireError((await transport({ca: [authority.pem]}))(get(url)))
    expect([error.problem, error.sent]).toEqual(['tls', 'no'])
    expect(error.message).toBe(`cannot reach ${url.host}: its certificate has expired`)
  })

  test('a server that speaks plain http is distinguished from one with a wrong certificate', async () => {
    const plain = await listenHttp((_, response) => response.end('room'))
    const error = await wireError((await transport())(get(new URL(`https://${plain.host}/`))))
    expect([error.tls, error.sent, error.message]).toEqual([
      'no-tls',
      'no',
      `cannot reach ${plain.host}: it does not speak TLS`,
    ])
  })

  test('a damaged certificate in `ca` is named by its number', async () => {
    const url = await server(local)
    const [pem] = certificateBlocks(Buffer.from(authority.pem))
    const cut = certificateBlocks(Buffer.from(authority.pem.slice(0, 400)))
    const send = transport({ca: [pem ?? '', ...cut]}).then((made) => made(get(url)))
    const error = await wireError(send)
    expect([error.tls, error.sent, error.message]).toEqual(['ca-file', 'no', 'certificate 2 of the CA file is damaged'])
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

  test('the store that NODE_OPTIONS names stays in force beside a file of other authorities', async () => {
    const url = await server(local)
    const flags = ['--use-openssl-ca', '--use-system-ca'].filter((flag) =>
      process.allowedNodeEnvironmentFlags.has(flag),
    )
    for (const flag of flags) {
      const env = {NODE_OPTIONS: flag, SSL_CERT_FILE: authority.file}
      expect(await outcomes(url, env, other.file), flag).toEqual({direct: 'secret room', pooled: 'secret room'})
    }
  })

  test('the certificates of a file are trusted, with any text between them', async () => {
    const url = await server(local)
    const lines = authority.pem.trim().split('\n')
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----\n`
    const files: Record<string, Buffer> = {
      'a byte order mark, CRLF': Buffer.from(`\ufeff${lines.join('\r\n')}`),
      'text and attributes': Buffer.from(`# ü\nBag Attributes\n    friendlyName: x\n${authority.pem}subject=x\n`),
      'Latin-1': Buffer.from(`M\u00fcller\n${authority.pem}`, 'latin1'),
      'UTF-16 of PowerShell': Buffer.from(`\ufeff${authority.pem}`, 'utf16le'),
      'a key before it': Buffer.from(key + authority.pem),
      'other certificates around it': Buffer.from(`${other.pem}${key}${authority.pem}${other.pem}`),
      indented: Buffer.from(lines.map((line) => `    ${line}  `).join('\n')),
      'one long line': Buffer.from([lines[0], lines.slice(1, -1).join(''), lines.at(-1)].join('\n')),
      'no line end between two': Buffer.from(`${other.pem.trim()}${authority.pem}`),
      'the older label': Buffer.from(authority.pem.replaceAll(' CERTIFICATE', ' X509 CERTIFICATE')),
      'the label of OpenSSL': Buffer.from(authority.pem.replaceAll(' CERTIFICATE', ' TRUSTED CERTIFICATE')),
    }
    await everyCase(Object.entries(files), async (name, bytes) => {
      const send = directTransport({connectMs: 2_000, headersMs: 2_000, ca: certificateBlocks(bytes)})
      expect(await text(await send(get(url))), name).toBe('secret room')
    })
  })

  test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch the check off', async () => {
    const url = await server(local)
    expect(await outcomes(url, {NODE_TLS_REJECT_UNAUTHORIZED: '0'})).toEqual({direct: 'tls', pooled: 'tls'})
  })
})
