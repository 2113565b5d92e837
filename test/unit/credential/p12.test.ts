import {hash, X509Certificate} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {needsPassword, readApnsCertificate} from '../../../src/credential/apnsCertificate.js'
import {hashAgain} from '../../../src/credential/p12/rounds.js'
import {der} from './der.js'
import {p12Files} from './p12Files.js'

const made = new TestCredentials()
const now = new Date('2026-12-01T12:00:00Z')

test.each(p12Files)('every .p12 gets its verdict: $what', async ({make, password = 'secret', bundleId, verdict}) => {
  const {findings} = await readApnsCertificate(make(made), password, {bundleId, now})
  expect(findings.map(({level, code}) => `${level} ${code}`)).toEqual(verdict)
})

test('a certificate has its bundle id, team, environments, topics, times and fingerprint', async () => {
  const pem = made.certificate({to: '2027-01-01T00:00:00Z'})
  const result = await readApnsCertificate(made.p12({certificates: [pem], encryption: '3des'}), 'secret', {now})
  expect(result).toMatchObject({
    certificateKind: 'app',
    name: 'Apple Push Services: com.example.rooms',
    bundleId: 'com.example.rooms',
    teamId: 'TEAM123456',
    environments: ['sandbox', 'production'],
    topics: [],
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter: new Date('2027-01-01T00:00:00Z'),
    daysLeft: 31,
    encryption: '3DES',
    opened: true,
    fingerprint: new X509Certificate(pem).fingerprint256,
  })
})

test('the topics of a certificate for several are reported', async () => {
  const row = p12Files.find(({what}) => what.startsWith('a topic of the certificate'))
  const result = await readApnsCertificate(row?.make(made) ?? Buffer.alloc(0), 'secret', {now})
  expect(result.topics).toEqual(['com.example.rooms', 'com.example.rooms.voip'])
})

test('in a chain the certificate of the key is found, wherever it is', async () => {
  const row = p12Files.find(({what}) => what === 'a chain, the authority first')
  const result = await readApnsCertificate(row?.make(made) ?? Buffer.alloc(0), 'secret', {now})
  expect(result.name).toBe('Apple Push Services: com.example.rooms')
})

test('a key of a type that Node does not know is named', async () => {
  const row = p12Files.find(({what}) => what === 'a key of a type that Node does not know')
  const {findings} = await readApnsCertificate(row?.make(made) ?? Buffer.alloc(0), 'secret', {now})
  expect(findings[0]?.message).toContain('(a key of the type 1.2.840.113549.1.1.99), so its key was not checked')
})

test('repeated hashing gives the digest of node:crypto', () => {
  for (const digest of ['sha1', 'sha256', 'sha512']) {
    const first = hash(digest, 'abc', 'buffer')
    let last: Buffer = first
    for (let round = 0; round < 1000; round++) last = hash(digest, last, 'buffer')
    expect(hashAgain(digest, first, 1000)).toEqual(last)
  }
})

test('a team that differs from the expected one is an error', async () => {
  const {findings} = await readApnsCertificate(made.p12(), 'secret', {teamId: 'TEAM654321', now})
  expect(findings).toMatchObject([{level: 'error', message: 'it belongs to team TEAM123456, but TEAM654321 was given'}])
})

test('errors have names, numbers and days', async () => {
  const pem = made.certificate({to: '2026-12-03T13:00:00Z'})
  const {findings} = await readApnsCertificate(made.p12({certificates: [pem]}), 'secret', {bundleId: 'com.x', now})
  expect(findings.map(({message}) => message)).toEqual([
    'it expires on 2026-12-03, in 2 days',
    'it is for the bundle id com.example.rooms, but com.x was given',
  ])
})

test('a password is needed if it was given, or an empty one does not open the file', async () => {
  expect(await needsPassword(made.p12(), false)).toBe(true)
  expect(await needsPassword(made.p12({password: ''}), false)).toBe(false)
  expect(await needsPassword(made.p12({password: ''}), true)).toBe(true)
  expect(await needsPassword(made.p12({mac: false}), false)).toBe(true)
  expect(await needsPassword(Buffer.from('no .p12'), true)).toBe(false)
})

describe('a file made to block the program is refused', () => {
  test('nested too deep', async () => {
    const deep = Buffer.from(`3080020103${'3080'.repeat(500_000)}`, 'hex')
    const {findings} = await readApnsCertificate(deep, '', {now})
    expect(findings).toMatchObject([{level: 'error', code: 'damaged'}])
  })

  test('a million bytes of small values', async () => {
    const wide = der(0x30, Buffer.of(2, 1, 3), Buffer.alloc(1_000_000, Buffer.of(0x30, 0)))
    const {findings} = await readApnsCertificate(wide, '', {now})
    expect(findings).toMatchObject([{level: 'error', code: 'damaged'}])
  })
})
