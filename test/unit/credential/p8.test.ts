import {createHash, createPublicKey} from 'node:crypto'
import {expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {readApnsKey} from '../../../src/credential/apnsKey.js'
import {everyCase} from '../../support/everyCase.js'

const made = new TestCredentials()
const good = made.key('p256', 'P-256')
const name = 'AuthKey_ABC123DEFG.p8'
const nothing = 'note not-in-file'

async function codes(text: string, fileName = name, expected = {}): Promise<string[]> {
  const {findings} = await readApnsKey(fileName, text, expected)
  return findings.map(({level, code}) => `${level} ${code}`)
}

test('a key on P-256 in PKCS#8 is accepted, and its fingerprint is the SHA-256 of its public key', async () => {
  const spki = createPublicKey(good).export({type: 'spki', format: 'der'})
  const digest = createHash('sha256').update(spki).digest('hex')
  const result = await readApnsKey(name, good, {keyId: 'ABC123DEFG', teamId: 'TEAM123456'})
  expect(result).toMatchObject({kind: 'apns-key', keyId: 'ABC123DEFG', curve: 'P-256'})
  expect(result.fingerprint?.replaceAll(':', '').toLowerCase()).toBe(digest)
  expect(result.findings.map(({code}) => code)).toEqual(['not-in-file'])
})

test.each([
  ['CRLF', good.replaceAll('\n', '\r\n')],
  ['empty lines at the end', `${good}\n\n\r\n`],
  ['no line end at all', good.trimEnd()],
])('a key is read with any line ends: %s', async (_, text) => {
  expect(await codes(text)).toEqual([nothing])
})

test('base64 in one line or in lines of 76 is read, with a warning', async () => {
  const [first = '', ...others] = good.trimEnd().split('\n')
  const last = others.pop() ?? ''
  for (const wide of [others.join(''), others.join('').replaceAll(/.{76}/g, '$&\n')]) {
    const text = [first, wide, last, ''].join('\n')
    const {findings, fingerprint} = await readApnsKey(name, text, {})
    expect(findings.map(({level, code}) => `${level} ${code}`)).toEqual(['warning long-lines', nothing])
    expect(fingerprint).toBe((await readApnsKey(name, good, {})).fingerprint)
    expect(await codes(`\ufeff${text}`)).toEqual(['warning long-lines', 'warning text-around', nothing])
  }
})

test('text around the key is a warning, and so is a byte order mark', async () => {
  expect(await codes(`\ufeff${good}`)).toEqual(['warning text-around', nothing])
  expect(await codes(`Bag Attributes\n${good}`)).toEqual(['warning text-around', nothing])
})

test('the key id is in the name of the file, also of a copy', () =>
  everyCase(
    [
      'AuthKey_ABC123DEFG.p8',
      'APNSAuthKey_ABC123DEFG.p8',
      '/home/me/AuthKey_ABC123DEFG.p8',
      'authkey_abc123defg.P8',
      'AuthKey_ABC123DEFG (1).p8',
      'AuthKey_ABC123DEFG(1).p8',
      'AuthKey_ABC123DEFG copy.p8',
      'AuthKey_ABC123DEFG copy 2.p8',
      'AuthKey_ABC123DEFG 2.p8',
      'AuthKey_ABC123DEFG - Copy.p8',
      'AuthKey_ABC123DEFG - Kopie (2).p8',
      'Copy of AuthKey_ABC123DEFG.p8',
      'AuthKey_ABC123DEFG.p8.txt',
      'AuthKey_ABC123DEFG.p8.bak',
      'AuthKey_ABC123DEFG',
    ],
    async (file) => {
      expect((await readApnsKey(file, good, {})).keyId).toBe('ABC123DEFG')
      expect(await codes(good, file, {teamId: 'ABC123DEFG'})).toContain('error swapped-ids')
    },
  ))

test('a name without ten characters after AuthKey_ has no key id', () =>
  everyCase(
    ['AuthKey_ABC.p8', 'AuthKey_ABC123DEFGH.p8', 'MyAuthKey_ABC123DEFG.p8', 'key.p8', 'AuthKey_ABC123DEFG/key.p8'],
    async (file) => expect((await readApnsKey(file, good, {})).keyId).toBeUndefined(),
  ))

test('swapped ids, equal ids and another id than the name gives are reported', async () => {
  expect(await codes(good, name, {keyId: 'TEAM123456', teamId: 'ABC123DEFG'})).toContain('error swapped-ids')
  expect(await codes(good, name, {teamId: 'ABC123DEFG'})).toContain('error swapped-ids')
  expect(await codes(good, 'key.p8', {keyId: 'ABC123DEFG', teamId: 'ABC123DEFG'})).toContain('error same-ids')
  expect(await codes(good, name, {keyId: 'XYZ123DEFG', teamId: 'TEAM123456'})).toContain('warning other-key-id')
  expect(await codes(good, 'key.p8', {keyId: 'XYZ123DEFG', teamId: 'TEAM123456'})).toEqual([nothing])
})

test('a key of another service is known by its name or its folder', () =>
  everyCase(
    [
      ['SubscriptionKey_ABC123DEFG.p8', 'in-app purchases'],
      ['ApiKey_ABC123DEFG.p8', 'App Store Connect'],
      ['/home/me/.appstoreconnect/private_keys/AuthKey_ABC123DEFG.p8', 'App Store Connect'],
      ['private_keys/AuthKey_ABC123DEFG.p8', 'App Store Connect'],
    ],
    async (file, service) => {
      const {findings} = await readApnsKey(file, good, {})
      expect(findings).toMatchObject([{level: 'warning', message: expect.stringContaining(service)}])
    },
  ))
