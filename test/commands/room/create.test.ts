import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {instead, success} from '../answers.js'

const always = {
  name: 'Design review',
  created_by: 'ann',
  is_public: true,
  host_selection_type: 'CREATOR',
  is_elect_host: true,
  is_joinable: true,
  attendees: ['ann'],
  is_token_receive: false,
}
const create = ['room', 'create', 'Design review', '--created-by', 'ann']

describe('the request', () => {
  test.each([
    [['-a', 'ben', '-a', 'carl', '-a', 'ben'], {attendees: ['ann', 'ben', 'carl']}],
    [['-a', 'ben', '-a', 'ann'], {attendees: ['ben', 'ann']}],
    [['--private'], {is_public: false}],
    [['--public'], {is_public: true}],
    [['--host', 'FIRST_ENTER_USER'], {host_selection_type: 'FIRST_ENTER_USER', attendees: undefined}],
    [['--host', 'CREATOR'], {host_selection_type: 'CREATOR', attendees: ['ann']}],
    [['--host', 'first'], {host_selection_type: 'FIRST_ENTER_USER', attendees: undefined}],
    [['--host', 'first', '-a', 'ben'], {host_selection_type: 'FIRST_ENTER_USER', attendees: ['ben']}],
    [['--host', 'first', '--private'], {host_selection_type: 'FIRST_ENTER_USER', is_public: false, attendees: ['ann']}],
    [['--no-elect-host'], {is_elect_host: false}],
    [['--no-joinable'], {is_joinable: false}],
    [['--max', '200'], {max_attendee_count: 200}],
    [['--description', ''], {description: ''}],
    [['--description', 'all about it'], {description: 'all about it'}],
    [['--biz-id', 'biz-1'], {biz_id: 'biz-1'}],
    [['--token'], {is_token_receive: true}],
    [
      ['--start', '2026-12-02T09:00+09:00', '--for', '1h'],
      {
        reserved_start_time: '2026-12-02T00:00:00.000Z',
        reserved_end_time: '2026-12-02T01:00:00.000Z',
      },
    ],
  ])('%j', async (flags, changed) => {
    const ran = await cli([...create, ...flags])
    expect(ran.exit).toBe(0)
    expect(ran.sent[0]?.body).toEqual(JSON.parse(JSON.stringify({...always, ...changed})))
  })

  test('takes attendees from a file and from stdin, one a line', async () => {
    const file = join(freshHome(), 'people.txt')
    writeFileSync(file, 'ben\r\n\n김민준\n')
    const fromFile = await cli([...create, '--attendees-from', file])
    expect(fromFile.sent[0]?.body).toMatchObject({attendees: ['ann', 'ben', '김민준']})
    const fromStdin = await cli([...create, '-a', 'eve', '--attendees-from', '-'], {stdin: 'ben\neve\n'})
    expect(fromStdin.sent[0]?.body).toMatchObject({attendees: ['ann', 'eve', 'ben']})
  })

  test('is not sent when the file cannot be read', async () => {
    const ran = await cli([...create, '--attendees-from', '/nowhere/people.txt'])
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(ran.stderr).toBe('error: cannot read /nowhere/people.txt\n  why: no such file\n')
    expect((await cli([...create, '--attendees-from', '/'])).stderr).toContain('it is a folder')
  })

  test('is not sent without a creator', async () => {
    const ran = await cli('room create Standup')
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('error: no creator given\n')
    expect(ran.stderr).toContain('add --created-by, or set ROOMCTL_REQUESTER')
  })
})

describe('the result', () => {
  test('holds the token only when it was asked for', async () => {
    const json = JSON.parse((await cli([...create, '--token', '-o', 'json'])).stdout)
    expect(json.token).toMatch(/^eyJ/)
    expect((await cli([...create, '--token'])).stdout).toMatch(/\ntoken: eyJ[\w.-]+\n$/)
  })

  test.each([{}, {token: ''}, {token: ' '}])('says that no token came though it was asked for: %j', async (given) => {
    const transport = await instead(() => true, [() => success({room_id: 'r-new', ...given})])
    const ran = await cli([...create, '--token'], {transport})
    expect(ran.stdout).toBe('created room r-new "Design review" as ann\nthe service returned no token\n')
    const json = await cli([...create, '--token', '-o', 'json'], {transport})
    expect(JSON.parse(json.stdout)).toEqual({room_id: 'r-new', created_by: 'ann', token: null})
  })
})

describe('--check', () => {
  test('shows what the console overrode', async () => {
    const store = await demoStore()
    await store.change((world) => {
      const values = {config_max_attendee_count: 10, config_is_elect_host: false}
      world.configuration = {applicationId: 'app-1', values}
    })
    const ran = await cli([...create, '--max', '50', '--check', '-o', 'json'], {store})
    expect(ran.sent.map(({method}) => method)).toEqual(['POST', 'GET'])
    expect(JSON.parse(ran.stdout).overridden).toEqual([
      {field: 'max_attendee_count', asked: 50, got: 10},
      {field: 'is_elect_host', asked: true, got: false},
    ])
    const people = await cli([...create, '--max', '50', '--check'], {store})
    expect(people.stdout.split('\n').slice(1)).toEqual([
      'the service overrode max_attendee_count: 50 became 10',
      'the service overrode is_elect_host: true became false',
      '',
    ])
  })

  test('says that every value was kept', async () => {
    const ran = await cli([...create, '--check'])
    expect(ran.stdout).toMatch(/\nthe service kept every value\n$/)
    expect(JSON.parse((await cli([...create, '--check', '-o', 'json'])).stdout).overridden).toEqual([])
  })
})

test('a biz id is sent', async () => {
  const ran = await cli(create, {env: {ROOMCTL_BIZ_ID: 'biz-1'}})
  expect(ran).toMatchObject({exit: 0, sent: [{body: {biz_id: 'biz-1'}}]})
})
