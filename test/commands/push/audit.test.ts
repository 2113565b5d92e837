import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
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
  const ran = await cli(['push', 'audit', '--applications-from', '-', '--budget', '1000/s', ...more], {env, stdin})
  return {...ran, arrived}
}

const row = (application_id: string | null, platform: string, more: object) => ({
  application_id,
  platform,
  kind: null,
  key_id: null,
  bundle_id: null,
  expires: null,
  days_left: null,
  file: null,
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

  test('in the order of the list, which has comments and repeats itself', async () => {
    const ran = await audit(['# ours', 'key', '', '  later  ', 'key', '#none'], ['-o', 'json'])
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

  test('takes no list that is not UTF-8, and none that is not there', async () => {
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

  test('writes each row as soon as it is read where the format has lines', async () => {
    const {env} = await pushWire((_, nth) => (nth < 4 ? {status: 200, body: key} : {status: 401}))
    const where = {env: {...env, ROOMCTL_CONCURRENCY: '1'}, stdin: 'a\nb\nc\nd\n'}
    const ran = await cli('push audit --applications-from - -o ndjson', where)
    expect(ran.exit).toBe(4)
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(6)
  })

  test('stops to ask a service that cannot be reached, and says so', async () => {
    const ids = Array.from({length: 40}, (_, at) => `app-${at}`)
    const {env, arrived} = await pushWire(() => false)
    const ran = await cli('push audit --applications-from - --budget 1000/s -o json', {
      env: {...env, ROOMCTL_RETRIES: '0', ROOMCTL_CONCURRENCY: '1'},
      stdin: ids.join('\n'),
    })
    expect(ran.exit).toBe(15)
    expect(JSON.parse(ran.stdout)).toHaveLength(80)
    expect(arrived).toHaveLength(8)
  })

  test('of several profiles names each, and masks the tokens of all', async () => {
    const home = freshHome()
    const [one, other] = [await service({app: key}), await service({app: {...key, bundle_id: 'token-of-live'}})]
    const profile = ({env}: PushWire, token: string) => {
      const url = env.ROOMCTL_PUSH_URL ?? ''
      const credentials = {push: {store: 'file', origin: new URL(url).origin, token}}
      return {'push.url': url, applicationId: 'app', credentials}
    }
    writeProfiles(home, {live: profile(other, 'token-of-live'), test: profile(one, 'token-of-test')})
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
    expect(ran.stdout).not.toContain('token-of-live')
    expect((await cli('push audit --profiles live,test', {home})).stdout).toMatch(/^PROFILE +APPLICATION/)
    expect(await cli('push audit --profiles live,nope', {home})).toMatchObject({exit: 3, stdout: ''})
    expect(await cli('push audit --profiles live,', {home})).toMatchObject({exit: 2, stdout: ''})
    expect(await cli('push audit --profiles live -p test', {home})).toMatchObject({exit: 2, stdout: ''})
  })
})

describe('--files', () => {
  const folder = freshHome()
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
  put('AuthKey_KEY7654321.p8', workshop.key('apns', 'P-256'))
  put('AuthKey_OTHER12345.p8', 'no key')
  put(
    'shop.p12',
    workshop.p12({
      certificates: [workshop.certificate({uid: 'com.example.shop', to: '2026-12-20T08:00:00Z'})],
      password: 'correct horse',
    }),
  )
  put('notes.txt', 'not looked at')

  async function audited(ids: string[], password: string) {
    const {env} = await service()
    const words = ['push', 'audit', '--applications-from', '-', '--files', folder, '-o', 'json']
    const ran = await cli(words, {env: {...env, ROOMCTL_P12_PASSWORD: password}, stdin: ids.join('\n')})
    return {...ran, rows: JSON.parse(ran.stdout)}
  }

  test('names the file of a registered credential, and takes an end from it that the service does not show', async () => {
    const {rows} = await audited(['key', 'due'], 'correct horse')
    expect(rows[0]).toEqual(row('key', 'ios', {...iosKey, file: join(folder, 'AuthKey_KEY7654321.p8')}))
    expect(rows[2]).toMatchObject({application_id: 'due', file: join(folder, 'shop.p12'), expires: '2026-12-20'})
    const undated = await audited(['undated'], 'correct horse')
    expect(undated.rows[0]).toMatchObject({expires: '2026-12-20', days_left: 19, state: 'due'})
  })

  test('lists the files of no application last, with their ends; one that cannot be read is unreadable', async () => {
    const {rows, exit} = await audited(['key'], 'correct horse')
    expect(exit).toBe(15)
    expect(rows.slice(2)).toEqual([
      row(null, 'ios', {
        kind: 'key',
        key_id: 'OTHER12345',
        file: join(folder, 'AuthKey_OTHER12345.p8'),
        state: 'unreadable',
        reason: 'it is text, but not a key: a .p8 begins with -----BEGIN PRIVATE KEY-----',
      }),
      row(null, 'ios', {...cert, expires: '2026-12-20', days_left: 19, file: join(folder, 'shop.p12'), state: 'due'}),
    ])
    const locked = await audited(['key'], 'no-s3cret')
    expect(locked.rows.at(-1)).toMatchObject({state: 'unreadable', reason: 'wrong password, or the file is damaged'})
    expect(locked.stdout + locked.stderr).not.toContain('no-s3cret')
  })

  test('always shows the file of each row, however narrow the terminal', async () => {
    const {env} = await service()
    for (const columns of [undefined, 40, 60, 80]) {
      const ran = await cli(['push', 'audit', '--application-id', 'key', '--files', folder], {
        env: {...env, NO_COLOR: '1'},
        ...(columns === undefined ? {} : {columns}),
      })
      expect(ran.stdout.match(/\.p(?:8|12)\b/gu)?.length).toBeGreaterThanOrEqual(3)
    }
  })

  test('counts the days of a certificate as push inspect does', async () => {
    const env = {ROOMCTL_P12_PASSWORD: 'correct horse'}
    const inspected = await cli(['push', 'inspect', join(folder, 'shop.p12'), '-o', 'json'], {env})
    const {rows} = await audited(['key'], 'correct horse')
    expect([JSON.parse(inspected.stdout).days_left, rows.at(-1).days_left]).toEqual([19, 19])
  })

  test('that is no folder ends with 14, and nothing is asked', async () => {
    const {env, arrived} = await service()
    expect(await cli('push audit --application-id key --files /nowhere', {env})).toMatchObject({exit: 14, stdout: ''})
    expect(arrived).toEqual([])
  })
})

describe('--ics', () => {
  const file = join(freshHome(), 'push.ics')
  const write = (ids: string[], of = shown) => audit(ids, ['--ics', file], of)
  const events = () => readFileSync(file, 'utf8').split('BEGIN:VEVENT').slice(1)

  test('has an all-day event for each end with an alarm 30 days before, and one for now where that is past', async () => {
    const ran = await write(['key', 'later', 'due', 'both'])
    expect(ran.stderr).toContain(`2 events in ${file}\n`)
    const text = readFileSync(file, 'utf8')
    expect(text.replaceAll(/\r\n/gu, '')).not.toMatch(/[\r\n]/u)
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:[^\r]+\r\n/u)
    expect(text).toMatch(/END:VCALENDAR\r\n$/u)
    const [later = '', due = ''] = events()
    expect(later).toContain('DTSTART;VALUE=DATE:20270601\r\nDTEND;VALUE=DATE:20270602\r\n')
    expect(later).toContain('DTSTAMP:20261201T120000Z\r\n')
    expect(later).toContain('SUMMARY:iOS push certificate of later expires\r\n')
    const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:iOS push certificate of '
    expect(later.split('BEGIN:VALARM')).toHaveLength(2)
    expect(later).toContain(`${alarm}later expires\r\nTRIGGER:-P30D\r\nEND:VALARM\r\n`)
    expect(due).toContain(`${alarm}due expires\r\nTRIGGER:-P30D\r\nEND:VALARM\r\n`)
    expect(due).toContain(`${alarm}due expires\r\nTRIGGER;VALUE=DATE-TIME:20261201T120000Z\r\nEND:VALARM\r\n`)
  })

  test('keeps the UID of the same end, and gives another end another one', async () => {
    const uid = () => /^UID:(\S+)/mu.exec(readFileSync(file, 'utf8'))?.[1]
    await write(['due'])
    const first = uid()
    expect(first).toMatch(/^[\da-f]{32}@roomctl$/u)
    await write(['due', 'later'])
    expect(uid()).toBe(first)
    await write(['due'], {due: certificate('2027-12-20')})
    expect(uid()).not.toBe(first)
  })
})
