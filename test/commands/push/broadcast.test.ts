import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {env, hello, journalOf} from './requests.js'
import {pushWire} from './wire.js'

const confirmed = ['push', 'broadcast', ...hello, '--confirm', 'app-1']
const uuid = 'c2d29867-3d0b-4497-9191-18a9d8ee7830'
const uuidForm = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

test.each([
  ['basic', {}, '20261202T000000'],
  ['extended', {ROOMCTL_PUSH_DISPATCH_DATE_FORMAT: 'extended'}, '2026-12-02T00:00:00'],
])('the request on the wire of a scheduled one has its date in UTC, %s', async (_, format, date) => {
  const wire = await pushWire(() => ({status: 204}))
  const at = ['--at', '2026-12-02T09:00:00+09:00', '--to', 'ANDROID', '--to', 'all', '--to', 'ANDROID']
  const ran = await cli([...confirmed, ...at], {env: {...wire.env, ...env, ...wire.env, ...format}})
  expect(ran.exit).toBe(0)
  expect(wire.arrived[0]?.body).toBe(
    `{"title":"Hello","body":"We begin","dispatch_type":"SCHEDULED","destination":["ANDROID","ALL"],"dispatch_date":"${date}"}`,
  )
})

describe('the uuid of the request', () => {
  test.each([
    ['request_uuid', {request_uuid: uuid}],
    ['requestUuid in data', {data: {requestUuid: uuid, count: 3}}],
    ['the only text that is one', {accepted: 'yes', ref: uuid}],
    ['the text alone', uuid],
  ])('is found as %s, shown, and kept in the journal', async (_, body) => {
    const wire = await pushWire(() => ({status: 200, body}))
    const home = freshHome()
    const ran = await cli(confirmed, {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-1'}, home})
    expect(ran).toMatchObject({
      exit: 0,
      stdout: `requested a push to all users of application app-1, to ANDROID at once: request ${uuid}\n`,
      stderr: '',
    })
    expect(journalOf(home)).toMatchObject([
      {
        operation: 'push.broadcast',
        outcome: 'done',
        targets: {request_uuid: uuid, application_id: 'app-1', dispatch_type: 'IMMEDIATE', destination: ['ANDROID']},
      },
    ])
    expect(JSON.stringify(journalOf(home))).not.toMatch(/Hello|We begin/)
  })

  test.each([
    ['204', {status: 204}],
    ['an empty object', {status: 200, body: {}}],
    ['one that steers a terminal', {status: 200, body: {request_uuid: 'x\u001b[2J'}}],
    ['two of them', {status: 200, body: {a: uuid, b: uuid.replace('c2', 'c3')}}],
  ])('reports an answer that did not arrive: %s', async (_, answer) => {
    const wire = await pushWire(() => answer)
    const environment = {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-1'}}
    const ran = await cli(confirmed, environment)
    expect(ran).toMatchObject({
      exit: 0,
      stdout: 'requested a push to all users of application app-1, to ANDROID at once\n',
      stderr: 'note: the service returned no request uuid, so this push cannot be modified or cancelled\n',
    })
    expect((await cli([...confirmed, '-q'], environment)).stdout).toBe('')
    expect(JSON.parse((await cli([...confirmed, '-o', 'json'], environment)).stdout).request_uuid).toBeNull()
  })
})

test('the question shows content, devices and time, and takes the id of the application', async () => {
  const line = ['push', 'broadcast', '--title', 'Hello\u001b[2J', '--body', '안녕', '--at', '2026-12-02T09:00+09:00']
  const ran = await cli(line, {...terminal(120, 'app-1'), env})
  expect(ran).toMatchObject({
    exit: 0,
    asked: ['Send a push to all users of application app-1 on sandbox (built in)?\nType "app-1" to confirm:'],
  })
  expect(ran.stderr).toBe(
    '  title  Hello\\u{1b}[2J\n' +
      '  body   안녕\n' +
      '  to     ANDROID\n' +
      '  when   at 2026-12-02 09:00:00 +09:00 = 2026-12-02 00:00:00Z (in 12h)\n',
  )
  expect(ran.sent).toHaveLength(1)
})

test('a dry run shows the request and the time, and sends nothing', async () => {
  const home = freshHome()
  const ran = await cli(['push', 'broadcast', ...hello, '--to', 'ALL', '--at', '+2h', '--dry-run', '--tz', 'utc'], {
    env,
    home,
  })
  expect(ran).toMatchObject({exit: 0, stderr: '', sent: [], asked: []})
  expect(ran.stdout.split('\n')).toEqual([
    'would send: POST http://sandbox.localhost/push/v1/notifications?application_id=app-1',
    '  {"title":"Hello","body":"We begin","dispatch_type":"SCHEDULED","destination":["ALL"],"dispatch_date":"20261201T140000"}',
    expect.stringMatching(
      /^to be sent at (?:2026-12-01T.* = )?2026-12-01T14:00:00Z \(in 2h\); ALL includes iOS devices/,
    ),
    '',
  ])
  expect(existsSync(join(home, '.local/state'))).toBe(false)
})

test('the result for programs names the request, its type, and the time in every form', async () => {
  const ran = await cli([...confirmed, '--at', '2026-12-02T09:00', '--tz', 'Asia/Seoul', '-o', 'json'], {env})
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(JSON.parse(ran.stdout)).toEqual({
    request_uuid: expect.stringMatching(uuidForm),
    application_id: 'app-1',
    dispatch_type: 'SCHEDULED',
    destination: ['ANDROID'],
    dispatch_date: '20261202T000000',
    dispatch_at: '2026-12-02T00:00:00Z',
    dispatch_local: '2026-12-02T09:00:00+09:00',
  })
})
