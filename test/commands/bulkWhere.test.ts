import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../support/cli.js'
import {always, success, terminal} from './answers.js'

const posts = (sent: readonly {readonly method: string; readonly path: string}[]) =>
  sent.filter(({method}) => method !== 'GET').map(({path}) => path)

const ended = (id: string) => `/media/v1/rooms/${id}/end`

describe('--where', () => {
  test('ends the rooms that the expression is true for, and no other', async () => {
    const store = await demoStore()
    const line = ['room', 'end', '--where', 'status=MEETING and age>8h', '--yes', '-o', 'json']
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

  test('that is true for one room still gives the list of a run', async () => {
    const ran = await cli(['room', 'end', '--where', 'id=r-review', '--yes', '-o', 'json'])
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)).toMatchObject([{room_id: 'r-review', outcome: 'failed', error: {code: 'ER001'}}])
  })

  test('that is true for none changes nothing and fails nothing', async () => {
    const ran = await cli(['room', 'end', '--where', 'name=nobody', '--yes', '-o', 'json'])
    expect(ran).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
    expect(posts(ran.sent)).toEqual([])
    const told = {exit: 0, stdout: '', stderr: 'nothing to change\n'}
    expect(await cli(['room', 'end', '--where', 'name=nobody'])).toMatchObject(told)
  })

  test('says how many rooms it reads, when it asks for what only the detail tells', async () => {
    const ran = await cli(['room', 'end', '--where', 'present=1', '--yes', '-q'])
    expect(ran).toMatchObject({exit: 0, stdout: 'r-test-2\n'})
    expect(ran.stderr).toContain('reading 13 rooms, one call each\n')
    expect(ran.stderr).toContain('1 ended in 0.0 s\n')
  })

  test.each([
    ['status=MEETING and present<2', ['r-standup', 'r-party', 'r-full', 'r-support', 'r-test-2', 'r-test-1']],
    ['not (status!=IDLE or present>0)', ['r-review']],
    ['id=r-standup or status=IDLE and present=0', ['r-review']],
    ['status=RESERVED and (max>100 or present>0)', ['r-first', 'r-private', 'r-arabic']],
    ['status=ENDED and status=IDLE and present=0', []],
  ])('%s reads only the rooms whose row leaves it open', async (where, read) => {
    const ran = await cli(['room', 'list', '--where', where, '-q'])
    expect(ran.exit).toBe(0)
    expect(ran.sent.map(({path}) => path)).toEqual(
      ['', ...read.map((id) => `/${id}`)].map((id) => `/media/v1/rooms${id}`),
    )
  })

  test('stops at --max, before any room is read or changed', async () => {
    const ran = await cli(['room', 'end', '--where', 'status=MEETING', '--yes', '--max', '3'])
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.stderr).toContain('error: refusing to change 6 rooms (limit 3); if intended: --max 6\n')
    expect(ran.sent).toHaveLength(1)
  })

  test('shows the rooms before it asks for their count', async () => {
    const ran = await cli(['room', 'end', '--where', 'name~^test'], terminal(120, '2'))
    expect(ran).toMatchObject({exit: 0, asked: ['End 2 rooms on sandbox (built in)?\nType "2" to confirm:']})
    const [heading = '', first = ''] = ran.stderr.split('\n')
    expect(heading.trim().split(/ +/u)).toEqual(['ID', 'NAME', 'STATUS', 'PRESENT', 'AGE'])
    expect(first.trim().split(/ +/u).slice(0, 4)).toEqual(['r-test-2', 'test-load-2', 'MEETING', '1'])
  })

  test('of many rooms says beside the question how many are in which state', async () => {
    const ids = ['r-standup', 'r-party', 'r-review', ...Array.from({length: 18}, (_, at) => `r-none-${at}`)]
    const ran = await cli(['room', 'end', ...ids], terminal(120, ''))
    expect(ran).toMatchObject({
      exit: 13,
      asked: ['End 21 rooms on sandbox (built in)? 19 will be refused (1 IDLE, 18 not found).\nType "21" to confirm:'],
    })
    expect(ran.stderr).toContain('\n21 rooms: 2 MEETING, 1 IDLE, 18 not found\n')
    const few = await cli(['room', 'end', ...ids.slice(0, 12)], terminal(120, ''))
    expect(few.stderr).not.toContain('12 rooms: ')
  })

  test('reads a room once for the question and the host', async () => {
    const ran = await cli(['room', 'end', '--where', 'name~^test'], terminal(120, '2'))
    expect(ran.sent.filter(({method}) => method === 'GET').map(({path}) => path)).toEqual([
      '/media/v1/rooms',
      '/media/v1/rooms/r-test-2',
      '/media/v1/rooms/r-test-1',
    ])
  })

  test('with --dry-run shows the requests, and sends none', async () => {
    const ran = await cli(['room', 'end', '--where', 'name~^test', '--dry-run', '-o', 'json'])
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {dry_run: true, method: 'POST'},
      {dry_run: true, method: 'POST'},
    ])
    expect(posts(ran.sent)).toEqual([])
    const all = await cli(['room', 'end', '--where', 'max>0', '--dry-run', '--concurrency', '3', '-q'])
    expect(all.stderr).toBe('reading 13 rooms, one call each\n')
  })

  test('a dry run shows beside the others a room whose id no path can carry', async () => {
    const transport = always(({url}) =>
      success(url.pathname.endsWith('/rooms') ? ['r-1', '..'].map((room_id) => ({room_id})) : {room_id: 'r-1'}),
    )
    const ran = await cli(['room', 'end', '--where', 'public!=yes', '--as', 'ann', '--dry-run', '-o', 'json'], {
      transport,
    })
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject([{method: 'POST'}, {method: null, expected: {allowed: 'no'}}])
  })

  test('a room that is listed twice is changed once, and one whose id no path can carry fails alone', async () => {
    const rooms = ['r-1', '..', 'r-1'].map((room_id) => ({room_id, room_status: 'MEETING'}))
    const transport = always(({method}) => (method === 'GET' ? success(rooms) : success()))
    const ran = await cli(['room', 'end', '--where', 'status=MEETING', '--as', 'ann', '--yes', '-o', 'json'], {
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

  test.each([
    [['--older-than', '8h'], 'age>8h'],
    [['--match', 'test-*'], "name~'^test-'"],
    [['--match', '*st*'], 'name~st'],
    [['--empty'], '(status=MEETING or status=IDLE) and present=0'],
    [
      ['--older-than', '8h', '--match', 'test-*', '--where', 'status=MEETING or status=ENDED'],
      'age>8h and name~^test- and (status=MEETING or status=ENDED)',
    ],
    [['--where', 'status=ENDED or max=3', '--older-than', '8h'], '(status=ENDED or max=3) and age>8h'],
    [['--where', 'name~~test-*'], 'name~^test-'],
    [['--where', 'name!~~*st*'], 'name!~st'],
  ])('%j choose the rooms of %s', async (flags, where) => {
    expect(await chosen(...flags)).toEqual(await chosen('--where', where))
  })

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

  test.each(bulkCommands)('%s takes them in place of ids', async (command) => {
    const words = [...command.split(' '), '--match', 'test-*', '--older-than', '8h', '--dry-run', '-o', 'json']
    const ran = await cli(words)
    expect(ran.exit).toBe(0)
    expect(ran.sent.map(({path}) => path).slice(1)).toEqual(
      ['r-test-2', 'r-test-1'].map((id) => `/media/v1/rooms/${id}`),
    )
    expect(JSON.parse(ran.stdout)).toHaveLength(2)
  })

  test('end the rooms they choose', async () => {
    const ran = await cli(['room', 'end', '--match', 'test-*', '--older-than', '8h', '--yes', '-o', 'json'])
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {room_id: 'r-test-2', outcome: 'done'},
      {room_id: 'r-test-1', outcome: 'done'},
    ])
  })

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
    [['room', 'list', '--match', '[z-a]'], 'cannot use the pattern "[z-a]": invalid character class range'],
  ])('%j is refused before anything is sent', async (words, message) => {
    const ran = await cli(words)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(`error: ${message}`)
    expect(ran.stderr).not.toContain('check character')
  })
})

describe('the other bulk commands', () => {
  test('attendee block takes users, and chooses the rooms', async () => {
    const ran = await cli([
      'attendee',
      'block',
      'bot-1',
      '--where',
      'status=MEETING and name~^test',
      '--yes',
      '-o',
      'json',
    ])
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout)).toEqual([
      {room_id: 'r-test-2', outcome: 'done', requester_id: 'ben', attendees: ['bot-1']},
      {room_id: 'r-test-1', outcome: 'done', requester_id: 'ben', attendees: ['bot-1']},
    ])
    expect(ran.sent.find(({method}) => method === 'POST')?.body).toEqual({requester_id: 'ben', attendees: ['bot-1']})
  })

  test('attendee block with --where asks for the count of rooms, and names the users', async () => {
    const ran = await cli(['attendee', 'block', 'bot-1', 'eve', '--where', 'name~^test'], terminal(120, ''))
    expect(ran.asked).toEqual([
      'Block bot-1, eve in 2 rooms on sandbox (built in)? 2 will be refused (BR001).\nType "2" to confirm:',
    ])
    expect(ran.exit).toBe(13)
    expect(posts(ran.sent)).toEqual([])
  })

  test('attendee restore and add do the same, without a requester where the document names none', async () => {
    const store = await demoStore()
    await cli(['attendee', 'block', 'bot-1', '--where', 'name~^test', '--yes'], {store})
    const restored = await cli(['attendee', 'restore', 'bot-1', '--where', 'name~^test', '--yes', '-q'], {store})
    expect(restored).toMatchObject({exit: 0, stdout: 'r-test-2\nr-test-1\n'})
    const added = await cli(['attendee', 'add', 'zoe', 'yuna', '--where', 'status=RESERVED', '--yes', '-o', 'json'])
    expect(added.exit).toBe(0)
    expect(JSON.parse(added.stdout)[0]).toEqual({
      room_id: 'r-first',
      outcome: 'done',
      requester_id: null,
      attendees: ['zoe', 'yuna'],
    })
    expect(added.sent.map(({method}) => method)).toEqual(['GET', 'POST', 'POST', 'POST', 'POST'])
  })

  test('rooms can come from stdin, as --failed-out has written them', async () => {
    const failed = ['# cannot end room r-full: no (X1)', 'r-standup', '# why', 'r-full', ''].join('\n')
    const ran = await cli('attendee block - ben --yes -q', {stdin: failed})
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

  test('several attendees of one room stay one request', async () => {
    const ran = await cli('attendee block r-standup ben 김민준 --yes -o json')
    expect(posts(ran.sent)).toHaveLength(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({room_id: 'r-standup', blocked: ['ben', '김민준']})
  })

  test('users must be named, and not by --all-except', async () => {
    expect(await cli(['attendee', 'restore', '--where', 'max=3', '--yes'])).toMatchObject({exit: 2, sent: []})
    const ran = await cli(['attendee', 'block', '--where', 'max=3', '--all-except', 'ben', '--yes'])
    expect(ran).toMatchObject({exit: 2, sent: []})
    expect(ran.stderr).toContain('--where and --all-except cannot be given together')
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
