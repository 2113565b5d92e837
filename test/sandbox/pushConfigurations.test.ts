import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {everyCase} from '../support/everyCase.js'
import {configuration, multipartType, type PushStage, parts, pushStage} from './pushStage.js'

const made = new TestCredentials()
const key = Buffer.from(made.key('apns', 'P-256'))
const pem = made.certificate({to: '2028-01-05T10:00:00Z'})
const certificates = [pem]
const certificate = made.p12({certificates, password: 's3cret'})

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

  test('refuses an incomplete or wrong request with 400, and keeps nothing', () =>
    everyCase(
      [
        ['a text where the file should be', {auth_key_file: 'a key'}, keyQuery, /^auth_key_file: /],
        [
          'no key',
          {auth_key_file: Buffer.from('hello')},
          keyQuery,
          /^auth_key_file: expected a private key in PEM form$/,
        ],
        ['another field', {auth_key: Buffer.from('x')}, keyQuery, /^unknown body field: auth_key$/],
        [
          'no team id',
          {auth_key_file: Buffer.from('x')},
          keyQuery.replace('team_id', 'x'),
          /^team_id: expected string, but it is missing; unknown query field: x$/,
        ],
        [
          'no ids at all',
          {auth_key_file: Buffer.from('x')},
          '',
          /^application_id: .*; bundle_id: .*; team_id: .*; key_id: /,
        ],
      ],
      async (_, fields, query, message) => {
        const on = await pushStage()
        const answer = await on.ask(`POST /push/v1/config/ios/key?${query}`, parts(fields), multipartType)
        expect(answer.status).toBe(400)
        expect(answer.json.message).toMatch(message)
        expect(await configuration(on, 'app-9')).toBeUndefined()
      },
    ))
})

describe('register iOS certificate (.p12)', () => {
  test('one of any usual encryption is opened for the day on which it expires', () =>
    everyCase(
      [
        ['in the encryption of today', 's3cret', {}],
        ['in that of Keychain', 's3cret', {encryption: '3des'}],
        ['with a Korean password', '비밀번호', {}],
      ] as const,
      async (_, password, how) => {
        const on = await pushStage()
        expect((await registerCertificate(on, made.p12({certificates, password, ...how}), password)).status).toBe(200)
        expect(await configuration(on, 'app-9')).toEqual({
          bundle_id: 'com.example.rooms',
          ios_apns_type: 'CERTIFICATE',
          certificate_expiry_date: '2028-01-05',
        })
        const kept = JSON.stringify(await on.store.read((world) => world))
        expect(kept).not.toContain(password)
      },
    ))

  test('one that nothing here opens is taken, and has no expiry date', async () => {
    const on = await pushStage()
    expect((await registerCertificate(on, Buffer.from('3003020103', 'hex'))).status).toBe(200)
    expect(await configuration(on, 'app-9')).toEqual({bundle_id: 'com.example.rooms', ios_apns_type: 'CERTIFICATE'})
  })

  test('takes the place of a key, and a key that of a certificate', async () => {
    const on = await pushStage()
    await registerKey(on, key)
    await registerCertificate(on, certificate)
    expect(await configuration(on, 'app-9')).toMatchObject({ios_apns_type: 'CERTIFICATE'})
    await registerKey(on, key)
    expect(Object.keys(await configuration(on, 'app-9')).sort()).toEqual([
      'bundle_id',
      'ios_apns_type',
      'key_id',
      'team_id',
    ])
  })

  test('refuses one with a wrong password, and another file', () =>
    everyCase(
      [
        [
          'a .p12 in the encryption of today',
          certificate,
          'wrong',
          /^apns_certificate_password: does not open certificate_file$/,
        ],
        ['a certificate in PEM', Buffer.from(pem), 's3cret', /^certificate_file: expected a PKCS#12 file/],
        ['a key', key, 's3cret', /^certificate_file: expected a PKCS#12 file/],
      ] as const,
      async (_, bytes, password, message) => {
        const on = await pushStage()
        const answer = await registerCertificate(on, bytes, password)
        expect(answer.status).toBe(400)
        expect(answer.json.message).toMatch(message)
        expect(answer.text).not.toContain(password)
        expect(await configuration(on, 'app-9')).toBeUndefined()
      },
    ))
})

describe('register Android configuration', () => {
  test('is kept beside the iOS credential', async () => {
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

  test('refuses a query without exactly one application with 400', () =>
    everyCase(['', '?application_id=', '?app=app-1', '?application_id=app-1&application_id=app-2'], async (query) => {
      expect((await (await pushStage()).ask(`GET /push/v1/config${query}`)).status).toBe(400)
    }))
})

test('a key may come without its file, which one variant of the document requires', async () => {
  const empty = Buffer.from(`--${multipartType['Content-Type'].replace(/^.*=/, '')}--\r\n`)
  const line = `POST /push/v1/config/ios/key?${keyQuery}`
  const optional = await pushStage()
  expect((await optional.ask(line, empty, multipartType)).status).toBe(200)
  expect(await configuration(optional, 'app-9')).toMatchObject({ios_apns_type: 'TOKEN', key_id: 'KEY0000009'})
  const required = await pushStage({keyFile: 'required'})
  expect(await required.ask(line, empty, multipartType)).toMatchObject({
    status: 400,
    json: {message: expect.stringContaining('auth_key_file')},
  })
})
