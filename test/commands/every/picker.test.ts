import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../../scripts/memoryStore.js'
import {cli, esc} from '../../support/cli.js'
import {terminal} from '../answers.js'

const standup = 'Daily standup +MEETING .*r-standup'

/** Commands that take a room, and the result of picking one. */
const rooms: readonly (readonly [string, string, string])[] = [
  ['room show', 'GET /media/v1/rooms/r-standup', standup],
  ['room update --max 40', 'PATCH /media/media/v1/rooms/r-standup', standup],
  ['room end --yes', 'POST /media/v1/rooms/r-standup/end', standup],
  ['room delete --yes', 'DELETE /media/v1/rooms/r-townhall', 'Town hall +RESERVED .*r-townhall'],
  ['attendee list', 'GET /media/v1/rooms/r-standup/attendees', standup],
  ['record list', 'POST /media/v1/rooms/r-standup/recordings', standup],
  ['record start', 'POST /media/v1/rooms/r-standup/record', standup],
  ['record stop', 'POST /media/v1/rooms/r-standup/stop-record', standup],
]

describe.each(rooms)('%s without ROOM', (line, request, choice) => {
  test('lets a room be chosen on a terminal', async () => {
    const ran = await cli(line, terminal(100, /r-\w+/u.exec(choice)?.[0]))
    expect(ran.asked).toHaveLength(1)
    expect(ran.asked[0]).toMatch(new RegExp(`^Which rooms? on sandbox \\(built in\\)\\? .*${choice}`, 'u'))
    expect(ran.sent.map(({method, path}) => `${method} ${path}`)).toContain(request)
  })

  test('names the missing argument elsewhere, and sends nothing', async () => {
    for (const circumstances of [{}, {stdin: 'r-standup\n'}]) {
      const ran = await cli(line, circumstances)
      expect(ran).toMatchObject({exit: 2, stdout: '', sent: [], asked: []})
      expect(ran.stderr).toContain(
        'error: ROOM is missing\n  why: it takes the id of a room\n  try: roomctl room list\n',
      )
    }
    expect(await cli([...line.split(' '), '--no-input'], terminal(80))).toMatchObject({exit: 2, asked: []})
    expect(await cli([...line.split(' '), '-o', 'json'], terminal(80))).toMatchObject({exit: 2, asked: []})
  })
})

/** Commands that take a user of a room as well. */
const users: readonly (readonly [string, string, string])[] = [
  ['room delegate', 'ben', 'POST /media/v1/rooms/r-standup/delegate'],
  ['room presenter', 'ben', 'POST /media/v1/rooms/r-standup/update-presenter'],
  ['attendee token', 'ben', 'POST /media/v1/rooms/r-standup/attendees/ben/token'],
  ['attendee block --yes', 'ben', 'POST /media/v1/rooms/r-standup/block'],
]

describe.each(users)('%s without USER', (line, user, request) => {
  const [topic = '', action = '', ...flags] = line.split(' ')

  test('lets room and user be chosen on a terminal', async () => {
    const ran = await cli(line, terminal(100, 'r-standup', user))
    expect(ran.asked.map((question) => question.split('?')[0])).toEqual([
      'Which room on sandbox (built in)',
      `Which ${line.startsWith('attendee block') ? 'users' : 'user'} on sandbox (built in)`,
    ])
    expect(ran).toMatchObject({exit: 0})
    const last = ran.sent.at(-1)
    expect(`${last?.method} ${last?.path}`).toBe(request)
  })

  test('lets the user be chosen of a room that was named', async () => {
    const ran = await cli([topic, action, 'r-standup', ...flags], terminal(100, user))
    expect(ran.asked).toHaveLength(1)
    expect(ran.exit).toBe(0)
  })

  test('names the missing argument elsewhere, and sends nothing', async () => {
    const ran = await cli([topic, action, 'r-standup', ...flags])
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('error: USER is missing\n')
    expect(ran.stderr).toContain('roomctl attendee list r-standup')
  })
})

test('only those users are offered that the operation is possible for', async () => {
  const delegate = await cli('room delegate r-standup', terminal(100, 'ben'))
  expect(delegate.asked).toEqual(['Which user on sandbox (built in)? ben  present | 김민준  present'])
  const block = await cli('attendee block r-standup --yes', terminal(100, '김민준'))
  expect(block.asked).toEqual(['Which users on sandbox (built in)? ben  present | 김민준  present'])
  const presenter = await cli('room presenter r-standup', terminal(100, 'eve'))
  expect(presenter.asked[0]).toContain('ann  host  present | ')
  expect(presenter.asked[0]).toContain(' | eve')
})

test('only rooms are offered that allow the operation, those in a meeting first', async () => {
  const states = async (line: string) => {
    const ran = await cli(line, terminal(120, 'none of them'))
    const rooms = ran.asked[0]?.split('? ')[1]?.split(' | ') ?? []
    return rooms.map((room) => /MEETING|IDLE|RESERVED|ENDED/u.exec(room)?.[0])
  }
  expect(new Set(await states('room end'))).toEqual(new Set(['MEETING']))
  expect(new Set(await states('room delete'))).toEqual(new Set(['IDLE', 'RESERVED', 'ENDED']))
  expect(new Set(await states('attendee restore'))).toEqual(new Set(['MEETING', 'IDLE']))
  const all = await states('room show')
  expect(all).toHaveLength(13)
  expect(all).toEqual(['MEETING', 'IDLE', 'RESERVED', 'ENDED'].flatMap((state) => all.filter((one) => one === state)))
})

test('hidden choices are counted', async () => {
  const ran = await cli('room end', terminal(120, esc))
  expect(ran).toMatchObject({exit: 13, stdout: ''})
  expect(ran.stderr).toMatch(/^7 of 13 rooms do not allow room end and are not shown\ncancelled\n$/)
})

test('several can be chosen where the command takes several', async () => {
  const ended = await cli('room end --yes', terminal(120, ['r-standup', 'r-party']))
  expect(ended.exit).toBe(0)
  expect(ended.sent.filter(({method}) => method === 'POST').map(({path}) => path)).toEqual([
    '/media/v1/rooms/r-standup/end',
    '/media/v1/rooms/r-party/end',
  ])
  const blocked = await cli('attendee block r-standup --yes', terminal(120, ['ben', '김민준']))
  expect(blocked.sent.at(-1)?.body).toMatchObject({attendees: ['ben', '김민준']})
})

test('nothing to choose from is reported, with 6', async () => {
  const empty = await cli('room show', {...terminal(80), store: memoryStore()})
  expect(empty).toMatchObject({exit: 6, stdout: '', asked: []})
  expect(empty.stderr).toBe('error: no rooms to choose from\n  try: add a room with room create\n')
  const nobody = await cli('room delegate r-review', terminal(80))
  expect(nobody).toMatchObject({exit: 6, asked: []})
  expect(nobody.stderr).toContain('room r-review has no attendee to choose from')
})

test('a picker asks within the tenant of the profile', async () => {
  const ran = await cli('room show', {...terminal(80, 'r-standup'), env: {NO_COLOR: '1', ROOMCTL_BIZ_ID: 'biz 7'}})
  expect(ran.sent[0]?.path).toBe('/media/v1/rooms?bizId=biz%207')
})
