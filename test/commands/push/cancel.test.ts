import {describe, expect, test} from 'vitest'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {terminal} from '../answers.js'
import {live} from '../live.js'
import {env, hello, journalOf, scheduled, sent} from './requests.js'
import {pushWire} from './wire.js'

const line = ['push', 'cancel', scheduled]

describe('one request', () => {
  test('is a list of one on the wire, with its application in the query', async () => {
    const wire = await pushWire(() => ({status: 204}))
    const ran = await cli(['push', 'cancel', 'r 1/ü', '--yes'], {env: {...env, ...wire.env}})
    expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'cancelled notification r 1/ü of application app-1\n'})
    expect(wire.arrived).toHaveLength(1)
    expect(wire.arrived[0]).toMatchObject({
      method: 'POST',
      path: '/push/v1/notifications/cancel?application_id=app-1',
      headers: {authorization: 'Bearer token-of-the-test-9c1f', 'content-type': 'application/json'},
      body: '{"request_uuids":["r 1/ü"]}',
    })
  })

  test('goes where the environment says', async () => {
    const wire = await pushWire(() => ({status: 200, body: {}}))
    const route = {ROOMCTL_ROUTE_PUSH_CANCEL: 'DELETE /v2/requests'}
    await cli([...line, '--yes'], {env: {...env, ...wire.env, ...route}})
    expect(wire.arrived[0]).toMatchObject({
      method: 'DELETE',
      path: '/push/v2/requests?application_id=app-1',
      body: `{"request_uuids":["${scheduled}"]}`,
    })
  })

  test('is cancelled in the sandbox, and is one line of the journal', async () => {
    const store = await demoStore()
    const home = freshHome()
    expect((await cli([...line, '--yes'], {env, store, home})).exit).toBe(0)
    const requests = await store.read(({push}) => push.requests)
    expect(requests.find((one) => one.request_uuid === scheduled)?.status).toBe('CANCELLED')
    expect(journalOf(home)).toMatchObject([
      {
        operation: 'push.cancel',
        targets: {application_id: 'app-1', request_uuids: [scheduled]},
        outcome: 'done',
      },
    ])
  })

  test('is a list of one for programs, and its uuid with -q', async () => {
    const ran = await cli([...line, '--yes', '-o', 'json'], {env})
    expect(JSON.parse(ran.stdout)).toEqual([{request_uuid: scheduled, outcome: 'done'}])
    expect((await cli([...line, '--yes', '-q'], {env})).stdout).toBe(`${scheduled}\n`)
  })

  test('that was sent already ends with 5, and says so', async () => {
    const wire = await pushWire(() => ({status: 403}))
    for (const circumstances of [{env}, {env: {...env, ...wire.env}}]) {
      const ran = await cli(['push', 'cancel', sent, '--yes'], circumstances)
      expect(ran).toMatchObject({exit: 5, stdout: ''})
      expect(ran.stderr).toContain(`error: cannot cancel notification ${sent}: `)
      expect(ran.stderr).toMatch(/sent already/)
    }
    const machine = await cli(['push', 'cancel', sent, '--yes', '-o', 'json'], {env})
    expect(machine).toMatchObject({exit: 5, stdout: ''})
    expect(JSON.parse(machine.stderr).error).toMatchObject({http_status: 403, exit_code: 5, outcome: 'none'})
  })

  test('that is not there is 8, and one at a wrong path 6', async () => {
    expect(await cli(['push', 'cancel', 'nope', '--yes'], {env})).toMatchObject({exit: 8, stdout: ''})
    const astray = await pushWire(() => ({status: 405}))
    const ran = await cli([...line, '--yes'], {env: {...env, ...astray.env}})
    expect(ran).toMatchObject({exit: 6, stdout: ''})
    expect(ran.stderr).toContain("roomctl config route set push.cancel 'POST /v1/notifications/cancel'")
    expect(astray.arrived).toHaveLength(1)
  })

  test('whose answer was lost is not sent again, and its outcome is unknown', async () => {
    const wire = await pushWire(() => false)
    const ran = await cli([...line, '--yes', '-o', 'json'], {env: {...env, ...wire.env}})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(wire.arrived).toHaveLength(1)
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      outcome: 'unknown',
      try: expect.stringMatching(/^run the same command again: /),
    })
  })
})

describe('the question about one', () => {
  test('is a yes or no, which --yes answers', async () => {
    const ran = await cli(line, {...terminal(120, true), env})
    expect(ran.asked).toEqual([`Cancel notification ${scheduled} of application app-1 on sandbox (built in)?`])
    expect(ran).toMatchObject({exit: 0})
    expect(await cli(line, {...terminal(120, false), env})).toMatchObject({exit: 13, stdout: '', sent: []})
    const script = await cli(line, {env})
    expect(script).toMatchObject({exit: 13, stdout: '', asked: [], sent: []})
    expect(script.stderr).toContain('try: add --yes\n')
  })

  test('shows what this machine set of it', async () => {
    const home = freshHome()
    const store = await demoStore()
    const schedule = ['push', 'broadcast', ...hello, '--at', '+24h', '--confirm', 'app-1', '-q']
    const uuid = (await cli(schedule, {env, store, home})).stdout.trim()
    const ran = await cli(['push', 'cancel', uuid, '--tz', 'Asia/Seoul'], {...terminal(120, true), env, store, home})
    expect(ran.asked).toEqual([
      `Cancel notification ${uuid} of application app-1 (as last set from this machine: 2026-12-02 21:00:00 +09:00 (in 1d) to ANDROID) on sandbox (built in)?`,
    ])
  })

  test('asks for the name of a protected profile, which --yes does not answer', async () => {
    const service = await live({protected: true, applicationId: 'app-1'})
    expect(await service.cli([...line, '--yes'])).toMatchObject({exit: 13, stdout: ''})
    expect(service.arrived).toEqual([])
  })

  test('is not asked on a read-only profile, which sends nothing', async () => {
    const service = await live({readOnly: true, applicationId: 'app-1'})
    const ran = await service.cli([...line, '--yes'])
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.stderr).toContain('error: profile live is read-only; nothing was sent\n')
  })
})

describe('a dry run', () => {
  test('shows one request for each, and sends nothing', async () => {
    const ran = await cli([...line, sent, '--dry-run', '-o', 'json'], {env})
    expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
    const plan = (uuid: string) => ({
      operation: 'push.cancel',
      method: 'POST',
      url: 'http://sandbox.localhost/push/v1/notifications/cancel?application_id=app-1',
      body: {request_uuids: [uuid]},
    })
    expect(JSON.parse(ran.stdout)).toMatchObject([plan(scheduled), plan(sent)])
  })
})

test('a uuid that is empty, or missing without a terminal, is a usage error', async () => {
  const empty = await cli(['push', 'cancel', '', '--yes'], {env})
  expect(empty).toMatchObject({exit: 2, sent: []})
  expect(empty.stderr).toContain('error: UUID is empty\n')
  for (const circumstances of [{env}, {env, stdin: `${scheduled}\n`}]) {
    const ran = await cli(['push', 'cancel', '--yes'], circumstances)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: [], asked: []})
    expect(ran.stderr).toContain('error: UUID is missing\n')
  }
})

test('an application must be named', async () => {
  expect(await cli([...line, '--yes'])).toMatchObject({exit: 3, stdout: '', sent: []})
})
