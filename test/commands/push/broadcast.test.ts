import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {live} from '../live.js'
import {env, hello, journalOf} from './requests.js'
import {pushWire} from './wire.js'

const confirmed = ['push', 'broadcast', ...hello, '--confirm', 'app-1']
const uuid = 'c2d29867-3d0b-4497-9191-18a9d8ee7830'
const uuidForm = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

describe('the request on the wire', () => {
  test('of a push at once is as the document has it, byte for byte', async () => {
    const wire = await pushWire(() => ({status: 200, body: {request_uuid: uuid}}))
    const words = ['push', 'broadcast', '--title', '점검 "안내"', '--body', 'At noon\n— here']
    const ran = await cli([...words, '--application-id', 'app 1/ü&=', '--confirm', 'app 1/ü&='], wire)
    expect(ran).toMatchObject({exit: 0, stderr: '', asked: []})
    expect(wire.arrived).toHaveLength(1)
    expect(wire.arrived[0]).toMatchObject({
      method: 'POST',
      path: '/push/v1/notifications?application_id=app%201%2F%C3%BC%26%3D',
      headers: {authorization: 'Bearer token-of-the-test-9c1f', 'content-type': 'application/json'},
      body: '{"title":"점검 \\"안내\\"","body":"At noon\\n— here","dispatch_type":"IMMEDIATE","destination":["ANDROID"]}',
    })
  })

  test.each([
    ['basic', {}, '20261202T000000'],
    ['extended', {ROOMCTL_PUSH_DISPATCH_DATE_FORMAT: 'extended'}, '2026-12-02T00:00:00'],
  ])('of a scheduled one has its date in UTC, %s', async (_, format, date) => {
    const wire = await pushWire(() => ({status: 204}))
    const at = ['--at', '2026-12-02T09:00:00+09:00', '--to', 'ANDROID', '--to', 'all', '--to', 'ANDROID']
    const ran = await cli([...confirmed, ...at], {env: {...wire.env, ...env, ...wire.env, ...format}})
    expect(ran.exit).toBe(0)
    expect(wire.arrived[0]?.body).toBe(
      `{"title":"Hello","body":"We begin","dispatch_type":"SCHEDULED","destination":["ANDROID","ALL"],"dispatch_date":"${date}"}`,
    )
  })

  test('goes where the route says', async () => {
    const wire = await pushWire(() => ({status: 200}))
    const route = 'push.broadcast=PUT /apps/{application_id}/all'
    await cli([...confirmed, '--route', route], {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-1'}})
    expect(wire.arrived[0]).toMatchObject({
      method: 'PUT',
      path: '/push/apps/app-1/all',
      body: '{"title":"Hello","body":"We begin","dispatch_type":"IMMEDIATE","destination":["ANDROID"]}',
    })
  })

  test.each([
    ['a connection that broke off', false as const, 10],
    ['a server error', {status: 500}, 9],
    ['a gateway that gave up', {status: 504}, 9],
  ])('is not sent a second time after %s: nobody knows what became of it', async (_, answer, exit) => {
    const wire = await pushWire(() => answer)
    const home = freshHome()
    const ran = await cli([...confirmed, '-o', 'json'], {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-1'}, home})
    expect(ran).toMatchObject({exit, stdout: ''})
    expect(wire.arrived).toHaveLength(1)
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      outcome: 'unknown',
      retryable: false,
      exit_code: exit,
      try: expect.stringContaining('before you send it again: roomctl push records'),
    })
    expect(journalOf(home)).toMatchObject([{operation: 'push.broadcast', outcome: 'unknown'}])
  })

  test('is sent again where it certainly was not taken', async () => {
    const wire = await pushWire((_, nth) =>
      nth === 1 ? {status: 503, headers: {'retry-after': '1'}} : {status: 200, body: {request_uuid: uuid}},
    )
    const ran = await cli([...confirmed, '-q'], {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-1'}})
    expect(ran).toMatchObject({exit: 0, stdout: `${uuid}\n`})
    expect(wire.arrived).toHaveLength(2)
  })

  test('is refused as the statuses of the document say', async () => {
    for (const [status, exit] of [
      [400, 8],
      [422, 8],
      [404, 6],
    ] as const) {
      const wire = await pushWire(() => ({status}))
      const ran = await cli(confirmed, {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-1'}})
      expect(ran).toMatchObject({exit, stdout: ''})
      expect(ran.stderr).toMatch(/^error: cannot send a push to all users of application app-1: /)
    }
  })
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
    ['two of them', {status: 200, body: {a: uuid, b: uuid.replace('c2', 'c3')}}],
  ])('that did not come is said: %s', async (_, answer) => {
    const wire = await pushWire(() => answer)
    const environment = {env: {...wire.env, ROOMCTL_APPLICATION_ID: 'app-1'}}
    const ran = await cli(confirmed, environment)
    expect(ran).toMatchObject({
      exit: 0,
      stdout: 'requested a push to all users of application app-1, to ANDROID at once\n',
      stderr: 'note: the service returned no request uuid, so push modify and push cancel cannot offer this request\n',
    })
    expect((await cli([...confirmed, '-q'], environment)).stdout).toBe('')
    expect(JSON.parse((await cli([...confirmed, '-o', 'json'], environment)).stdout).request_uuid).toBeNull()
  })

  test('comes from the sandbox too', async () => {
    const ran = await cli([...confirmed, '-q'], {env})
    expect(ran.stdout.trim()).toMatch(uuidForm)
  })
})

describe('the question', () => {
  test('shows what goes to whom and when, and takes the id of the application', async () => {
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

  test('is not answered by yes, by the count or by another application', async () => {
    for (const answer of ['yes', 'y', '1', 'app-2', '']) {
      const ran = await cli(['push', 'broadcast', ...hello], {...terminal(120, answer), env})
      expect(ran).toMatchObject({exit: 13, stdout: '', sent: []})
      expect(ran.stderr).toContain('cancelled; nothing was sent')
    }
    const yes = await cli(['push', 'broadcast', ...hello, '--yes'], {env})
    expect(yes).toMatchObject({exit: 2, stdout: '', sent: []})
  })

  test('is answered by --confirm with the id alone, and stopped by another word', async () => {
    expect(await cli(confirmed, {env})).toMatchObject({exit: 0, asked: []})
    const other = await cli([...confirmed.slice(0, -1), 'app-2'], {...terminal(120), env})
    expect(other).toMatchObject({exit: 13, asked: [], sent: []})
    expect(other.stderr).toContain('why: --confirm must be app-1 here')
  })

  test('on a protected profile takes its name, and the id of the application no more', async () => {
    const wire = await pushWire(() => ({status: 200, body: {request_uuid: uuid}}))
    const service = await live({protected: true, applicationId: 'app-1'})
    const byId = await service.cli(confirmed, {env: wire.env})
    expect(byId).toMatchObject({exit: 13, stdout: ''})
    expect(byId.stderr).toContain('why: --confirm must be live here')
    expect(wire.arrived).toEqual([])
    const byName = await service.cli([...confirmed.slice(0, -1), 'live'], {env: wire.env})
    expect(byName).toMatchObject({exit: 0, asked: []})
    const typed = await service.cli(['push', 'broadcast', ...hello], {...terminal(120, 'live'), env: wire.env})
    expect(typed).toMatchObject({exit: 0, asked: [expect.stringContaining('Profile live is protected.\nType "live"')]})
    expect(wire.arrived).toHaveLength(2)
  })

  test('is not asked on a read-only profile, which sends nothing', async () => {
    const service = await live({readOnly: true, applicationId: 'app-1'})
    const ran = await service.cli(confirmed)
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.stderr).toContain('error: profile live is read-only; nothing was sent\n')
  })

  test('that nobody can be asked sends nothing, and names the flag', async () => {
    for (const circumstances of [{env}, {env, stdin: 'app-1\n'}]) {
      const ran = await cli(['push', 'broadcast', ...hello], circumstances)
      expect(ran).toMatchObject({exit: 13, stdout: '', asked: [], sent: []})
      expect(ran.stderr).toContain('try: add --confirm app-1: the id of the application\n')
    }
    const machine = await cli(['push', 'broadcast', ...hello, '-o', 'json'], {...terminal(120), env})
    expect(machine).toMatchObject({exit: 13, stdout: '', asked: [], sent: []})
  })
})

describe('a dry run', () => {
  test('shows the request and the time, and sends nothing', async () => {
    const home = freshHome()
    const ran = await cli(['push', 'broadcast', ...hello, '--to', 'ALL', '--at', '+2h', '--dry-run', '--utc'], {
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
})

describe('the result for programs', () => {
  test('names the request, its type, and the time in every form', async () => {
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

  test('has the same members without a time', async () => {
    const query = '[dispatch_type, dispatch_date, dispatch_at, dispatch_local]'
    const {stdout} = await cli([...confirmed, '--query', query], {env})
    expect(JSON.parse(stdout)).toEqual(['IMMEDIATE', null, null, null])
  })

  test('is checked before anything is sent', async () => {
    expect(await cli([...confirmed, '--columns', 'when'], {env})).toMatchObject({exit: 2, sent: []})
  })
})

test('an application must be named, by flag, environment or profile', async () => {
  const ran = await cli(confirmed)
  expect(ran).toMatchObject({exit: 3, stdout: '', sent: []})
  expect(ran.stderr).toContain('error: no application id is set\n')
})
