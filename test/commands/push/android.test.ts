import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {registry} from './registering.js'

const workshop = new TestCredentials()
const serverKey = `AAAAcanary1:${'k3y-Of_the_Test'.repeat(10).slice(0, 140)}`
const file = workshop.file('server-key.txt', `${serverKey}\n`)
const stored = {package_name: 'com.example.rooms', fcm_server_key: serverKey}
const line = (...more: string[]) => [
  ...['push', 'android', '--application-id', 'app-1', '--package', 'com.example.rooms', '--legacy'],
  ...more,
]

describe('an Android configuration', () => {
  test('takes the server key from a file or a hidden prompt too, and from nowhere without one', async () => {
    const words = ['push', 'android', '--application-id', 'app-2', '--package', 'com.example.rooms', '--legacy']
    expect((await cli([...words, '--server-key-file', file])).exit).toBe(0)
    const typed = await cli(words, terminal(120, serverKey))
    expect(typed).toMatchObject({exit: 0, asked: ['Server key of FCM on sandbox (built in):']})
    const nowhere = await cli(words)
    expect(nowhere).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(nowhere.stderr).toContain('--server-key-stdin, or name a file with --server-key-file')
    const both = await cli([...words, '--server-key-file', file, '--server-key-stdin'], {stdin: serverKey})
    expect(both).toMatchObject({exit: 2, stdout: '', sent: []})
  })

  test('has a result for programs, with the replaced one, its key masked', async () => {
    const old = {package_name: 'com.example.old', fcm_server_key: `AAAA${'o'.repeat(36)}`, ios_apns_type: 'NONE'}
    const service = await registry({before: old, after: {...stored, ios_apns_type: 'NONE'}})
    const words = line('--server-key-file', file, '--confirm', 'app-1')
    const planned = await cli([...words.slice(0, -2), '--dry-run'], {env: service.env})
    expect(planned.stdout).toMatch(/^package com\.example\.rooms would replace package com\.example\.old in app-1\n/u)
    const ran = await cli([...words, '-o', 'json'], {env: service.env})
    expect(JSON.parse(ran.stdout)).toEqual({
      application_id: 'app-1',
      package_name: 'com.example.rooms',
      replaced: {package_name: 'com.example.old', fcm_server_key: 'AAAA*** (40 characters)'},
      verified: true,
    })
    const asked = await cli(words.slice(0, -2), {
      ...terminal(200, 'no'),
      env: {...(await registry({before: old, after: stored})).env, NO_COLOR: '1'},
    })
    expect(asked.exit).toBe(13)
    expect(asked.stderr).toContain(
      'this replaces the Android configuration of package com.example.old, server key AAAA*** (40 characters)\n',
    )
  })

  test('is not asked about where only an iOS credential is registered', async () => {
    const service = await registry({before: {ios_apns_type: 'TOKEN', key_id: 'KEY1234567'}, after: stored})
    expect(await cli(line('--server-key-file', file), {env: service.env})).toMatchObject({exit: 0})
  })

  test('that the service stores otherwise is named, and neither key is shown', async () => {
    const other = `AAAAcanary2:${'z'.repeat(140)}`
    const service = await registry({before: null, after: {...stored, fcm_server_key: other}})
    const ran = await cli(line('--server-key-file', file), {env: service.env})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain('fcm_server_key differs from the one sent')
    expect(ran.stderr).not.toContain('canary')
  })

  test('whose key the service masks in its reply is not called equal', async () => {
    const service = await registry({before: null, after: {...stored, fcm_server_key: 'AAAA********'}})
    const ran = await cli(line('--server-key-file', file, '--json'), {env: service.env})
    expect(JSON.parse(ran.stdout)).toMatchObject({verified: false})
    expect(ran.stderr).toContain('warning: the service does not show fcm_server_key, so that was not compared\n')
  })
})

describe('an invalid server key is refused before anything is sent', () => {
  const cases: [string, string, RegExp][] = [
    [
      'a service account',
      '{\n  "type": "service_account",\n  "private_key": "x"\n}\n',
      /the JSON of a service account/,
    ],
    [
      'google-services.json',
      '{"project_info": {}, "client": [], "configuration_version": "1"}',
      /google-services\.json/,
    ],
    ['other JSON', '{"key": 1}', /JSON/],
    ['a .p8', workshop.key('apns', 'P-256'), /it is a PEM file/],
    ['two words', 'AAAA1234567 APA91b', /white space/],
    ['two lines', `${serverKey}\n${serverKey}\n`, /white space/],
  ]

  test.each(cases)('%s', async (_, text, words) => {
    for (const given of [
      {flags: ['--server-key-stdin'], stdin: text},
      {flags: ['--server-key-file', workshop.file('wrong.txt', text)], stdin: ''},
    ]) {
      const ran = await cli(line('--confirm', 'app-1', ...given.flags), {stdin: given.stdin})
      expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
      expect(ran.stderr).toMatch(words)
      expect(ran.stderr).not.toContain('APA91b')
    }
  })

  test('nothing at all', async () => {
    expect(await cli(line('--server-key-stdin'), {stdin: '\n'})).toMatchObject({exit: 2, stdout: '', sent: []})
  })

  test('but a key of an unusual shape is only warned of', async () => {
    const ran = await cli(line('--server-key-stdin', '--confirm', 'app-1'), {stdin: 'some-key-of-another-service'})
    expect(ran).toMatchObject({exit: 0})
    expect(ran.stderr).toContain('it does not look like a server key')
    expect(ran.stderr).not.toContain('some-key')
  })
})
