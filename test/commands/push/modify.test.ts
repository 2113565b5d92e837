import {describe, expect, test} from 'vitest'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {live} from '../live.js'
import {env, hello, journalOf, scheduled, sent} from './requests.js'
import {pushWire} from './wire.js'

const tomorrow = ['--at', '2026-12-02T09:00+09:00']
const line = ['push', 'modify', scheduled, ...hello, '--to', 'ANDROID']

describe('the request on the wire', () => {
  test('replaces the whole notification, and names it in the query', async () => {
    const wire = await pushWire(() => ({status: 204}))
    const words = ['push', 'modify', 'r 1/ü', ...hello, ...tomorrow, '--to', 'ALL']
    const ran = await cli(words, {env: {...env, ...wire.env}})
    expect(ran.exit).toBe(0)
    expect(wire.arrived).toHaveLength(1)
    expect(wire.arrived[0]).toMatchObject({
      method: 'PUT',
      path: '/push/v1/notifications?application_id=app-1&request_uuid=r%201%2F%C3%BC',
      body: '{"title":"Hello","body":"We begin","dispatch_type":"SCHEDULED","destination":["ALL"],"dispatch_date":"20261202T000000"}',
    })
  })

  test('takes a name into the path where the route says so, which then leaves the query', async () => {
    const wire = await pushWire(() => ({status: 200, body: {}}))
    const route = 'push.modify=PATCH /v2/requests/{request_uuid}'
    await cli([...line, ...tomorrow, '--route', route], {env: {...env, ...wire.env}})
    expect(wire.arrived[0]).toMatchObject({
      method: 'PATCH',
      path: `/push/v2/requests/${scheduled}?application_id=app-1`,
    })
  })

  test('writes the time as the setting says', async () => {
    const ran = await cli([...line, ...tomorrow], {env: {...env, ROOMCTL_PUSH_DISPATCH_DATE_FORMAT: 'extended'}})
    expect(ran.sent[0]?.body).toMatchObject({dispatch_date: '2026-12-02T00:00:00'})
  })

  test('whose answer was lost is not sent again, and may be by hand', async () => {
    const wire = await pushWire(() => false)
    const home = freshHome()
    const ran = await cli([...line, ...tomorrow, '-o', 'json'], {env: {...env, ...wire.env}, home})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(wire.arrived).toHaveLength(1)
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      outcome: 'unknown',
      try: expect.stringMatching(/^run the same command again/),
    })
    expect(journalOf(home)).toMatchObject([{operation: 'push.modify', outcome: 'unknown'}])
  })
})

test('is not sent without its devices, which would be others than before', async () => {
  const ran = await cli(['push', 'modify', scheduled, ...hello, ...tomorrow], {env})
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  expect(ran.stderr).toContain('no devices given; nothing was sent')
  expect(ran.stderr).toContain('try: add --to ALL or --to ANDROID')
})

describe('a request that is not yet sent', () => {
  test('is replaced in the sandbox, and said so', async () => {
    const store = await demoStore()
    const home = freshHome()
    const ran = await cli([...line, ...tomorrow], {env, store, home})
    expect(ran).toMatchObject({exit: 0, asked: []})
    expect(ran.stdout).toBe(
      `modified request ${scheduled} of application app-1: to ANDROID at 2026-12-02T09:00:00+09:00 = 2026-12-02T00:00:00Z (in 12h)\n`,
    )
    const requests = await store.read(({push}) => push.requests)
    expect(requests.find((one) => one.request_uuid === scheduled)).toMatchObject({
      title: 'Hello',
      body: 'We begin',
      dispatch_at: '2026-12-02T00:00:00Z',
      status: 'SCHEDULED',
    })
    expect(journalOf(home)).toMatchObject([
      {
        operation: 'push.modify',
        targets: {request_uuid: scheduled, application_id: 'app-1', dispatch_date: '20261202T000000'},
        outcome: 'done',
      },
    ])
    expect(JSON.stringify(journalOf(home))).not.toMatch(/Hello|We begin/)
  })

  test('is one object for programs', async () => {
    const ran = await cli([...line, ...tomorrow, '-o', 'json'], {env})
    expect(JSON.parse(ran.stdout)).toEqual({
      request_uuid: scheduled,
      application_id: 'app-1',
      dispatch_type: 'SCHEDULED',
      destination: ['ANDROID'],
      dispatch_date: '20261202T000000',
      dispatch_at: '2026-12-02T00:00:00Z',
      dispatch_local: '2026-12-02T09:00:00+09:00',
    })
    expect((await cli([...line, ...tomorrow, '-q'], {env})).stdout).toBe(`${scheduled}\n`)
  })

  test('is not sent at once because nobody said when', async () => {
    const ran = await cli(line, {env})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toBe(
      'error: no time given; nothing was sent\n' +
        '  why: the new request replaces the time of the old one; without one it would be sent to all users at once\n' +
        '  try: add --at TIME, or --dispatch IMMEDIATE to send it at once\n',
    )
    const meant = await cli([...line, '--dispatch', 'immediate'], {env})
    expect(meant).toMatchObject({
      exit: 0,
      stderr: '',
      stdout: `modified request ${scheduled} of application app-1: to ANDROID at once\n`,
    })
    expect(meant.sent[0]?.body).toEqual({
      title: 'Hello',
      body: 'We begin',
      dispatch_type: 'IMMEDIATE',
      destination: ['ANDROID'],
    })
  })

  test('needs its title and its text: the document requires both', async () => {
    for (const words of [
      ['push', 'modify', scheduled, '--title', 'x', '--to', 'ANDROID', ...tomorrow],
      ['push', 'modify', scheduled, '--body', 'x', '--to', 'ANDROID', ...tomorrow],
    ]) {
      expect(await cli(words, {env})).toMatchObject({exit: 2, stdout: '', sent: []})
    }
  })

  test('asks on a protected profile only, for its name', async () => {
    const service = await live({protected: true, applicationId: 'app-1'})
    const refused = await service.cli([...line, ...tomorrow])
    expect(refused).toMatchObject({exit: 13, stdout: ''})
    expect(refused.stderr).toContain('try: add --confirm live: the profile is protected')
    expect(service.arrived).toEqual([])
  })
})

describe('a refusal', () => {
  test('403 says that it has probably been sent already', async () => {
    const known = await cli(['push', 'modify', sent, ...hello, '--to', 'ANDROID', ...tomorrow], {env})
    expect(known).toMatchObject({exit: 5, stdout: ''})
    expect(known.stderr).toContain(`error: cannot modify notification ${sent}: `)
    const wire = await pushWire(() => ({status: 403}))
    const ran = await cli([...line, ...tomorrow], {env: {...env, ...wire.env}})
    expect(ran).toMatchObject({exit: 5, stdout: ''})
    expect(ran.stderr).toContain('it has probably been sent already')
    expect(ran.stderr).toContain('push, Rules 2')
  })

  test('of a value, and of a request that is not there, is 8', async () => {
    expect(await cli(['push', 'modify', 'nope', ...hello, '--to', 'ANDROID', ...tomorrow], {env})).toMatchObject({
      exit: 8,
      stdout: '',
    })
    const other = await cli([...line, ...tomorrow, '--application-id', 'app-2'], {env})
    expect(other).toMatchObject({exit: 8, stdout: ''})
  })

  test('404 names the setting of the route', async () => {
    const wire = await pushWire(() => ({status: 404}))
    const ran = await cli([...line, ...tomorrow], {env: {...env, ...wire.env}})
    expect(ran).toMatchObject({exit: 6, stdout: ''})
    expect(ran.stderr).toContain("roomctl config route set push.modify 'PUT /v1/notifications'")
    expect(wire.arrived).toHaveLength(1)
  })
})

test('a dry run shows the request, and sends nothing', async () => {
  const ran = await cli([...line, ...tomorrow, '--dry-run', '-o', 'json'], {env})
  expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
  expect(JSON.parse(ran.stdout)).toMatchObject([
    {
      operation: 'push.modify',
      method: 'PUT',
      url: `http://sandbox.localhost/push/v1/notifications?application_id=app-1&request_uuid=${scheduled}`,
      body: {dispatch_type: 'SCHEDULED', dispatch_date: '20261202T000000'},
      note: 'to be sent at 2026-12-02T09:00:00+09:00 = 2026-12-02T00:00:00Z (in 12h)',
    },
  ])
})

test('a uuid that is empty, or missing without a terminal, is a usage error', async () => {
  const empty = await cli(['push', 'modify', '', ...hello, '--to', 'ANDROID', ...tomorrow], {env})
  expect(empty).toMatchObject({exit: 2, sent: []})
  expect(empty.stderr).toContain('error: UUID is empty\n')
  for (const circumstances of [{env}, {env, stdin: `${scheduled}\n`}]) {
    const ran = await cli(['push', 'modify', ...hello, '--to', 'ANDROID', ...tomorrow], circumstances)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: [], asked: []})
    expect(ran.stderr).toContain('error: UUID is missing\n')
  }
  const machine = await cli(['push', 'modify', ...hello, '--to', 'ANDROID', ...tomorrow, '-o', 'json'], {
    ...terminal(80),
    env,
  })
  expect(machine).toMatchObject({exit: 2, asked: []})
})
