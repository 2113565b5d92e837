import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {afterFile} from '../../support/afterFile.js'
import {cli} from '../../support/cli.js'
import {gatewayCertificate, serveGateway} from '../../support/gateway.js'
import {closedPort} from '../../support/listen.js'
import {Openssl} from '../../support/openssl.js'
import {ids, publicKeyOf} from './proving.js'

const openssl = new Openssl()
const ca = openssl.file('gateway-ca.pem', gatewayCertificate.ca)

/** An integer of DER from 32 bytes, big-endian. */
function integer(bytes: Buffer): Buffer {
  let at = 0
  while (at < bytes.length - 1 && bytes[at] === 0) at += 1
  const short = bytes.subarray(at)
  const positive = (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), short]) : short
  return Buffer.concat([Buffer.of(2, positive.length), positive])
}

/** The signature of a token, r and s of 32 bytes each (RFC 7518 §3.4), as openssl reads it. */
function derOf(signature: Buffer): Buffer {
  const both = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))])
  return Buffer.concat([Buffer.of(0x30, both.length), both])
}

function verifiedByOpenssl(text: string, signature: Buffer, publicKey: string): boolean {
  const key = openssl.file('public.pem', publicKey)
  const file = openssl.file('signature.der', derOf(signature))
  try {
    return (
      openssl.run(['dgst', '-sha256', '-verify', key, '-signature', file], text).toString().trim() === 'Verified OK'
    )
  } catch {
    return false
  }
}

test('openssl verifies a token with the key that openssl made, and with no other', async () => {
  const file = openssl.file('AuthKey_KEY7654321.p8', openssl.key('apns', 'P-256'))
  for (const [key, verdict] of [
    ['apns', 'accepted'],
    ['another', 'ids-or-key'],
  ] as const) {
    const publicKey = publicKeyOf(openssl.key(key, 'P-256'))
    const keys = [{keyId: 'KEY7654321', teamId: 'TEAM123456', publicKey}]
    const gateway = await serveGateway({keys, verified: verifiedByOpenssl})
    // Each is signed with other random numbers, and some begin with zeros.
    for (let nth = 0; nth < 8; nth += 1) {
      const ran = await cli(['push', 'prove', file, ...ids, '--server', gateway.url, '--ca-file', ca, '-o', 'json'])
      expect(JSON.parse(ran.stdout)).toMatchObject([{verdict}])
    }
  }
})

/** `openssl s_server`, which asks for a certificate and judges it; it is ended with the tests of the file. */
async function tlsServer(flags: readonly string[]): Promise<number> {
  const port = await closedPort()
  const files = [
    '-cert',
    openssl.file('server.pem', gatewayCertificate.cert),
    '-key',
    openssl.file('server.key', gatewayCertificate.key),
  ]
  const verify = ['-Verify', '3', '-verify_return_error', '-CAfile', path.join(openssl.folder, 'root.crt')]
  const words = ['s_server', '-accept', `127.0.0.1:${port}`, '-alpn', 'h2', '-quiet', ...files, ...verify, ...flags]
  const server: ChildProcess = spawn('openssl', words, {cwd: openssl.folder, stdio: ['pipe', 'ignore', 'pipe']})
  afterFile(() => void server.kill('SIGKILL'))
  await Promise.race([once(server, 'spawn'), once(server, 'error')])
  await new Promise((resolve) => setTimeout(resolve, 1000))
  return port
}

describe('a certificate', () => {
  const root = openssl.certificate({
    key: 'apple',
    name: 'Apple',
    uid: 'apple',
    extensions: ['basicConstraints=critical,CA:TRUE'],
  })
  writeFileSync(path.join(openssl.folder, 'root.crt'), root)
  const pem = openssl.certificate({key: 'push', issuer: {certificate: root, key: 'apple'}})
  const p12 = openssl.file('push.p12', openssl.p12({key: 'push', certificates: [pem], password: ''}))

  async function verdictAt(flags: readonly string[], file = p12) {
    const server = `https://127.0.0.1:${await tlsServer(flags)}`
    const {exit, stdout} = await cli([
      'push',
      'prove',
      file,
      '--server',
      server,
      '--ca-file',
      ca,
      '--timeout',
      '4s',
      '-o',
      'json',
    ])
    return {exit, row: JSON.parse(stdout)[0]}
  }

  test('that has expired by the clock of the gateway is reported by its alert', async () => {
    const time = String(Date.parse('2060-01-01T00:00:00Z') / 1000)
    const {exit, row} = await verdictAt(['-attime', time, '-partial_chain'])
    expect({exit, row}).toMatchObject({exit: 15, row: {verdict: 'expired', reason: 'tls-alert', http_status: null}})
  })

  test('that is revoked is reported by its alert', async () => {
    const config = openssl.file(
      'crl.cnf',
      '[ca]\ndefault_ca = authority\n[authority]\ndatabase = crl.txt\ndefault_md = sha256\ndefault_crl_days = 30\nunique_subject = no\n',
    )
    openssl.file('crl.txt', '')
    openssl.file('push.crt', pem)
    const authority = ['-config', config, '-cert', 'root.crt', '-keyfile', 'apple.pem']
    openssl.run(['ca', ...authority, '-revoke', 'push.crt'])
    openssl.run(['ca', ...authority, '-gencrl', '-out', 'crl.pem'])
    const {exit, row} = await verdictAt(['-crl_check', '-CRL', 'crl.pem'])
    expect({exit, row}).toMatchObject({exit: 15, row: {verdict: 'revoked', reason: 'tls-alert', http_status: null}})
    expect(readFileSync(path.join(openssl.folder, 'crl.pem'), 'utf8')).toContain('X509 CRL')
  })

  test('of an authority that the gateway does not know is unknown: its alert says nothing of the kind', async () => {
    const other = openssl.certificate({key: 'other', name: 'Apple Push Services: com.example.rooms'})
    const file = openssl.file('other.p12', openssl.p12({key: 'other', certificates: [other], password: ''}))
    const {exit, row} = await verdictAt([], file)
    expect({exit, row}).toMatchObject({exit: 15, row: {verdict: 'unknown', reason: 'tls-alert', http_status: null}})
  })
})
