import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli, freshHome} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {changeOf, registry, stateOf} from './registering.js'

const workshop = new TestCredentials()
const pem = workshop.key('apns', 'P-256')
const file = workshop.file('AuthKey_KEY7654321.p8', pem)
const ids = ['--bundle-id', 'com.example.rooms', '--team-id', 'TEAM123456']
const line = (application: string, ...more: string[]) => [
  ...['push', 'ios', file, '--application-id', application, ...ids],
  ...more,
]
const stored = {
  ios_apns_type: 'TOKEN',
  bundle_id: 'com.example.rooms',
  team_id: 'TEAM123456',
  key_id: 'KEY7654321',
}
const old = {...stored, key_id: 'OLDKEY1234'}

test('a key has its id from the name of the file, or from the flag, with a warning where they differ', async () => {
  const nameless = workshop.file('key.p8', pem)
  const without = await cli(['push', 'ios', nameless, '--application-id', 'app-2', ...ids])
  expect(without).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(without.stderr).toContain('--key-id is missing\n  why: key.p8 has no key id in its name')
  const given = ['push', 'ios', nameless, '--application-id', 'app-2', ...ids, '--key-id', 'KEY1111111']
  expect((await cli(given)).stdout).toContain('registered the iOS key KEY1111111 of team')
  const other = await cli(line('app-2', '--key-id', 'KEY1111111'))
  expect(other.exit).toBe(0)
  expect(other.stderr).toMatch(/^warning: \S+: the file name says that KEY7654321 is the key id, but KEY1111111/)
})

describe('a key without its file, as one variant of the document has it', () => {
  const named = ['push', 'ios', '--application-id', 'app-2', ...ids]

  test('goes over the wire as an empty form', async () => {
    const service = await registry({before: null, after: stored})
    const ran = await cli([...named, '--no-file', '--key-id', 'KEY7654321'], {env: service.env})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toContain(
      'registered the iOS key KEY7654321 of team TEAM123456 for com.example.rooms without its file',
    )
    const {path, headers, bytes} = changeOf(service) ?? {headers: {}, bytes: Buffer.alloc(0)}
    expect(path).toBe(
      '/push/v1/config/ios/key?application_id=app-2&bundle_id=com.example.rooms&team_id=TEAM123456&key_id=KEY7654321',
    )
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(bytes.toString()).toBe(`--${headers['content-type']?.replace(/^.*=/, '')}--\r\n`)
  })

  test('is in the output for programs, and the sandbox takes it', async () => {
    const ran = await cli([...named, '--no-file', '--key-id', 'KEY7654321', '-o', 'json'])
    expect(JSON.parse(ran.stdout)).toEqual({
      application_id: 'app-2',
      ...stored,
      fingerprint: null,
      replaced: null,
      verified: true,
    })
  })

  test('needs the key id, and a file is given or left out', async () => {
    expect((await cli([...named, '--no-file'])).stderr).toContain('--key-id is missing')
    expect(await cli([...named, '--no-file', file])).toMatchObject({exit: 2, sent: []})
    expect(await cli(named)).toMatchObject({exit: 2, sent: []})
  })
})

describe('what a key replaces', () => {
  test('is shown, and the id of the application has to be typed', async () => {
    const service = await registry({before: old, after: stored})
    const circumstances = {...terminal(120, 'app-1'), env: {...service.env, NO_COLOR: '1'}}
    const ran = await cli(line('app-1'), circumstances)
    expect(ran).toMatchObject({
      exit: 0,
      stderr:
        'this replaces the iOS key OLDKEY1234 of team TEAM123456 for com.example.rooms\n' +
        'to go back, keep its file: roomctl push ios AuthKey_OLDKEY1234.p8 --application-id app-1 --bundle-id com.example.rooms --team-id TEAM123456\n',
      asked: [expect.stringMatching(/^Register the iOS key of application app-1 on .+\?\nType "app-1" to confirm:$/u)],
    })
    expect(changeOf(service)).toBeDefined()
  })

  test.each(['app-2', 'yes', ''])('stays where %j is typed', async (typed) => {
    const service = await registry({before: old, after: stored})
    const ran = await cli(line('app-1'), {...terminal(120, typed), env: {...service.env, NO_COLOR: '1'}})
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(changeOf(service)).toBeUndefined()
  })

  test('stays in a script without --confirm, and with another word nothing is even read', async () => {
    const service = await registry({before: old, after: stored})
    const ran = await cli(line('app-1'), {env: service.env})
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.stderr).toContain('  try: add --confirm app-1: the id of the application\n')
    expect(changeOf(service)).toBeUndefined()
    const wrong = await registry({before: null, after: stored})
    expect(await cli(line('app-1', '--confirm', 'default'), {env: wrong.env})).toMatchObject({exit: 13})
    expect(wrong.arrived).toEqual([])
  })

  test('may be a certificate, and is in the result', async () => {
    const certificate = {
      ios_apns_type: 'CERTIFICATE',
      bundle_id: 'com.example.rooms',
      certificate_expiry_date: '2026-12-31',
    }
    const service = await registry({before: {...certificate, fcm_server_key: 'AAAA-secret-key'}, after: stored})
    const ran = await cli(line('app-1', '--confirm', 'app-1', '-o', 'json'), {env: service.env})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toMatchObject({replaced: certificate, verified: true})
    const words = await cli(line('app-1'), {env: (await registry({before: certificate, after: stored})).env})
    expect(words.stderr).toContain(
      'this replaces the iOS certificate for com.example.rooms, expiry 2026-12-31 (in 30 days)\n',
    )
  })

  test.each([
    [404, /^warning: cannot determine what this replaces: .*HTTP 404/],
    [403, /^warning: cannot determine what this replaces: .*HTTP 403/],
    [500, /^warning: cannot determine what this replaces: .*HTTP 500/],
    [false, /^warning: cannot determine what this replaces: /],
  ] as const)('may be unknown (%s): then it is said, and asked likewise', async (before, words) => {
    const service = await registry({before, after: stored})
    const env = {...service.env, ROOMCTL_RETRIES: '0'}
    const unanswered = await cli(line('app-1'), {env})
    expect(unanswered.exit).toBe(13)
    expect(unanswered.stderr).toMatch(words)
    expect(changeOf(service)).toBeUndefined()
    expect(await cli(line('app-1', '--confirm', 'app-1'), {env})).toMatchObject({exit: 0})
  })

  test('is not asked about where the token is refused: the registration would be too', async () => {
    const service = await registry({before: 401, after: stored})
    expect(await cli(line('app-1', '--confirm', 'app-1'), {env: service.env})).toMatchObject({exit: 4, stdout: ''})
    expect(changeOf(service)).toBeUndefined()
  })

  test('is shown by --dry-run with the request, which is not sent', async () => {
    const service = await registry({before: old, after: stored})
    const ran = await cli(line('app-1', '--dry-run'), {env: service.env})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout.split('\n')).toEqual([
      'KEY7654321 would replace OLDKEY1234 in app-1',
      'registered now: the iOS key OLDKEY1234 of team TEAM123456 for com.example.rooms',
      expect.stringMatching(/^would send: POST http:\S+\/push\/v1\/config\/ios\/key\?application_id=app-1&/u),
      `  {"auth_key_file":"(file, ${pem.length} bytes)"}`,
      '',
    ])
    const first = await registry({before: null, after: stored})
    expect((await cli(line('app-1', '--dry-run'), {env: first.env})).stdout).toMatch(
      /^KEY7654321 would be registered in app-1\nnothing would be replaced\nwould send: /u,
    )
    const [plan] = JSON.parse((await cli(line('app-1', '--dry-run', '-o', 'json'), {env: service.env})).stdout)
    expect(plan).toMatchObject({operation: 'push.iosKey', replaces: old, findings: [{level: 'note'}]})
    expect(changeOf(service)).toBeUndefined()
  })
})

describe('after the registration', () => {
  test.each([
    [{...stored, team_id: 'OTHER12345'}, 'team_id is OTHER12345, but TEAM123456 was sent', 'applied', 'done'],
    // The old configuration, or none, proves no registration.
    [old, 'key_id is OLDKEY1234, but KEY7654321 was sent', 'unknown', 'unknown'],
    [{...stored, ios_apns_type: 'NONE'}, 'ios_apns_type is NONE, but TOKEN was sent', 'unknown', 'unknown'],
    [null, 'nothing is registered', 'unknown', 'unknown'],
  ])('the stored configuration must be the sent one (%j)', async (after, words, outcome, journaled) => {
    const service = await registry({before: old, after})
    const home = freshHome()
    const ran = await cli(line('app-1', '-o', 'json', '--confirm', 'app-1'), {env: service.env, home})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'stored-otherwise',
      message: `cannot verify the registration in application app-1: ${words}`,
      outcome,
    })
    expect(JSON.parse(stateOf(home))).toMatchObject({operation: 'push.iosKey', outcome: journaled})
  })

  test.each([500, 404, false] as const)('it is in the result if it cannot be read back (%s)', async (after) => {
    const service = await registry({before: null, after})
    const ran = await cli(line('app-1'), {env: {...service.env, ROOMCTL_RETRIES: '0'}})
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toMatch(/ in application app-1 \(not read back\)\n$/)
    expect(ran.stderr).toMatch(/^warning: it was registered but cannot be read back: /)
  })

  test('what the service does not show is not called equal', async () => {
    const service = await registry({before: null, after: {...stored, team_id: null}})
    const ran = await cli(line('app-1', '--json'), {env: service.env})
    expect(ran.stderr).toBe('warning: the service does not show team_id, so that was not compared\n')
    expect(JSON.parse(ran.stdout).verified).toBe(false)
  })

  test('a lost answer is settled by the registered configuration', async () => {
    const env = {ROOMCTL_RETRIES: '0'}
    const made = await registry({before: old, after: stored, answer: false})
    const ran = await cli(line('app-1', '--confirm', 'app-1'), {env: {...made.env, ...env}})
    expect(ran).toMatchObject({exit: 0})
    expect(ran.stdout).toContain('(read back: equal)')
    const lost = await registry({before: old, after: old, answer: false})
    const failed = await cli(line('app-1', '--confirm', 'app-1', '--json'), {
      env: {...lost.env, ...env},
      onWait: async () => undefined,
    })
    expect(failed.exit).toBe(10)
    expect(JSON.parse(failed.stderr).error).toMatchObject({outcome: 'none', exit_code: 10})
    expect(changeOf(lost)).toBeDefined()
  })
})
