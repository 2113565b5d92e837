import {expect, test} from 'vitest'
import {readApnsCertificate} from '../../../src/credential/apnsCertificate.js'
import {Openssl} from '../../support/openssl.js'
import {opensslP12Files} from './opensslP12Files.js'

const openssl = new Openssl()
const now = new Date('2026-12-01T12:00:00Z')

test.each(opensslP12Files)(
  'a .p12 of openssl gets its verdict: $what',
  async ({make, password = 'secret', bundleId, verdict}) => {
    const {findings} = await readApnsCertificate(make(openssl), password, {bundleId, now})
    expect(findings.map(({level, code}) => `${level} ${code}`)).toEqual(verdict)
  },
)

test('the fingerprint of a certificate is the one that openssl tells, and its old encryption is named', async () => {
  const pem = openssl.certificate()
  const found = await readApnsCertificate(openssl.p12({certificates: [pem], flags: ['-legacy']}), 'secret', {now})
  const said = openssl.run(['x509', '-noout', '-fingerprint', '-sha256'], pem).toString()
  expect(said).toContain(found.fingerprint)
  expect(found.encryption).toBe('RC2-40 and 3DES')
})

test('a file whose key cannot be opened still tells its certificate', async () => {
  const flags = ['-legacy', '-keypbe', 'PBE-SHA1-RC4-128', '-certpbe', 'PBE-SHA1-3DES']
  const found = await readApnsCertificate(openssl.p12({flags}), 'secret', {now})
  expect(found).toMatchObject({opened: false, bundleId: 'com.example.rooms'})
  expect(found.findings[0]?.message).toBe('roomctl cannot open all of it (RC4-128), so its key was not checked')
})

test('a file in old encryption is written again by the two lines that are shown', async () => {
  const name = openssl.fresh('.p12')
  openssl.file(name, openssl.p12({flags: ['-legacy']}))
  const {findings} = await readApnsCertificate(openssl.p12({flags: ['-legacy']}), 'secret', {now})
  const lines = findings[0]?.try?.split(', then ') ?? []
  expect(lines).toHaveLength(2)
  const passwords = ['-passin', 'pass:secret', '-passout', 'pass:secret']
  for (const line of lines) {
    const [, ...words] = line
      .replace('FILE', name)
      .replace(/ \(.*\)$/u, '')
      .split(' ')
    openssl.run([...words, ...passwords])
  }
  const written = await readApnsCertificate(openssl.read('NEW.p12'), 'secret', {now})
  expect(written).toMatchObject({encryption: 'AES-256', opened: true, findings: []})
})
