import {execFile} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {beforeAll, describe, expect, test} from 'vitest'
import {freshHome} from '../support/cli.js'
import {configuration, multipartType, type PushStage, parts, pushStage} from './pushStage.js'

const run = promisify(execFile)
const folder = freshHome()
const file = (name: string) => join(folder, name)

/** Keys and certificates by openssl: for 400 days, of RSA, in the encryption of today, that of Keychain, and without a MAC. */
beforeAll(async () => {
  const openssl = (line: string) => run('openssl', line.split(' '), {cwd: folder})
  await openssl('genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_KEY1234567.p8')
  const subject = '/UID=com.example.rooms/CN=Apple_Push_Services'
  await openssl(`req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 400 -subj ${subject}`)
  const export12 = 'pkcs12 -export -inkey key.pem -in cert.pem -passout'
  await openssl(`${export12} pass:s3cret -out modern.p12`)
  await openssl(`${export12} pass:s3cret -legacy -out legacy.p12`)
  await openssl(`${export12} pass: -out empty.p12`)
  await openssl(`${export12} pass:비밀번호 -out korean.p12`)
  await openssl(`${export12} pass:s3cret -nomac -keypbe NONE -certpbe NONE -out bare.p12`)
})

/** The day on which the certificate expires, as openssl says. */
async function expiryDay(): Promise<string> {
  const {stdout} = await run('openssl', ['x509', '-in', file('cert.pem'), '-noout', '-enddate'])
  return new Date(stdout.replace('notAfter=', '')).toISOString().slice(0, 10)
}

const keyQuery = 'application_id=app-9&bundle_id=com.example.chat&team_id=TEAM000009&key_id=KEY0000009'
const registerKey = (on: PushStage, bytes: Buffer, query = keyQuery) =>
  on.ask(`POST /push/v1/config/ios/key?${query}`, parts({auth_key_file: bytes}), multipartType)
const registerCertificate = (on: PushStage, bytes: Buffer, password = 's3cret') =>
  on.ask(
    `POST /push/v1/config/ios/certificate?application_id=app-9&apns_certificate_password=${encodeURIComponent(password)}&bundle_id=com.example.rooms`,
    parts({certificate_file: bytes}),
    multipartType,
  )

describe('register iOS key file (.p8)', () => {
  test('keeps the ids, and nothing of the key', async () => {
    const on = await pushStage()
    const key = readFileSync(file('AuthKey_KEY1234567.p8'))
    expect(await registerKey(on, key)).toMatchObject({status: 200, json: {}})
    expect(await configuration(on, 'app-9')).toEqual({
      bundle_id: 'com.example.chat',
      team_id: 'TEAM000009',
      key_id: 'KEY0000009',
      ios_apns_type: 'TOKEN',
    })
    const kept = JSON.stringify(await on.store.read((world) => world))
    expect(kept).not.toContain(key.toString().split('\n')[1])
  })

  test.each([
    ['no file', {}, keyQuery, /^auth_key_file: .*missing/],
    ['a text where the file should be', {auth_key_file: 'a key'}, keyQuery, /^auth_key_file: /],
    [
      'an empty file',
      {auth_key_file: Buffer.from('')},
      keyQuery,
      /^auth_key_file: expected a private key in PEM form$/,
    ],
    ['no key', {auth_key_file: Buffer.from('hello')}, keyQuery, /^auth_key_file: expected a private key in PEM form$/],
    ['another field', {auth_key: Buffer.from('x')}, keyQuery, /^unknown body field: auth_key$/],
    ['no team id', {auth_key_file: Buffer.from('x')}, keyQuery.replace('team_id', 'x'), /^unknown query field: x$/],
    [
      'an empty key id',
      {auth_key_file: Buffer.from('x')},
      keyQuery.replace('KEY0000009', ''),
      /^key_id: must not be empty$/,
    ],
    [
      'no ids at all',
      {auth_key_file: Buffer.from('x')},
      '',
      /^application_id: .*; bundle_id: .*; team_id: .*; key_id: /,
    ],
  ])('refuses %s with 400, and keeps nothing', async (_, fields, query, message) => {
    const on = await pushStage()
    const answer = await on.ask(`POST /push/v1/config/ios/key?${query}`, parts(fields), multipartType)
    expect(answer.status).toBe(400)
    expect(answer.json.message).toMatch(message)
    expect(await configuration(on, 'app-9')).toBeUndefined()
  })
})

describe('register iOS certificate (.p12)', () => {
  test.each([
    ['modern.p12', 's3cret'],
    ['legacy.p12', 's3cret'],
    ['empty.p12', ''],
    ['korean.p12', '비밀번호'],
    ['bare.p12', 's3cret'],
  ])('%s is opened for the day on which it expires', async (name, password) => {
    const on = await pushStage()
    expect((await registerCertificate(on, readFileSync(file(name)), password)).status).toBe(200)
    expect(await configuration(on, 'app-9')).toEqual({
      bundle_id: 'com.example.rooms',
      ios_apns_type: 'CERTIFICATE',
      certificate_expiry_date: await expiryDay(),
    })
    const kept = JSON.stringify(await on.store.read((world) => world))
    if (password !== '') expect(kept).not.toContain(password)
  })

  test('one that nothing here opens is taken, and has no expiry date', async () => {
    const on = await pushStage()
    expect((await registerCertificate(on, Buffer.from('3003020103', 'hex'))).status).toBe(200)
    expect(await configuration(on, 'app-9')).toEqual({bundle_id: 'com.example.rooms', ios_apns_type: 'CERTIFICATE'})
  })

  test('takes the place of a key, and a key that of a certificate', async () => {
    const on = await pushStage()
    await registerKey(on, readFileSync(file('AuthKey_KEY1234567.p8')))
    await registerCertificate(on, readFileSync(file('modern.p12')))
    expect(await configuration(on, 'app-9')).toMatchObject({ios_apns_type: 'CERTIFICATE'})
    await registerKey(on, readFileSync(file('AuthKey_KEY1234567.p8')))
    expect(Object.keys(await configuration(on, 'app-9')).sort()).toEqual([
      'bundle_id',
      'ios_apns_type',
      'key_id',
      'team_id',
    ])
  })

  test.each([
    ['modern.p12', 'wrong', /^apns_certificate_password: does not open certificate_file$/],
    ['legacy.p12', 'wrong', /^apns_certificate_password: does not open certificate_file$/],
    ['cert.pem', 's3cret', /^certificate_file: expected a PKCS#12 file/],
    ['AuthKey_KEY1234567.p8', 's3cret', /^certificate_file: expected a PKCS#12 file/],
  ])('refuses %s with the password %s with 400', async (name, password, message) => {
    const on = await pushStage()
    const answer = await registerCertificate(on, readFileSync(file(name)), password)
    expect(answer.status).toBe(400)
    expect(answer.json.message).toMatch(message)
    expect(answer.text).not.toContain(password)
    expect(await configuration(on, 'app-9')).toBeUndefined()
  })
})

describe('register Android configuration', () => {
  test('stands beside the iOS credential', async () => {
    const on = await pushStage()
    const body = {package_name: 'com.example.chat', fcm_server_key: 'AAAAnew:key'}
    expect(await on.ask('POST /push/v1/config/android?application_id=app-1', body)).toMatchObject({
      status: 200,
      json: {},
    })
    expect(await configuration(on, 'app-1')).toEqual({
      fcm_server_key: 'AAAAnew:key',
      package_name: 'com.example.chat',
      bundle_id: 'com.example.rooms',
      team_id: 'TEAM123456',
      key_id: 'KEY1234567',
      ios_apns_type: 'TOKEN',
    })
  })

  test.each([
    ['no JSON', '{'],
    ['no package', {fcm_server_key: 'k'}],
    ['no key', {package_name: 'com.example'}],
    ['an empty key', {package_name: 'com.example', fcm_server_key: ''}],
  ])('refuses %s with 400', async (_, body) => {
    const on = await pushStage()
    expect((await on.ask('POST /push/v1/config/android?application_id=app-9', body)).status).toBe(400)
    expect(await configuration(on, 'app-9')).toBeUndefined()
  })
})

describe('read notification configuration', () => {
  test('is 204 without a body where nothing is registered, and names NONE where no iOS credential is', async () => {
    const on = await pushStage()
    const answer = await on.ask('GET /push/v1/config?application_id=app-9')
    expect([answer.status, answer.text]).toEqual([204, ''])
    const body = {package_name: 'com.example', fcm_server_key: 'k'}
    await on.ask('POST /push/v1/config/android?application_id=app-9', body)
    expect(await configuration(on, 'app-9')).toEqual({
      fcm_server_key: 'k',
      package_name: 'com.example',
      ios_apns_type: 'NONE',
    })
  })

  test.each(['', '?application_id=', '?app=app-1', '?application_id=app-1&application_id=app-2'])(
    'refuses %j with 400',
    async (query) => {
      expect((await (await pushStage()).ask(`GET /push/v1/config${query}`)).status).toBe(400)
    },
  )
})

test('curl alone registers files and reads the configuration back', async () => {
  const on = await pushStage()
  writeFileSync(file('auth'), 'header = "Authorization: Bearer sandbox-application-token"\n')
  const curl = async (...args: string[]) => {
    const common = ['--silent', '--max-time', '20', '--config', file('auth'), '--write-out', ' %{http_code}']
    return (await run('curl', [...common, ...args])).stdout
  }
  const base = `${on.origin}/push/v1/config`
  expect(await curl('-F', `auth_key_file=@${file('AuthKey_KEY1234567.p8')}`, `${base}/ios/key?${keyQuery}`)).toBe(
    '{} 200',
  )
  expect(await curl(`${base}?application_id=app-9`)).toContain('"ios_apns_type":"TOKEN"')
  const query = 'application_id=app-9&apns_certificate_password=s3cret&bundle_id=com.example.rooms'
  expect(await curl('-F', `certificate_file=@${file('modern.p12')}`, `${base}/ios/certificate?${query}`)).toBe('{} 200')
  expect(await curl(`${base}?application_id=app-9`)).toContain(`"certificate_expiry_date":"${await expiryDay()}"`)
  expect(await curl('-F', `wrong=@${file('modern.p12')}`, `${base}/ios/certificate?${query}`)).toMatch(/ 400$/)
})
