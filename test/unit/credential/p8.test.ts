import {createHash, createPrivateKey, createPublicKey} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {readApnsKey} from '../../../src/credential/apnsKey.js'
import {everyCase} from '../../support/everyCase.js'
import {keyInOtherLines} from './p8Lines.js'

const made = new TestCredentials()
const good = made.key('p256', 'P-256')
const goodKey = createPrivateKey(good)
const name = 'AuthKey_ABC123DEFG.p8'
const nothing = 'note not-in-file'

function codes(text: string | Buffer, fileName = name, expected = {}): string[] {
  return readApnsKey(fileName, Buffer.from(text), expected).findings.map(({level, code}) => `${level} ${code}`)
}

function messageOf(text: string | Buffer): string | undefined {
  return readApnsKey(name, Buffer.from(text), {}).findings[0]?.message
}

test('a key on P-256 in PKCS#8 is accepted, and its public key has the fingerprint that anybody can make', () => {
  const spki = createPublicKey(good).export({type: 'spki', format: 'der'})
  const digest = createHash('sha256').update(spki).digest('hex')
  const found = readApnsKey(name, Buffer.from(good), {keyId: 'ABC123DEFG', teamId: 'TEAM123456'})
  expect(found).toMatchObject({kind: 'apns-key', keyId: 'ABC123DEFG', curve: 'P-256'})
  expect(found.fingerprint?.replaceAll(':', '').toLowerCase()).toBe(digest)
  expect(found.findings.map(({code}) => code)).toEqual(['not-in-file'])
})

test.each([
  ['CRLF', good.replaceAll('\n', '\r\n')],
  ['empty lines at the end', `${good}\n\n\r\n`],
  ['no line end at all', good.trimEnd()],
])('the lines of a key may end as they like: %s', (_, text) => {
  expect(codes(text)).toEqual([nothing])
})

describe('every other file gets its own sentence', () => {
  const base64 = good.replaceAll(/-----[^-]+-----|\s/g, '')
  const der = Buffer.from(base64, 'base64')
  const lines = good.trimEnd().split('\n')
  const sec1 = goodKey.export({type: 'sec1', format: 'pem'}).toString()
  const secret = {cipher: 'aes-128-cbc', passphrase: 'x'}
  const files: readonly [string, () => string | Buffer, string, string][] = [
    ['SEC1', () => sec1, 'sec1', 'EC PRIVATE KEY'],
    // The object identifier of P-256, as `openssl ecparam -genkey` puts it first.
    [
      'SEC1 with its parameters',
      () => `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${sec1}`,
      'sec1',
      'SEC1',
    ],
    ['an encrypted key', () => goodKey.export({type: 'pkcs8', format: 'pem', ...secret}), 'encrypted', 'encrypted'],
    [
      'an encrypted key in SEC1',
      () => goodKey.export({type: 'sec1', format: 'pem', ...secret}),
      'encrypted',
      'encrypted',
    ],
    [
      'a public key',
      () => createPublicKey(good).export({type: 'spki', format: 'pem'}),
      'public-key',
      'only a public key',
    ],
    ['an RSA key', () => made.key('rsa'), 'not-ec', 'an RSA key'],
    [
      'an RSA key in PKCS#1',
      () => createPrivateKey(made.key('rsa')).export({type: 'pkcs1', format: 'pem'}),
      'rsa',
      'an RSA key',
    ],
    ['Ed25519', () => made.key('ed', 'ed25519'), 'not-ec', 'an Ed25519 key'],
    ['P-384', () => made.key('p384', 'P-384'), 'not-p256', 'an EC key on P-384'],
    ['secp256k1', () => made.key('k1', 'secp256k1'), 'not-p256', 'an EC key on secp256k1'],
    ['a key that is not that of its public key', () => brokenPair(der), 'cannot-sign', 'cannot sign'],
    ['base64 alone', () => base64, 'bare-base64', 'base64 without'],
    ['line ends as in JSON', () => good.replaceAll('\n', '\\n'), 'escaped', 'as \\n'],
    ['a key without its end', () => lines.slice(0, 2).join('\n'), 'truncated', 'its end is missing'],
    ['a key without its beginning', () => lines.slice(1).join('\n'), 'truncated', 'its beginning is missing'],
    ['a key without its middle', () => [lines[0], lines[1], lines.at(-1)].join('\n'), 'truncated', 'truncated'],
    ['a damaged key', () => good.replace('MIG', 'AAA'), 'damaged', 'damaged'],
    ['two keys', () => good + good, 'several-blocks', 'it contains 2 PEM blocks (PRIVATE KEY, PRIVATE KEY)'],
    ['a key with its certificate', () => good + made.certificate(), 'several-blocks', 'PRIVATE KEY, CERTIFICATE'],
    ['a certificate', () => made.certificate(), 'certificate', 'a certificate without a key'],
    ['a key in DER', () => der, 'binary', 'it is not text'],
    ['a letter', () => 'Dear customer,', 'not-pem', 'it is text, but not a key'],
    [
      'an SSH key',
      () => '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----',
      'openssh',
      'SSH',
    ],
    ['another PEM file', () => '-----BEGIN X509 CRL-----\n', 'other-pem', 'X509 CRL'],
  ]

  test.each(files)('%s', (_, make, code, says) => {
    const file = make()
    expect(codes(file)[0]).toBe(`error ${code}`)
    expect(messageOf(file)).toContain(says)
  })
})

test('a key in other lines than it is sent in is refused', () =>
  everyCase(keyInOtherLines(good), (_, text, code) => {
    const [finding] = readApnsKey(name, Buffer.from(text), {}).findings
    expect(finding).toMatchObject({level: 'error', code})
  }))

test('base64 in one line or in lines of 76 is read, with a warning', () => {
  const [first = '', ...others] = good.trimEnd().split('\n')
  const last = others.pop() ?? ''
  for (const wide of [others.join(''), others.join('').replaceAll(/.{76}/g, '$&\n')]) {
    const text = [first, wide, last, ''].join('\n')
    const {findings, fingerprint} = readApnsKey(name, Buffer.from(text), {})
    expect(findings.map(({level, code}) => `${level} ${code}`)).toEqual(['warning long-lines', nothing])
    expect(fingerprint).toBe(readApnsKey(name, Buffer.from(good), {}).fingerprint)
    expect(codes(`\ufeff${text}`)).toEqual(['warning long-lines', 'warning text-around', nothing])
  }
})

test('text around the key is a warning, and so is a byte order mark', () => {
  expect(codes(`\ufeff${good}`)).toEqual(['warning text-around', nothing])
  expect(codes(`Bag Attributes\n${good}`)).toEqual(['warning text-around', nothing])
})

test.each([
  ['AuthKey_ABC123DEFG.p8', 'ABC123DEFG'],
  ['APNSAuthKey_ABC123DEFG.p8', 'ABC123DEFG'],
  ['AuthKey_ABC123DEFG (1).p8', 'ABC123DEFG'],
  ['/home/me/AuthKey_ABC123DEFG.p8', 'ABC123DEFG'],
  ['AuthKey_ABC.p8', undefined],
  ['MyAuthKey_ABC123DEFG.p8', undefined],
  ['key.p8', undefined],
])('the key id stands in the name of the file: %s', (fileName, keyId) => {
  expect(readApnsKey(fileName, Buffer.from(good), {}).keyId).toBe(keyId)
})

test('swapped ids, equal ids and another id than the name gives are reported', () => {
  expect(codes(good, name, {keyId: 'TEAM123456', teamId: 'ABC123DEFG'})).toContain('error swapped-ids')
  expect(codes(good, name, {teamId: 'ABC123DEFG'})).toContain('error swapped-ids')
  expect(codes(good, 'key.p8', {keyId: 'ABC123DEFG', teamId: 'ABC123DEFG'})).toContain('error same-ids')
  expect(codes(good, name, {keyId: 'XYZ123DEFG', teamId: 'TEAM123456'})).toContain('warning other-key-id')
  expect(codes(good, 'key.p8', {keyId: 'XYZ123DEFG', teamId: 'TEAM123456'})).toEqual([nothing])
})

test('a key for in-app purchases is known by its name', () => {
  expect(codes(good, 'SubscriptionKey_ABC123DEFG.p8')).toEqual(['warning subscription-key'])
})

/** A key that ends with the public key of another one. */
function brokenPair(der: Buffer): string {
  const other = createPrivateKey(made.key('p256b', 'P-256')).export({type: 'pkcs8', format: 'der'})
  const mixed = Buffer.concat([der.subarray(0, -65), other.subarray(-65)])
  return `-----BEGIN PRIVATE KEY-----\n${mixed.toString('base64')}\n-----END PRIVATE KEY-----\n`
}
