import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli, freshHome} from '../../support/cli.js'

const shop = new TestCredentials()
const folder = freshHome()
const key = put('AuthKey_ABC123DEFG.p8', shop.key('p256', 'P-256'))
const certificate = put('push.p12', shop.p12())
const open = put('open.p12', shop.p12({password: ''}))
const soon = put('soon.p12', shop.p12({certificates: [shop.certificate({to: '2026-12-31T12:00:00Z'})]}))
const secret = put('password.txt', 'secret\r\n')

function put(name: string, content: string | Buffer): string {
  const file = path.join(folder, name)
  writeFileSync(file, content, {mode: 0o600})
  return file
}

describe('a card says what the file is', () => {
  test('a key, with a note that the file does not name its team', async () => {
    const {stdout, stderr, exit, sent} = await cli(['push', 'inspect', key])
    expect({exit, stderr, sent}).toEqual({exit: 0, stderr: '', sent: []})
    expect(stdout).toMatch(/Kind +APNs key \(\.p8\)\n +Key id +ABC123DEFG\n +Curve +P-256\n +SHA-256 +[0-9A-F]{2}:/)
    expect(stdout).toContain('note: a key file does not contain its team')
    expect(stdout).not.toContain('Bundle id')
  })

  test('a certificate, with its bundle id, team, environments, expiry and days', async () => {
    const {stdout, exit} = await cli(['push', 'inspect', soon, '--password-stdin'], {stdin: 'secret\n'})
    expect(exit).toBe(0)
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ {2,}/, ': '))
    expect(lines).toEqual(
      expect.arrayContaining([
        'Kind: push certificate (.p12)',
        'Bundle id: com.example.rooms',
        'Team id: TEAM123456',
        'Environments: sandbox, production',
        'Expires: 2026-12-31T12:00:00Z (in 30 days)',
        'Encryption: AES-256',
      ]),
    )
    expect(stdout).not.toContain('Findings')
  })

  test('with the expiry in the zone of the reader', async () => {
    const {stdout} = await cli(['push', 'inspect', soon, '--password-file', secret, '--tz', 'Asia/Seoul'])
    expect(stdout).toContain('2026-12-31T21:00:00+09:00 (in 30 days)')
  })
})

describe('a credential that cannot work ends with 14', () => {
  test('and people see why on stderr, and what to do in the card', async () => {
    const bundle = ['--bundle-id', 'com.example.other']
    const {stdout, stderr, exit} = await cli(['push', 'inspect', certificate, '--password-file', secret, ...bundle])
    expect(exit).toBe(14)
    const message = 'it is for the bundle id com.example.rooms, but com.example.other was given'
    expect(stderr).toBe(`error: ${certificate}: ${message}\n`)
    expect(stdout).toContain(`error: ${message}\n    try: give the bundle id of the certificate`)
  })

  test('and a program finds all of it in the result, and nothing on stderr', async () => {
    const {stdout, stderr, exit} = await cli(['push', 'inspect', certificate, '-o', 'json'], {
      env: {ROOMCTL_P12_PASSWORD: 'Secret'},
    })
    expect({exit, stderr}).toEqual({exit: 14, stderr: ''})
    expect(JSON.parse(stdout)).toEqual({
      file: certificate,
      kind: 'apns-certificate',
      usable: false,
      topics: [],
      environments: [],
      opened: false,
      findings: [
        {
          level: 'error',
          code: 'wrong-password',
          message: 'wrong password, or the file is damaged',
          try: expect.any(String),
        },
      ],
    })
  })

  test('for a key with swapped ids', async () => {
    const ids = ['--team-id', 'ABC123DEFG', '--key-id', 'TEAM123456']
    const {stderr, exit} = await cli(['push', 'inspect', key, ...ids])
    expect(exit).toBe(14)
    expect(stderr).toContain('the two are swapped')
  })

  test('for a file that is not there, and for a folder', async () => {
    expect(await cli(['push', 'inspect', path.join(folder, 'none.p8')])).toMatchObject({exit: 14, stdout: ''})
    expect(await cli(['push', 'inspect', folder])).toMatchObject({exit: 14, stdout: ''})
  })
})

test('warnings leave the exit at 0', async () => {
  const old = put('old.p12', shop.p12({encryption: '3des'}))
  const {stdout, exit} = await cli(['push', 'inspect', old, '--password-file', secret])
  expect(exit).toBe(0)
  expect(stdout).toContain('warning: it is encrypted with 3DES')
  expect(stdout).toMatch(/try: openssl pkcs12 .* -in \S+old\.p12 -out /u)
})

describe('the password', () => {
  test('is asked for, hidden, where an empty one does not open the file', async () => {
    const {stdout, exit, asked} = await cli(['push', 'inspect', certificate], {answers: ['secret']})
    expect({exit, asked}).toEqual({exit: 0, asked: ['Password of the certificate:']})
    expect(stdout).toContain('com.example.rooms')
    expect(stdout).not.toContain('secret')
  })

  test('is not asked for where an empty one opens it, nor for a key', async () => {
    expect(await cli(['push', 'inspect', open], {answers: []})).toMatchObject({exit: 0, asked: []})
    expect(await cli(['push', 'inspect', key], {answers: []})).toMatchObject({exit: 0, asked: []})
  })

  test('without a terminal names the ways to give it', async () => {
    const {stderr, stdout, exit} = await cli(['push', 'inspect', certificate])
    expect({exit, stdout}).toEqual({exit: 2, stdout: ''})
    expect(stderr).toContain('--password-stdin')
    expect(stderr).toContain('ROOMCTL_P12_PASSWORD')
  })

  test('is not read from stdin for a key', async () => {
    expect(await cli(['push', 'inspect', key, '--password-stdin'])).toMatchObject({exit: 0})
  })
})

test('names in a certificate cannot move the cursor of a terminal', async () => {
  const name = 'Apple Push Services: \u001b]0;x\u0007com.example.rooms'
  const odd = put('odd.p12', shop.p12({certificates: [shop.certificate({name, uid: 'com.\u001b[2Jexample'})]}))
  const {stdout} = await cli(['push', 'inspect', odd, '--password-file', secret, '--columns', 'name,bundle_id'])
  expect(stdout).toContain('\\u{1b}[2Jexample')
  expect(stdout).not.toContain('\u001b')
})
