import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {cli} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {registry} from './registering.js'

const line = (...more: string[]) => ['push', 'show', '--application-id', 'app-1', ...more]
const serverKey = `AAAAcanary1:APA91b${'k3y-Of_the_Test'.repeat(9).slice(0, 134)}`
const certificate = {
  fcm_server_key: serverKey,
  package_name: 'com.example.rooms',
  bundle_id: 'com.example.rooms',
  team_id: null,
  ios_apns_type: 'CERTIFICATE',
  certificate_expiry_date: '2026-12-20',
}

async function showing(shown: object | null | number, ...more: string[]) {
  const {env, arrived} = await registry({before: shown, after: null})
  const ran = await cli(line(...more), {env: {...env, ROOMCTL_RETRIES: '0'}})
  expect(arrived.map(({method, path}) => `${method} ${path}`)).toEqual(['GET /push/v1/config?application_id=app-1'])
  return ran
}

describe('the push configuration', () => {
  test('is a card for people', async () => {
    const {stdout, stderr, exit} = await showing(certificate)
    expect({exit, stderr}).toEqual({exit: 0, stderr: ''})
    expect(stdout).toBe(`push configuration of application app-1

  APNs credential      CERTIFICATE (.p12)
  Bundle id            com.example.rooms
  Team id              -
  Key id               -
  Certificate expires  2026-12-20 (in 19 days)
  Android package      com.example.rooms
  FCM server key       AAAA*** (152 characters)
`)
  })

  test('keeps the values of the service for programs, but for the server key', async () => {
    const masked = {...certificate, fcm_server_key: 'AAAA*** (152 characters)', more: {of: ['its', 1]}}
    const shown = {...certificate, more: {of: ['its', 1]}}
    expect(JSON.parse((await showing(shown, '-o', 'json')).stdout)).toEqual(masked)
    expect(JSON.parse((await showing(shown, '-o', 'ndjson')).stdout)).toEqual(masked)
    expect(parse((await showing(shown, '-o', 'yaml')).stdout)).toEqual(masked)
    expect((await showing(shown, '-o', 'csv')).stdout).toBe(
      'ios_apns_type,bundle_id,team_id,key_id,certificate_expiry_date,package_name,fcm_server_key\n' +
        'CERTIFICATE,com.example.rooms,,,2026-12-20,com.example.rooms,AAAA*** (152 characters)\n',
    )
    expect((await showing(shown, '-q')).stdout).toBe('app-1\n')
  })

  test.each([
    ['-o', 'json', '--query', 'fcm_server_key'],
    ['-o', 'yaml', '--query', 'values(@)'],
    ['--columns', 'fcm_server_key'],
    ['-o', 'tsv', '--columns', 'fcm_server_key', '--no-header'],
    ['-o', 'json', '--debug'],
    ['--debug'],
  ])('masks the server key under %s %s %s %s', async (...flags) => {
    const echoed = {...certificate, also: `key=${serverKey}`, deep: [{key: serverKey}]}
    const {stdout, stderr, exit} = await showing(echoed, ...flags.filter((flag) => flag !== undefined))
    expect(exit).toBe(0)
    expect(stdout).toContain('AAAA*** (152 characters)')
    expect(stdout + stderr).not.toContain(serverKey.slice(4, 20))
    expect(stdout + stderr).not.toContain(serverKey.slice(-20))
  })

  test.each([
    ['', undefined],
    ['short', '*** (5 characters)'],
    ['A'.repeat(19), '*** (19 characters)'],
    ['B'.repeat(20), 'BBBB*** (20 characters)'],
  ])('shows of the server key %j no more than helps to tell it', async (key, masked) => {
    const {stdout} = await showing({...certificate, fcm_server_key: key}, '-o', 'json')
    expect(JSON.parse(stdout).fcm_server_key).toBe(masked ?? '')
  })

  test('shows the server key to a user who asks for it', async () => {
    const {stdout} = await showing(certificate, '--reveal', '-o', 'json')
    expect(JSON.parse(stdout).fcm_server_key).toBe(serverKey)
    const card = await showing(certificate, '--reveal')
    expect(card.stdout).toContain(`FCM server key       ${serverKey}\n`)
    const traced = await showing(certificate, '--reveal', '--debug')
    expect(traced.stderr).not.toContain(serverKey)
  })

  test('that does not exist is reported, and is null for programs', async () => {
    expect(await showing(null)).toMatchObject({
      exit: 0,
      stdout: 'no credential is registered for application app-1\n',
      stderr: '',
    })
    const empty = {ios_apns_type: 'NONE', bundle_id: null, package_name: null, fcm_server_key: ''}
    expect(await showing(empty)).toMatchObject({exit: 0, stdout: 'no credential is registered for application app-1\n'})
    expect(JSON.parse((await showing(empty, '-o', 'json')).stdout)).toEqual(empty)
    for (const format of ['json', 'ndjson', 'yaml']) {
      expect(await showing(null, '-o', format)).toMatchObject({exit: 0, stdout: 'null\n', stderr: ''})
    }
    expect((await showing(null, '-o', 'csv')).stdout).toMatch(/^ios_apns_type,.*\n$/)
    expect(await showing(null, '-q')).toMatchObject({exit: 0, stdout: '', stderr: ''})
    const known = await cli('push show --application-id no-such-application', terminal(80))
    expect(known).toMatchObject({exit: 0, stdout: 'no credential is registered for application no-such-application\n'})
  })

  test('of the demonstration has a key, which does not expire', async () => {
    const ran = await cli(line())
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('  APNs credential      TOKEN (.p8 key)\n')
    expect(ran.stdout).toMatch(/\n\na key does not expire\n$/)
  })

  test('of a key has no expiry, also beside a date', async () => {
    const {stdout} = await showing({...certificate, ios_apns_type: 'TOKEN', key_id: 'ABCDE12345'})
    expect(stdout).toContain('\n  Certificate expires  2026-12-20\n')
    expect(stdout).toMatch(/\n\na key does not expire\n$/)
  })
})

describe('a configuration that cannot be read', () => {
  test('is a broken answer where it is no record', async () => {
    const empty = await showing({})
    expect(empty).toMatchObject({exit: 10, stdout: ''})
    expect(empty.stderr).toContain('it is an object without any field of the configuration record; it has none at all')
    expect((await showing({fcm_server_key: 7})).exit).toBe(10)
    expect((await showing([certificate])).exit).toBe(10)
  })

  test('is not asked for with output that cannot be drawn', async () => {
    expect(await cli(line('--columns', 'nothing'))).toMatchObject({exit: 2, sent: []})
    expect(await cli(line('-o', 'csv', '--query', 'key_id'))).toMatchObject({exit: 2, sent: []})
    expect(await cli('push show')).toMatchObject({exit: 3, sent: []})
  })
})
