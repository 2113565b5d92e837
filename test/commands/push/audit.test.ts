import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {writeProfiles} from '../live.js'
import {type Answer, type PushWire, pushWire} from './wire.js'

const workshop = new TestCredentials()
const serverKey = `AAAAcanary1:APA91b${'k3y-Of_the_Test'.repeat(9).slice(0, 134)}`
const key = {ios_apns_type: 'TOKEN', bundle_id: 'com.example.rooms', team_id: 'TEAM123456', key_id: 'KEY7654321'}
const certificate = (certificate_expiry_date: string | null) => ({
  ios_apns_type: 'CERTIFICATE',
  bundle_id: 'com.example.shop',
  certificate_expiry_date,
})

/** The configuration of each application of a service; it is noon of 2026-12-01. */
const shown: Readonly<Record<string, object | number | false | null>> = {
  key,
  later: certificate('2027-06-01'),
  due: certificate('2026-12-20'),
  expired: certificate('2026-11-30'),
  both: {...key, package_name: 'com.example.rooms', fcm_server_key: serverKey},
  android: {package_name: 'com.example.rooms', fcm_server_key: serverKey, ios_apns_type: 'NONE'},
  none: null,
  empty: {ios_apns_type: 'NONE'},
  undated: certificate(null),
  strange: {ios_apns_type: 'constructor'},
  broken: 400,
}

const applicationOf = (path: string) => new URL(path, 'http://x').searchParams.get('application_id') ?? ''

async function service(of: typeof shown = shown): Promise<PushWire> {
  const wire = await pushWire(({path}): Answer => {
    const what = of[applicationOf(path)] ?? null
    if (what === false) return false
    if (what === null) return {status: 204}
    return typeof what === 'number' ? {status: what} : {status: 200, body: what}
  })
  return {...wire, env: {...wire.env, ROOMCTL_RETRIES: '0'}}
}

async function audit(ids: readonly string[], more: readonly string[] = [], of = shown) {
  const {env, arrived} = await service(of)
  const stdin = `${ids.join('\n')}\n`
  const ran = await cli(['push', 'audit', '--applications-from', '-', ...more], {env, stdin})
  return {...ran, arrived}
}

const row = (application_id: string, platform: string, more: object) => ({
  application_id,
  platform,
  kind: null,
  key_id: null,
  bundle_id: null,
  expires: null,
  days_left: null,
  reason: null,
  ...more,
})
const missing = (id: string, platform: string) => row(id, platform, {state: 'missing'})
const iosKey = {kind: 'key', key_id: 'KEY7654321', bundle_id: 'com.example.rooms', state: 'ok'}
const cert = {kind: 'certificate', bundle_id: 'com.example.shop'}
const refused = {state: 'unreadable', reason: expect.stringContaining('application broken: ')}
const dead = {kind: 'server-key', expires: '2024-07-22', days_left: -862, state: 'dead interface'}

describe('each state has its rows and its exit code', () => {
  const cases: [id: string, exit: number, rows: object[]][] = [
    ['key', 0, [row('key', 'ios', iosKey), missing('key', 'android')]],
    [
      'later',
      0,
      [row('later', 'ios', {...cert, expires: '2027-06-01', days_left: 182, state: 'ok'}), missing('later', 'android')],
    ],
    [
      'due',
      15,
      [row('due', 'ios', {...cert, expires: '2026-12-20', days_left: 19, state: 'due'}), missing('due', 'android')],
    ],
    [
      'expired',
      15,
      [
        row('expired', 'ios', {...cert, expires: '2026-11-30', days_left: -1, state: 'expired'}),
        missing('expired', 'android'),
      ],
    ],
    ['both', 15, [row('both', 'ios', iosKey), row('both', 'android', dead)]],
    ['android', 15, [missing('android', 'ios'), row('android', 'android', dead)]],
    ['none', 15, [missing('none', 'ios'), missing('none', 'android')]],
    ['empty', 15, [missing('empty', 'ios'), missing('empty', 'android')]],
    [
      'undated',
      15,
      [
        row('undated', 'ios', {...cert, state: 'unreadable', reason: 'the service shows no expiry date'}),
        missing('undated', 'android'),
      ],
    ],
    [
      'strange',
      15,
      [
        row('strange', 'ios', {state: 'unreadable', reason: 'unknown ios_apns_type: constructor'}),
        missing('strange', 'android'),
      ],
    ],
    ['broken', 15, [row('broken', 'ios', refused), row('broken', 'android', refused)]],
  ]

  test('of an application', () =>
    everyCase(cases, async (id, exit, rows) => {
      const ran = await audit([id], ['-o', 'json'])
      expect(JSON.parse(ran.stdout)).toEqual(rows)
      expect(ran.exit).toBe(exit)
      expect(ran.arrived.map(({method, path}) => `${method} ${path}`)).toEqual([
        `GET /push/v1/config?application_id=${id}`,
      ])
    }))

  test('in the order of the list, which repeats itself', async () => {
    const ran = await audit(['key', '', 'later', 'key'], ['-o', 'json'])
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout).map((one: {application_id: string}) => one.application_id)).toEqual([
      'key',
      'key',
      'later',
      'later',
    ])
  })

  test('--expires-within decides which are due', async () => {
    expect((await audit(['due'], ['--expires-within', '18d'])).exit).toBe(0)
    expect((await audit(['later'], ['--expires-within', '200d'])).exit).toBe(15)
    expect((await audit(['later'], ['--expires-within', 'soon'])).exit).toBe(2)
  })
})

describe('the audit', () => {
  test('is a table for people, and lists dead applications; unread ones are only in the rows', async () => {
    const ran = await audit(['both', 'broken'])
    expect(ran.stdout.split('\n')[0]).toMatch(
      /^APPLICATION +PLATFORM +KIND +KEY ID +EXPIRES +DAYS LEFT +STATE +REASON$/,
    )
    expect(ran.stdout).toMatch(/^both +android +server-key .* 2024-07-22 .* shut down +-$/m)
    expect((await audit(['key'])).stdout).toMatch(/^key +android .* none$/m)
    expect(ran.stderr).toContain('note: Google shut down the FCM interface for server keys (from 2024-07-22 on')
    expect(ran.stderr).not.toContain('unreadable')
  })

  test('lists each application once under -q', async () => {
    expect((await audit(['both', 'none'], ['-q'])).stdout).toBe('both\nnone\n')
  })

  test('is about the application of the profile, or the one that is named', async () => {
    const {env} = await service()
    const one = await cli('push audit -o json --application-id due', {env})
    expect(JSON.parse(one.stdout)).toHaveLength(2)
    expect(await cli('push audit', {env: {...env, ROOMCTL_APPLICATION_ID: 'key'}})).toMatchObject({exit: 0})
    expect(await cli('push audit', {env})).toMatchObject({exit: 3, stdout: ''})
    expect(await cli('push audit --application-id key --applications-from -', {env, stdin: 'key'})).toMatchObject({
      exit: 2,
    })
  })

  test('refuses a list that is not UTF-8 or not there', async () => {
    const {env, arrived} = await service()
    const latin = await cli('push audit --applications-from -', {env, stdin: Buffer.from('schl\xfcssel\n', 'latin1')})
    expect(latin).toMatchObject({exit: 2, stdout: ''})
    const file = workshop.file('latin.txt', Buffer.from('key\nschl\xfcssel\n', 'latin1'))
    const ran = await cli(['push', 'audit', '--applications-from', file], {env})
    expect(ran).toMatchObject({exit: 14, stdout: ''})
    expect(ran.stderr).toContain('line 2 is not UTF-8 text')
    expect(await cli('push audit --applications-from /nowhere', {env})).toMatchObject({exit: 14, stdout: ''})
    expect(arrived).toEqual([])
  })

  test('ends with 4 where the token is refused, after one request', async () => {
    const {env, arrived} = await pushWire(() => ({status: 401}))
    const ran = await cli('push audit --applications-from -', {
      env: {...env, ROOMCTL_CONCURRENCY: '1'},
      stdin: 'a\nb\nc\n',
    })
    expect(ran).toMatchObject({exit: 4, stdout: ''})
    expect(arrived).toHaveLength(1)
  })

  test('shows a service that cannot be reached in the row of each application', async () => {
    const {env, arrived} = await pushWire(() => false)
    const ran = await cli('push audit --applications-from - -o json', {
      env: {...env, ROOMCTL_RETRIES: '0'},
      stdin: 'a\nb\n',
    })
    expect(ran.exit).toBe(15)
    expect(JSON.parse(ran.stdout)).toHaveLength(4)
    expect(arrived).toHaveLength(2)
  })

  const profileOf = ({env}: PushWire, token: string) => {
    const url = env.ROOMCTL_PUSH_URL ?? ''
    return {
      'push.url': url,
      applicationId: 'app',
      credentials: {push: {store: 'file', origin: new URL(url).origin, token}},
    }
  }

  test('of several profiles names each', async () => {
    const home = freshHome()
    const [one, other] = [await service({app: key}), await service({app: key})]
    writeProfiles(home, {live: profileOf(other, 'token-of-live'), test: profileOf(one, 'token-of-test')})
    const ran = await cli('push audit --profiles live,test -o json', {home})
    expect(ran.exit).toBe(0)
    expect(
      JSON.parse(ran.stdout).map((row: {profile: string; platform: string}) => [row.profile, row.platform]),
    ).toEqual([
      ['live', 'ios'],
      ['live', 'android'],
      ['test', 'ios'],
      ['test', 'android'],
    ])
    expect((await cli('push audit --profiles live,test', {home})).stdout).toMatch(/^PROFILE +APPLICATION/)
    expect(await cli('push audit --profiles live,nope', {home})).toMatchObject({exit: 3, stdout: ''})
    expect(await cli('push audit --profiles live,', {home})).toMatchObject({exit: 2, stdout: ''})
    expect(await cli('push audit --profiles live -p test', {home})).toMatchObject({exit: 2, stdout: ''})
  })

  test('masks the tokens of all profiles in what any service repeats', async () => {
    const tokens = ['live', 'test', 'other'].map((name) => `token-of-${name}-0123456789`)
    // Each service repeats all tokens and its own server key: in a member, in a failure, and in percent.
    const services = await Promise.all(
      [
        {...key, bundle_id: tokens.join(' '), package_name: serverKey, fcm_server_key: serverKey},
        {...key, key_id: tokens.map((token) => token.replaceAll('-', '%2D')).join(' ')},
      ].map((shownByIt) => service({app: shownByIt})),
    )
    const refusing = await pushWire(() => ({status: 400, body: {message: tokens.join(' '), error: tokens}}))
    const home = freshHome()
    writeProfiles(home, {
      ...Object.fromEntries([...services, refusing].map((wire, at) => [`p${at}`, profileOf(wire, tokens[at] ?? '')])),
      unused: profileOf(refusing, 'token-of-nobody'),
    })
    await everyCase(
      ['table', 'json', 'ndjson', 'yaml', 'csv', 'ids'].map((format) => [format] as const),
      async (format) => {
        const {stdout, stderr} = await cli(`push audit --profiles p0,p1,p2 -o ${format} --debug --retries 0`, {home})
        for (const secret of [...tokens, serverKey]) {
          expect(stdout + stderr).not.toContain(secret)
          expect(stdout + stderr).not.toContain(secret.replaceAll('-', '%2D'))
        }
      },
    )
    const one = await cli('push show -p p0 -o json', {home})
    for (const token of tokens) expect(one.stdout + one.stderr).not.toContain(token)
  })
})
