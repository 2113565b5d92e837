import {describe, expect, test} from 'vitest'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {env, hello, journalOf, scheduled} from './requests.js'

const tomorrow = ['--at', '2026-12-02T09:00+09:00']
const line = ['push', 'modify', scheduled, ...hello, '--to', 'ANDROID']

test('the request on the wire writes the time as the setting says', async () => {
  const ran = await cli([...line, ...tomorrow], {env: {...env, ROOMCTL_PUSH_DISPATCH_DATE_FORMAT: 'extended'}})
  expect(ran.sent[0]?.body).toMatchObject({dispatch_date: '2026-12-02T00:00:00'})
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

  test('is not sent at once for lack of a time', async () => {
    const ran = await cli(line, {env})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toBe(
      'error: no time given; nothing was sent\n' +
        '  why: the new request replaces the time of the old one; without one it would be sent to all users at once\n' +
        '  try: add --at, or --dispatch IMMEDIATE to send it at once\n',
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
