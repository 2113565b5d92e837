import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'

const sentBody = async (line: string | readonly string[]) => (await cli(line)).sent.at(-1)?.body

describe('the request', () => {
  test('holds only the given fields', async () => {
    expect(await sentBody(['room', 'update', 'r-townhall', '--name', '전체 회의', '--description', ''])).toEqual({
      requester_id: 'ann',
      name: '전체 회의',
      description: '',
    })
    expect(await sentBody('room update r-townhall --private --no-joinable')).toEqual({
      requester_id: 'ann',
      is_public: false,
      is_joinable: false,
    })
    expect(await sentBody('room update r-townhall --public --joinable')).toEqual({
      requester_id: 'ann',
      is_public: true,
      is_joinable: true,
    })
    expect(
      await sentBody('room update r-townhall --start 2026-12-03T09:00+09:00 --end 2026-12-03T10:00+09:00 --as ann'),
    ).toEqual({
      requester_id: 'ann',
      reserved_start_time: '2026-12-03T00:00:00.000Z',
      reserved_end_time: '2026-12-03T01:00:00.000Z',
    })
  })

  test('is not made without a change, or with an end before its start', async () => {
    for (const line of [
      'room update r-standup',
      'room update r-standup --as ann',
      'room update r-standup --admin --application-id app-1',
      'room update r-standup --start 2026-12-03T10:00Z --end 2026-12-03T09:00Z',
    ]) {
      expect(await cli(line)).toMatchObject({exit: 2, stdout: '', sent: []})
    }
    expect((await cli('room update r-standup')).stderr).toContain('add at least one of --name')
  })
})

describe('--admin', () => {
  test('names the application and no requester, without a read', async () => {
    const ran = await cli('room update r-standup --admin --application-id app-1 --private -o json')
    expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
      ['PATCH', '/media/v1/applications/app-1/rooms/r-standup', {is_public: false}],
    ])
    expect(JSON.parse(ran.stdout)).toEqual({room_id: 'r-standup', requester_id: null, updated: {is_public: false}})
    const people = await cli('room update r-standup --admin --application-id app-1 --private')
    expect(people.stdout).toBe('updated is_public of room r-standup as platform admin\n')
  })

  test('takes the application of the environment, and asks for one before a room is asked for', async () => {
    const ran = await cli('room update r-standup --admin --private', {env: {ROOMCTL_APPLICATION_ID: 'app-2'}})
    expect(ran.sent[0]?.path).toBe('/media/v1/applications/app-2/rooms/r-standup')
    const without = await cli('room update --admin --private', {columns: 80, answers: ['']})
    expect(without).toMatchObject({exit: 3, asked: ['Application id on sandbox (built in):'], sent: []})
    expect(without.stderr).toContain('no application id is set')
  })

  test('takes no --max, no --as, and --application-id only with it', async () => {
    for (const line of [
      'room update r-1 --admin --application-id app-1 --max 5',
      'room update r-1 --admin --application-id app-1 --name X --as ann',
      'room update r-1 --application-id app-1 --name X',
    ]) {
      expect(await cli(line)).toMatchObject({exit: 2, sent: []})
    }
  })
})
