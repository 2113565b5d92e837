import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {always, reply} from '../answers.js'
import {env, hello, scheduled} from './requests.js'

const broadcast = ['push', 'broadcast', ...hello, '--confirm', 'app-1']
const modify = ['push', 'modify', scheduled, ...hello]
const at = ['--at', '2026-12-02T09:00:00+09:00']

const notSupported =
  'why: the document says: "Recurring dispatch and iOS sending are documented as not supported at present"\n'

/** Values that the document rules out: the flags, the message, and the body with --allow-unsupported. */
const ruledOut: readonly (readonly [string, readonly string[], readonly string[], object])[] = [
  [
    'IMMEDIATE with a time',
    ['--dispatch', 'IMMEDIATE', ...at],
    ['error: IMMEDIATE takes no time; nothing was sent\n', 'try: use only one of --dispatch and --at\n'],
    {dispatch_type: 'IMMEDIATE', destination: ['ANDROID'], dispatch_date: '20261202T000000'},
  ],
  [
    'SCHEDULED without one',
    ['--dispatch', 'scheduled'],
    ['error: SCHEDULED needs a time; nothing was sent\n', 'try: add --at TIME\n'],
    {dispatch_type: 'SCHEDULED', destination: ['ANDROID']},
  ],
  [
    'RECURRING',
    ['--dispatch', 'RECURRING'],
    ['error: RECURRING is not supported; nothing was sent\n', notSupported, 'try: --allow-unsupported sends it'],
    {dispatch_type: 'RECURRING', destination: ['ANDROID']},
  ],
  [
    'RECURRING with a time',
    ['--dispatch', 'Recurring', ...at],
    ['error: RECURRING is not supported; nothing was sent\n', notSupported],
    {dispatch_type: 'RECURRING', destination: ['ANDROID'], dispatch_date: '20261202T000000'},
  ],
  [
    'IOS',
    ['--to', 'IOS', ...at],
    ['error: sending to IOS is not supported; nothing was sent\n', notSupported, 'try: --allow-unsupported sends it'],
    {dispatch_type: 'SCHEDULED', destination: ['IOS'], dispatch_date: '20261202T000000'},
  ],
  [
    'IOS beside ANDROID',
    ['--to', 'android', '--to', 'ios', '--dispatch', 'IMMEDIATE'],
    ['error: sending to IOS is not supported; nothing was sent\n', notSupported],
    {dispatch_type: 'IMMEDIATE', destination: ['ANDROID', 'IOS']},
  ],
]

describe.each([
  ['push broadcast', broadcast],
  ['push modify', modify],
])('%s', (_, begin) => {
  /** A line that takes the place of another has to name its devices. */
  const line = (...flags: readonly string[]) =>
    flags.includes('--to') ? [...begin, ...flags] : [...begin, '--to', 'ANDROID', ...flags]

  test.each(ruledOut)('%s is sent with --allow-unsupported alone', async (__, flags, said, body) => {
    for (const more of [[], ['--dry-run']]) {
      const ran = await cli(line(...flags, ...more), {env})
      expect(ran).toMatchObject({exit: 2, stdout: '', asked: [], sent: []})
      for (const text of said) expect(ran.stderr).toContain(text)
    }
    const ran = await cli(line(...flags, '--allow-unsupported'), {
      env,
      transport: always(() => reply('', {status: 204})),
    })
    expect(ran).toMatchObject({exit: 0, sent: [{body: {title: 'Hello', body: 'We begin', ...body}}]})
  })

  test('ALL is sent, with a note on its meaning', async () => {
    const ran = await cli(line('--to', 'ALL', ...at), {env})
    expect(ran.exit).toBe(0)
    expect(ran.sent[0]?.body).toMatchObject({destination: ['ALL']})
    expect(ran.stderr).toContain(
      'note: ALL includes iOS devices, which get nothing at present; an older service may refuse ALL\n',
    )
  })

  test('people see the time once, local and UTC; programs do not', async () => {
    const ran = await cli(line(...at), {env})
    const words = 'at 2026-12-02T09:00:00+09:00 = 2026-12-02T00:00:00Z (in 12h)'
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toContain(words)
    expect(await cli(line(...at, '-o', 'json'), {env})).toMatchObject({exit: 0, stderr: ''})
  })

  test.each([
    ['a past time', ['--at', '2026-12-01T11:59:59Z'], 'is past'],
    ['one a moment ahead', ['--at', '+59s'], 'is less than a minute ahead'],
    ['one without a zone', ['--at', '2026-12-02T09:00'], 'has no time zone'],
  ])('%s is refused, --allow-unsupported or not, and nothing is sent', async (_, flags, why) => {
    for (const more of [[], ['--allow-unsupported']]) {
      const ran = await cli(line(...flags, ...more), {env})
      expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
      expect(ran.stderr).toMatch(new RegExp(`^error: --at: .*${why}`))
    }
  })

  test('a time years ahead is sent with a warning', async () => {
    const far = ['--at', '2028-12-01T12:00:00Z']
    const ran = await cli(line(...far), {env})
    expect(ran).toMatchObject({exit: 0, stderr: expect.stringContaining('is more than a year ahead; check the year')})
    expect(ran.sent[0]?.body).toMatchObject({dispatch_date: '20281201T120000'})
  })

  test.each([
    ['devices that there are not', ['--to', 'WINDOWS'], 'error: --to takes ANDROID, IOS or ALL'],
    ['a type that there is not', ['--dispatch', 'SCHEDULE'], 'try: use --dispatch scheduled\n'],
  ])('%s is a usage error', async (_, flags, said) => {
    const ran = await cli(line(...at, ...flags), {env})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(said)
  })
})

test('a local time is read in the zone of --tz, or of the setting', async () => {
  for (const [tz, date] of [
    ['Asia/Seoul', '20261202T000000'],
    ['America/New_York', '20261202T140000'],
    ['Pacific/Chatham', '20261201T191500'],
  ] as const) {
    const ran = await cli([...broadcast, '--at', '2026-12-02T09:00', '--tz', tz], {env})
    expect({tz, body: ran.sent[0]?.body}).toMatchObject({tz, body: {dispatch_date: date}})
    const setting = await cli([...broadcast, '--at', '2026-12-02T09:00'], {env: {...env, ROOMCTL_TZ: tz}})
    expect({tz, body: setting.sent[0]?.body}).toMatchObject({tz, body: {dispatch_date: date}})
  }
})
