import {X509Certificate} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {changeOf, registry} from './registering.js'

const workshop = new TestCredentials()
const pem = workshop.certificate()
const p12 = workshop.p12({certificates: [pem], password: 'correct horse'})
const file = workshop.file('push.p12', p12)
const passwordFile = workshop.file('password.txt', 'correct horse\n')
const warning =
  'warning: this service expects the password in the request URL; servers and proxies may log it: use a password unique to this file\n'
const stored = {
  ios_apns_type: 'CERTIFICATE',
  bundle_id: 'com.example.rooms',
  certificate_expiry_date: '2049-12-31',
}
const line = (path: string, ...more: string[]) => ['push', 'ios', path, '--application-id', 'app-1', ...more]
const byStdin = ['--password-stdin', '--confirm', 'app-1']

describe('a certificate', () => {
  test.each([
    ['%41 🔑', '%2541%20%F0%9F%94%91'],
    ['#/?;"<>\\', '%23%2F%3F%3B%22%3C%3E%5C'],
  ])('with the password %j has it in the query as %s', async (password, encoded) => {
    // A service takes the typed password: the file is made with the same password by openssl.
    const own = workshop.file('own.p12', workshop.p12({certificates: [pem], password}))
    const service = await registry({before: null, after: stored})
    const ran = await cli(line(own, ...byStdin), {env: service.env, stdin: `${password}\n`})
    expect(ran).toMatchObject({exit: 0, stderr: warning})
    expect(changeOf(service)?.path).toContain(`&apns_certificate_password=${encoded}&bundle_id=`)
  })

  test('takes its password from stdin, a file, the environment or a hidden prompt', async () => {
    const sources = [
      {flags: ['--password-stdin'], circumstances: {stdin: 'correct horse\n'}},
      {flags: ['--password-file', passwordFile], circumstances: {}},
      {flags: ['--password-file', '-'], circumstances: {stdin: 'correct horse'}},
      {flags: [], circumstances: {env: {ROOMCTL_P12_PASSWORD: 'correct horse'}}},
      {
        flags: [],
        circumstances: terminal(120, 'correct horse'),
        asked: ['Password of the certificate on sandbox (built in):'],
      },
    ]
    for (const {flags, circumstances, asked = []} of sources) {
      const ran = await cli(['push', 'ios', file, '--application-id', 'app-2', ...flags], circumstances)
      expect(ran).toMatchObject({exit: 0, asked})
      expect(ran.stdout).toContain('registered the iOS certificate for com.example.rooms')
    }
    const nowhere = await cli(line(file))
    expect(nowhere).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(nowhere.stderr).toContain('--password-stdin, or name a file with --password-file, or set ROOMCTL_P12')
  })

  test('whose file has an empty password is not asked for one', async () => {
    const open = workshop.file('open.p12', workshop.p12({certificates: [pem], password: ''}))
    const service = await registry({before: null, after: stored})
    expect(await cli(line(open), {env: service.env})).toMatchObject({exit: 0, asked: []})
    expect(changeOf(service)?.path).toContain('&apns_certificate_password=&bundle_id=')
  })

  test('has a result for programs, with the replaced credential', async () => {
    const key = {ios_apns_type: 'TOKEN', bundle_id: 'com.example.old', team_id: 'TEAM123456', key_id: 'KEY1234567'}
    const service = await registry({before: key, after: stored})
    const words = line(file, '--password-file', passwordFile, '--confirm', 'app-1', '-o', 'json')
    const planned = await cli([...words.slice(0, -4), '--dry-run'], {env: service.env})
    expect(planned.stdout).toMatch(/^the certificate for com\.example\.rooms would replace KEY1234567 in app-1\n/u)
    const ran = await cli(words, {env: service.env})
    expect(JSON.parse(ran.stdout)).toEqual({
      application_id: 'app-1',
      ...stored,
      team_id: 'TEAM123456',
      fingerprint: new X509Certificate(pem).fingerprint256,
      replaced: key,
      verified: true,
    })
  })

  test('may have another day of expiry in the zone of the service, and no other date', async () => {
    const words = line(file, ...byStdin)
    for (const day of ['2049-12-30', '2050-01-01', '2049-12-31T00:00:00Z']) {
      const near = await registry({before: null, after: {...stored, certificate_expiry_date: day}})
      const ran = await cli(words, {env: near.env, stdin: 'correct horse'})
      expect(ran).toMatchObject({exit: 0, stdout: expect.stringContaining('(read back: equal)')})
    }
    for (const day of ['2049-12-29', '2026-12-31', 'soon']) {
      const far = await registry({before: null, after: {...stored, certificate_expiry_date: day}})
      const ran = await cli(words, {env: far.env, stdin: 'correct horse'})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(ran.stderr).toContain(`certificate_expiry_date is ${day}, but 2049-12-31 is in the file`)
    }
  })
})

describe('a file that cannot work is refused before anything is sent', () => {
  const cases: [string, Buffer, string[], string][] = [
    ['with another password', p12, [], 'wrong password'],
    ['for another bundle id', p12, ['--bundle-id', 'com.example.other'], 'it is for the bundle id com.example.rooms'],
    ['that is a bare certificate', Buffer.from(pem), [], 'PEM'],
  ]

  test.each(cases)('%s', async (title, bytes, flags, words) => {
    const wrong = workshop.file('wrong.p12', bytes)
    const stdin = title === 'with another password' ? 'battery staple' : bytes === p12 ? 'correct horse' : 'secret'
    const ran = await cli(line(wrong, ...byStdin, ...flags), {stdin})
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(ran.stderr).toContain(`error: cannot register the iOS credential of application app-1: ${wrong}: `)
    expect(ran.stderr).toContain(words)
  })
})
