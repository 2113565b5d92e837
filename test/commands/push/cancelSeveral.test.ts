import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'
import {terminal} from '../answers.js'
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
    expect(ran.stdout).toMatch(/ failed +request \S+ is sent already/u)
    expect(ran.stderr).toMatch(/^1 cancelled, 1 failed \(\w+\) in 0.0 s\n {2}(?:why|service|try): /u)
  })

  test('take what push broadcast prints with -q', async () => {
    const store = await demoStore()
    const schedule = ['push', 'broadcast', ...hello, '--at', '+1h', '--confirm', 'app-1', '-q']
    const {stdout} = await cli(schedule, {env, store})
    const ran = await cli('push cancel - --yes -o json', {env, store, stdin: stdout})
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toEqual([{request_uuid: stdout.trim(), outcome: 'done'}])
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

  test('with a lost answer are not sent again: that one is unknown, the others have their outcome', async () => {
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
})

describe('the question', () => {
  test('about several shows them and takes the count', async () => {
    const ran = await cli(['push', 'cancel', sent, scheduled], {...terminal(160, '2'), env})
    expect(ran).toMatchObject({
      exit: 11,
      asked: ['Cancel 2 notifications on sandbox (built in)?\nType "2" to confirm:'],
    })
    const [heading, first, second] = ran.stderr.split('\n')
    expect(heading).toMatch(/^UUID +APPLICATION$/)
    expect(first).toMatch(new RegExp(`^${sent} +app-1$`))
    expect(second).toMatch(new RegExp(`^${scheduled} +app-1$`))
  })
})

test('a missing uuid is refused, on a terminal too, with the command that shows it', async () => {
  for (const line of ['push cancel', 'push modify --title T --body B --to ANDROID --at +2h']) {
    const ran = await cli(line, {...terminal(120), env})
    expect(ran).toMatchObject({exit: 2, stdout: '', asked: [], sent: []})
    expect(ran.stderr).toBe(
      'error: UUID is missing\n' +
        '  why: it takes the uuid of a request, as push broadcast printed it\n' +
        '  try: roomctl history --operation push.broadcast\n',
    )
  }
})
