import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../support/cli.js'
import {always, success, terminal} from './answers.js'

const posts = (sent: readonly {readonly method: string; readonly path: string}[]) =>
  sent.filter(({method}) => method !== 'GET').map(({path}) => path)

const ended = (id: string) => `/media/v1/rooms/${id}/end`

describe('selection flags', () => {
  test('ends the rooms that match all, and no other', async () => {
    const store = await demoStore()
    const line = ['room', 'end', '--status', 'meeting', '--older-than', '8h', '--yes', '-o', 'json']
    const ran = await cli(line, {store})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-test-2', outcome: 'done', requester_id: 'ben'},
      {room_id: 'r-test-1', outcome: 'done', requester_id: 'ben'},
    ])
    expect(posts(ran.sent).toSorted()).toEqual([ended('r-test-1'), ended('r-test-2')])
    expect(ran.sent[0]).toMatchObject({method: 'GET', path: '/media/v1/rooms'})
    const states = await cli('room list -o csv --columns room_id,room_status', {store})
    expect(states.stdout.match(/.*ENDED/gu)?.toSorted()).toEqual([
      'r-kickoff,ENDED',
      'r-retro,ENDED',
      'r-test-1,ENDED',
      'r-test-2,ENDED',
    ])
  })

  test('that match no room change nothing and exit with 0', async () => {
    const ran = await cli(['room', 'end', '--match', 'nobody', '--yes', '-o', 'json'])
    expect(ran).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
    expect(posts(ran.sent)).toEqual([])
    const unchanged = {exit: 0, stdout: '', stderr: 'nothing to change\n'}
    expect(await cli(['room', 'end', '--match', 'nobody'])).toMatchObject(unchanged)
  })

  test('stops at --max, before any room is read or changed', async () => {
    const ran = await cli(['room', 'end', '--status', 'meeting', '--yes', '--max', '3'])
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.stderr).toContain('error: refusing to change 6 rooms (limit 3); if intended: --max 6\n')
    expect(ran.sent).toHaveLength(1)
  })

  test('shows the rooms before it asks for their count', async () => {
    const ran = await cli(['room', 'end', '--match', 'test*'], terminal(120, '2'))
    expect(ran).toMatchObject({exit: 0, asked: ['End 2 rooms on sandbox (built in)?\nType "2" to confirm:']})
    const [heading = '', first = ''] = ran.stderr.split('\n')
    expect(heading.trim().split(/ +/u)).toEqual(['ID', 'NAME', 'STATUS', 'PRESENT', 'AGE'])
    expect(first.trim().split(/ +/u).slice(0, 4)).toEqual(['r-test-2', 'test-load-2', 'MEETING', '1'])
  })

  test('says in the question how many will be refused, and why', async () => {
    const ids = ['r-standup', 'r-party', 'r-review', ...Array.from({length: 18}, (_, at) => `r-none-${at}`)]
    const ran = await cli(['room', 'end', ...ids], terminal(120, ''))
    expect(ran).toMatchObject({
      exit: 13,
      asked: ['End 21 rooms on sandbox (built in)? 19 will be refused (1 IDLE, 18 not found).\nType "21" to confirm:'],
    })
    expect(ran.stderr).toMatch(
      /^refused \(IDLE\): r-review\nrefused \(not found\): r-none-0, .*r-none-9 and 8 more\n/mu,
    )
  })

  test('reads a room for the question, and again before the change', async () => {
    const ran = await cli(['room', 'end', '--match', 'test*'], terminal(120, '2'))
    expect(ran.sent.filter(({method}) => method === 'GET').map(({path}) => path)).toEqual([
      '/media/v1/rooms',
      '/media/v1/rooms/r-test-2',
      '/media/v1/rooms/r-test-1',
      '/media/v1/rooms/r-test-2',
      '/media/v1/rooms/r-test-1',
    ])
  })

  test('a room that is listed twice is changed once, and one with an impossible id fails alone', async () => {
    const rooms = ['r-1', '..', 'r-1'].map((room_id) => ({room_id, room_status: 'MEETING'}))
    const transport = always(({method, url}) =>
      method === 'GET' ? success(url.pathname.endsWith('/rooms') ? rooms : rooms[0]) : success(),
    )
    const ran = await cli(['room', 'end', '--status', 'meeting', '--as', 'ann', '--yes', '-o', 'json'], {
      transport,
    })
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {room_id: 'r-1', outcome: 'done'},
      {room_id: '..', outcome: 'failed', error: {exit_code: 2}},
    ])
  })
})

const bulkCommands = [
  'room end',
  'room delete',
  'record stop',
  'attendee block u',
  'attendee restore u',
  'attendee add u',
]

describe('--older-than, --empty and --match', () => {
  const chosen = async (...words: string[]) => {
    const {exit, stdout, stderr} = await cli(['room', 'list', ...words, '-q'])
    expect({exit, stderr: stderr.replace(/^reading \d+ rooms, one call each\n/u, '')}).toEqual({exit: 0, stderr: ''})
    return stdout.trimEnd().split('\n')
  }

  test('--older-than goes by the AGE of the table', async () => {
    const listed = await cli('room list -o csv --columns room_id,age --no-header')
    const older = listed.stdout.match(/^.+,\d+$/gmu)?.filter((row) => Number(row.split(',')[1]) > 8 * 3600)
    expect(await chosen('--older-than', '8h')).toEqual(older?.map((row) => row.split(',')[0]))
  })

  test('--empty reads MEETING and IDLE rooms alone, and of these only what the rest leaves open', async () => {
    const all = await cli('room list --empty -q')
    expect(all.stdout).toBe('r-review\n')
    const read = all.sent.slice(1).map(({path}) => path.split('/').at(-1))
    expect(read.toSorted()).toEqual(
      ['r-full', 'r-party', 'r-review', 'r-standup', 'r-support', 'r-test-1', 'r-test-2'].toSorted(),
    )
    const few = await cli(['room', 'list', '--empty', '--match', 'test-*', '-q'])
    expect(few.sent.map(({path}) => path.split('/').at(-1)).toSorted()).toEqual(['r-test-1', 'r-test-2', 'rooms'])
  })

  test('--empty never chooses a room whose count it does not know', async () => {
    const rooms = ['MEETING', 'IDLE', 'RESERVED', 'ENDED'].map((room_status) => ({room_id: room_status, room_status}))
    const transport = always(({url}) => success(url.pathname.endsWith('/rooms') ? rooms : {room_id: 'MEETING'}))
    expect((await cli('room list --empty -q', {transport})).stdout).toBe('')
  })

  test.each(bulkCommands.filter((command) => command !== 'room delete'))(
    '%s takes them in place of ids',
    async (command) => {
      const words = [...command.split(' '), '--match', 'test-*', '--older-than', '8h', '--dry-run', '-o', 'json']
      const ran = await cli(words)
      expect(ran.exit).toBe(0)
      expect(ran.sent.map(({path}) => path).slice(1)).toEqual(
        ['r-test-2', 'r-test-1'].map((id) => `/media/v1/rooms/${id}`),
      )
      expect(JSON.parse(ran.stdout)).toHaveLength(2)
    },
  )

  test('choose watched rooms, and rooms in which a user is looked for', async () => {
    const watched = await cli(['room', 'watch', '--match', 'test-*', '--until-status', 'MEETING'])
    expect(watched).toMatchObject({exit: 0, stderr: expect.stringContaining('watching 2 rooms')})
    const found = await cli(['attendee', 'find', 'ben', '--match', 'test-*', '-q'])
    expect(found.stdout.trimEnd().split('\n').toSorted()).toEqual(['r-test-1', 'r-test-2'])
  })

  test.each([
    [['room', 'end', 'r-standup', '--empty'], 'ROOM and --empty cannot be given together'],
    [['room', 'watch', 'r-standup', '--match', 'x'], 'ROOM and --match cannot be given together'],
    [['room', 'end', '--older-than', 'soon'], '--older-than: invalid duration "soon"'],
    [['room', 'list', '--match', ''], '--match is empty'],
    [['room', 'list', '--match', '[z-a]'], 'cannot use the pattern "[z-a]": a range in it runs backwards'],
  ])('%j is refused before anything is sent', async (words, message) => {
    const ran = await cli(words)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(`error: ${message}`)
    expect(ran.stderr).not.toContain('check character')
  })
})

describe('users, and bulk commands but room end', () => {
  test('attendee block takes users, and chooses the rooms', async () => {
    const ran = await cli('attendee block bot-1 --status meeting --match test* --yes -o json')
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-test-2', outcome: 'done', requester_id: 'ben', attendees: ['bot-1']},
      {room_id: 'r-test-1', outcome: 'done', requester_id: 'ben', attendees: ['bot-1']},
    ])
    expect(ran.sent.find(({method}) => method === 'POST')?.body).toEqual({requester_id: 'ben', attendees: ['bot-1']})
  })

  test('attendee block with flags asks for the count of rooms, and names the users', async () => {
    const ran = await cli(['attendee', 'block', 'bot-1', 'eve', '--match', 'test*'], terminal(120, ''))
    expect(ran.asked).toEqual([
      'Block bot-1, eve in 2 rooms on sandbox (built in)? 2 will be refused (BR001).\nType "2" to confirm:',
    ])
    expect(ran.exit).toBe(13)
    expect(posts(ran.sent)).toEqual([])
  })

  test('attendee restore and add do the same, without a requester where the document names none', async () => {
    const store = await demoStore()
    await cli(['attendee', 'block', 'bot-1', '--match', 'test*', '--yes'], {store})
    const restored = await cli(['attendee', 'restore', 'bot-1', '--match', 'test*', '--yes', '-q'], {store})
    expect(restored).toMatchObject({exit: 0, stdout: 'r-test-2\nr-test-1\n'})
    const added = await cli(['attendee', 'add', 'zoe', 'yuna', '--status', 'reserved', '--yes', '-o', 'json'])
    expect(added.exit).toBe(0)
    expect(JSON.parse(added.stdout)[0]).toEqual({
      room_id: 'r-first',
      outcome: 'done',
      requester_id: null,
      attendees: ['zoe', 'yuna'],
    })
    expect(posts(added.sent)).toHaveLength(4)
  })

  test('rooms can come from stdin, one id in each line', async () => {
    const ran = await cli('attendee block - ben --yes -q', {stdin: 'r-standup\n\nr-full\n'})
    expect(ran).toMatchObject({exit: 0, stdout: 'r-standup\nr-full\n'})
    expect(posts(ran.sent)).toHaveLength(2)
  })

  test.each([
    'attendee block - - --yes',
    'attendee restore r-standup - - --yes',
    'attendee add r-standup - --from-file - --yes',
    'attendee add - --from-file - --yes',
  ])('%s would read stdin twice, and is refused', async (line) => {
    const ran = await cli(line, {stdin: 'ben\n'})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('error: - (stdin) is used twice; nothing was sent\n')
  })

  test('users must be named, and not by --all-except', async () => {
    expect(await cli(['attendee', 'restore', '--match', '*', '--yes'])).toMatchObject({exit: 2, sent: []})
    const ran = await cli(['attendee', 'block', '--match', '*', '--all-except', 'ben', '--yes'])
    expect(ran).toMatchObject({exit: 2, sent: []})
    expect(ran.stderr).toContain('--all-except cannot be given together')
  })

  test('record stop takes several rooms, and asks for their count', async () => {
    const ran = await cli('record stop r-support r-standup --yes -o json')
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {room_id: 'r-support', outcome: 'done', requester_id: 'carl'},
      {room_id: 'r-standup', outcome: 'failed', error: {code: 'RE001'}},
    ])
    const asked = await cli('record stop r-support r-standup', terminal(120, '2'))
    expect(asked.asked).toEqual(['Stop recording 2 rooms on sandbox (built in)?\nType "2" to confirm:'])
    expect(await cli('record stop r-support')).toMatchObject({exit: 0, asked: []})
  })
})

describe('rooms chosen by flags', () => {
  test('are left out in a state in which the document refuses the command, and named ids are not', async () => {
    const chosen = await cli(['room', 'end', '--match', '*', '--yes', '-q'])
    expect(chosen.stderr).toMatch(/^skipped 4 RESERVED rooms, 1 IDLE room, 2 ENDED rooms$/mu)
    expect(posts(chosen.sent)).toHaveLength(6)
    const named = await cli(['room', 'end', 'r-review', '--yes'])
    expect([named.exit, posts(named.sent)]).toEqual([7, [ended('r-review')]])
  })

  test('are skipped with the reason if they no longer match', async () => {
    const room = {room_id: 'r-1', name: 'test-1', room_status: 'MEETING', attendees: [{user_id: 'ann', is_host: true}]}
    const transport = always(({method, url}) =>
      method !== 'GET' ? success() : success(url.pathname.endsWith('/rooms') ? [room] : {...room, name: 'Daily'}),
    )
    const ran = await cli(['room', 'end', '--match', 'test*', '--yes', '-o', 'json'], {transport})
    expect(posts(ran.sent)).toEqual([])
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {room_id: 'r-1', outcome: 'skipped', reason: expect.stringContaining('--match test*')},
    ])
  })

  test('filter the ids of stdin', async () => {
    const ran = await cli(['room', 'end', '-', '--match', 'test*', '--yes', '-o', 'json'], {
      stdin: 'r-standup\nr-test-1\n',
    })
    expect(posts(ran.sent)).toEqual([ended('r-test-1')])
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {room_id: 'r-standup', outcome: 'skipped'},
      {room_id: 'r-test-1', outcome: 'done'},
    ])
  })
})

describe('ids on stdin', () => {
  test.each(['#r-1', '%2e', ' r-1 ', '-r', 'r\u200b1'])('%j is one id, as -q prints it', async (room_id) => {
    const transport = always(({method, url}) =>
      method !== 'GET' ? success() : success(url.pathname.endsWith('/rooms') ? [{room_id}] : {room_id}),
    )
    const listed = await cli('room list -q', {transport})
    expect(listed.stdout).toBe(`${room_id}\n`)
    const ran = await cli('room end - --as ann --yes -o json', {transport, stdin: listed.stdout})
    expect(JSON.parse(ran.stdout)).toMatchObject([{room_id, outcome: 'done'}])
  })

  test.each([['["r-1"]'], ['[\n"r-1"]'], ['{"room_id":"r-1"}'], ['"r-1"']])(
    '%j is refused and names -r',
    async (stdin) => {
      const ran = await cli('room end - --as ann --yes', {stdin})
      expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
      expect(ran.stderr).toContain('-r')
    },
  )

  test('without --yes off a terminal they are named, and nothing is sent', async () => {
    const ran = await cli('room end -', {stdin: 'r-standup\nr-support\n'})
    expect([ran.exit, posts(ran.sent)]).toEqual([13, []])
    expect(ran.stderr).toContain('r-standup, r-support')
  })
})

test('--empty never takes a room whose attendees are not said to be present or not', async () => {
  const room = {room_id: 'r-1', name: 'test-1', room_status: 'MEETING', attendees: [{user_id: 'ann', is_host: true}]}
  const transport = always(({url}) => success(url.pathname.endsWith('/rooms') ? [room] : room))
  expect((await cli('room list --empty -q', {transport})).stdout).toBe('')
  const ran = await cli('room end --empty --yes -q', {transport})
  expect(posts(ran.sent)).toEqual([])
})
