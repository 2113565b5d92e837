import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {sandboxOf, terminal} from '../answers.js'
import {env, hello, scheduled, sent} from './requests.js'
import {pushWire} from './wire.js'

/** `uuids` of the requests that went out. */
const cancelled = (ran: {readonly sent: readonly {readonly body: unknown}[]}) => ran.sent.map(({body}) => body)
const asking = (...uuids: string[]) => uuids.map((uuid) => ({request_uuids: [uuid]}))

describe('several requests', () => {
  test('each get a request and a result of their own, in the order they were named', async () => {
    const ran = await cli(['push', 'cancel', sent, scheduled, 'nope', '--yes', '-o', 'json'], {env})
    expect(ran).toMatchObject({exit: 11, stderr: ''})
    expect(cancelled(ran)).toEqual(asking(sent, scheduled, 'nope'))
    expect(JSON.parse(ran.stdout)).toEqual([
      {
        request_uuid: sent,
        outcome: 'failed',
        error: expect.objectContaining({http_status: 403, exit_code: 5, outcome: 'none', retryable: false}),
      },
      {request_uuid: scheduled, outcome: 'done'},
      {request_uuid: 'nope', outcome: 'failed', error: expect.objectContaining({http_status: 422, exit_code: 8})},
    ])
  })

  test('are a table for people, with the reasons in their rows', async () => {
    const ran = await cli(['push', 'cancel', sent, scheduled, '--yes'], {env})
    expect(ran.exit).toBe(11)
    expect(ran.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['UUID', 'OUTCOME'],
      [sent, 'failed'],
      [scheduled, 'done'],
      [''],
    ])
    expect(ran.stdout).toMatch(/ failed +it is sent already/u)
    expect(ran.stderr).toMatch(/^1 cancelled, 1 failed \(\w+\) in 0.0 s\n {2}(?:why|service|try): /u)
  })

  test('come from arguments and stdin, each once, and with -q those that were cancelled', async () => {
    const wire = await pushWire(({body}) => ({status: body.includes('u-2') ? 422 : 204}))
    const ran = await cli(['push', 'cancel', 'u-1', '-', 'u-3', 'u-1', '--yes', '-q'], {
      env: {...env, ...wire.env},
      stdin: 'u-2\n\n  u-1 \r\nu-4',
    })
    expect(ran).toMatchObject({exit: 11, stdout: 'u-1\nu-4\nu-3\n'})
    expect(wire.arrived.map(({body}) => JSON.parse(body))).toEqual(asking('u-1', 'u-2', 'u-4', 'u-3'))
  })

  test('from stdin are a list of one where there is one, and none if there is none', async () => {
    const one = await cli('push cancel - --yes -o json', {env, stdin: `${sent}\n`})
    expect(one.exit).toBe(11)
    expect(JSON.parse(one.stdout)).toMatchObject([{request_uuid: sent, outcome: 'failed'}])
    const none = await cli('push cancel - --yes -o json', {env, stdin: '\n'})
    expect(none).toMatchObject({exit: 0, stdout: '[]\n', sent: []})
  })

  test('take what push broadcast prints with -q', async () => {
    const store = await demoStore()
    const schedule = ['push', 'broadcast', ...hello, '--at', '+1h', '--confirm', 'app-1', '-q']
    const {stdout} = await cli(schedule, {env, store})
    const ran = await cli('push cancel - --yes -o json', {env, store, stdin: stdout})
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toEqual([{request_uuid: stdout.trim(), outcome: 'done'}])
  })

  test('stop at the first failure with --fail-fast, and the rest is not started', async () => {
    const ran = await cli(
      ['push', 'cancel', sent, scheduled, '--yes', '--fail-fast', '--concurrency', '1', '-o', 'json'],
      {env},
    )
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)).toMatchObject([{outcome: 'failed'}, {request_uuid: scheduled, outcome: 'not-tried'}])
    expect(cancelled(ran)).toEqual(asking(sent))
  })

  test('are no more than --max, a hundred where it is not given', async () => {
    const ran = await cli('push cancel a b c --yes --max 2', {env})
    expect(ran).toMatchObject({exit: 13, stdout: '', sent: []})
    expect(ran.stderr).toContain('error: refusing to change 3 notifications (limit 2); if intended: --max 3\n')
    const shown = await cli('push cancel a b c --dry-run --max 2 -o json', {env})
    expect(JSON.parse(shown.stdout)).toHaveLength(3)
    expect(shown.stderr).toContain('the real run refuses more than 2 notifications; add --max 3\n')
    const many = Array.from({length: 101}, (_, at) => `u-${at}\n`).join('')
    expect(await cli('push cancel - --yes', {env, stdin: many})).toMatchObject({exit: 13, sent: []})
    expect(await cli('push cancel a --yes --max some', {env})).toMatchObject({exit: 2, sent: []})
  })

  test('of which an answer was lost are not sent again: that one is unknown, the others are told', async () => {
    const wire = await pushWire(({body}) => (body.includes('u-2') ? false : {status: 204}))
    const ran = await cli('push cancel u-1 u-2 u-3 --yes -o json', {env: {...env, ...wire.env}})
    expect(ran.exit).toBe(11)
    expect(wire.arrived).toHaveLength(3)
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {outcome: 'done'},
      {outcome: 'failed', error: {outcome: 'unknown', exit_code: 10}},
      {outcome: 'done'},
    ])
  })

  test('cannot be sent at all without an address: that is no result, but the failure', async () => {
    const ran = await cli('push cancel u-1 u-2 --yes -o json', {env: {...env, ROOMCTL_PROFILE: ''}})
    expect(ran).toMatchObject({exit: 3, stdout: ''})
    expect(JSON.parse(ran.stderr).error.message).toBe('no address is set for the push service')
  })
})

describe('the question', () => {
  test('about one shows what this machine set of it', async () => {
    const home = freshHome()
    const store = await demoStore()
    const schedule = ['push', 'broadcast', ...hello, '--at', '+24h', '--confirm', 'app-1', '-q']
    const uuid = (await cli(schedule, {env, store, home})).stdout.trim()
    const ran = await cli(['push', 'cancel', uuid, '--tz', 'Asia/Seoul'], {...terminal(120, true), env, store, home})
    expect(ran.asked).toEqual([
      `Cancel notification ${uuid} of application app-1 (as last set from this machine: 2026-12-02 21:00:00 +09:00 (in 1d) to ANDROID) on sandbox (built in)?`,
    ])
  })

  test('about several shows them with what is known here, and takes the count', async () => {
    const home = freshHome()
    const store = await demoStore()
    const schedule = ['push', 'broadcast', ...hello, '--at', '+24h', '--confirm', 'app-1', '-q']
    const uuid = (await cli(schedule, {env, store, home})).stdout.trim()
    const ran = await cli(['push', 'cancel', uuid, scheduled, '--utc'], {...terminal(160, '2'), env, store, home})
    expect(ran).toMatchObject({exit: 0, asked: ['Cancel 2 notifications on sandbox (built in)?\nType "2" to confirm:']})
    const [heading, first, second] = ran.stderr.split('\n')
    expect(heading).toMatch(/^UUID +APPLICATION +WHEN \(LAST SET FROM THIS MACHINE\) +TO$/)
    expect(first).toMatch(new RegExp(`^${uuid} +app-1 +2026-12-02 12:00:00Z +ANDROID$`))
    expect(second).toMatch(new RegExp(`^${scheduled} +app-1`))
  })

  test('about several is answered by nothing else', async () => {
    for (const answer of ['yes', 'app-1', '1']) {
      const ran = await cli(['push', 'cancel', scheduled, sent], {...terminal(120, answer), env})
      expect(ran).toMatchObject({exit: 13, stdout: '', sent: []})
    }
    const script = await cli(['push', 'cancel', scheduled, sent], {env})
    expect(script).toMatchObject({exit: 13, stdout: '', sent: []})
    expect(script.stderr).toContain('error: cannot cancel 2 notifications: confirmation required; nothing was sent\n')
  })
})

test('Ctrl-C lets what is under way come to its end, leaves the rest uncancelled, and says so with 130', async () => {
  const sandbox = sandboxOf(await demoStore())
  const controller = new AbortController()
  const transport: Transport = async (request) => {
    if (request.body === '{"request_uuids":["u-2"]}') controller.abort()
    return sandbox(request)
  }
  const line = ['push', 'cancel', scheduled, 'u-2', 'u-3', '--yes', '--concurrency', '1', '-o', 'json']
  const ran = await cli(line, {env, transport, signal: controller.signal})
  expect(ran.exit).toBe(130)
  expect(JSON.parse(ran.stdout)).toMatchObject([
    {outcome: 'done'},
    {outcome: 'failed', error: {http_status: 422, outcome: 'none'}},
    {request_uuid: 'u-3', outcome: 'not-tried', reason: 'not started: interrupted'},
  ])
  expect(cancelled(ran)).toHaveLength(2)
})

test('eight are under way at a time, and what was not done is written to a file that the command takes again', async () => {
  const wire = await pushWire(({body}) => ({status: body.includes('u-7') ? 403 : 204}))
  const again = join(freshHome(), 'again.txt')
  const uuids = Array.from({length: 12}, (_, at) => `u-${at}`)
  const ran = await cli(['push', 'cancel', ...uuids, '--yes', '--failed-out', again], {env: {...env, ...wire.env}})
  expect(ran).toMatchObject({exit: 11, stderr: expect.stringMatching(/^11 cancelled, 1 failed \(forbidden\) in .*$/mu)})
  expect(
    ran.stdout
      .split('\n')
      .slice(1, 13)
      .map((line) => line.split(' ')[0]),
  ).toEqual(uuids)
  expect(readFileSync(again, 'utf8')).toMatch(/^(?:#.*\n)+u-7\n$/u)
})
