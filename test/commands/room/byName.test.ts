import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {always, refusal, success, terminal} from '../answers.js'

const name = 'Daily standup'

const lines: readonly (readonly [readonly string[], string])[] = [
  [['room', 'show', name], 'GET /media/v1/rooms/r-standup'],
  [['room', 'end', name, '--yes'], 'POST /media/v1/rooms/r-standup/end'],
  [['attendee', 'list', name], 'GET /media/v1/rooms/r-standup/attendees'],
  [['attendee', 'block', name, 'ben', '--yes'], 'POST /media/v1/rooms/r-standup/block'],
  [['attendee', 'add', name, 'zoe'], 'POST /media/v1/rooms/r-standup/attendees'],
  [['record', 'list', name], 'POST /media/v1/rooms/r-standup/recordings'],
  [['record', 'stop', name, 'r-support'], 'POST /media/v1/rooms/r-standup/stop-record'],
]

const requests = ({sent}: {readonly sent: readonly {readonly method: string; readonly path: string}[]}) =>
  sent.map(({method, path}) => `${method} ${path}`)

test('a script names a room by its name with --by-name only', async () => {
  await everyCase(lines, async (line, request) => {
    expect(requests(await cli([...line, '--by-name', ...(line.includes('r-support') ? ['--yes'] : [])]))).toContain(
      request,
    )
    expect(requests(await cli([...line, ...(line.includes('r-support') ? ['--yes'] : [])]))).not.toContain(request)
  })
})

test('the id is shown and stored', async () => {
  const ran = await cli(['room', 'end', name, '--by-name', '--yes'])
  expect(ran).toMatchObject({exit: 0, stdout: 'ended room r-standup as ann (host)\n'})
})

describe('a name', () => {
  const rooms = [
    {room_id: 'r-1', name: 'Twin'},
    {room_id: 'r-2', name: 'Twin'},
    {room_id: 'r-3', name: 'r-1'},
  ]
  const transport = () => Promise.resolve(success(rooms))

  test('of several rooms is refused, and their ids are listed', async () => {
    const ran = await cli('room end Twin --by-name --yes', {transport})
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain('error: 2 rooms are named "Twin"\n  why: their ids are r-1, r-2\n')
    expect(requests(ran)).toEqual(['GET /media/v1/rooms'])
  })

  test('of no room is refused', async () => {
    const ran = await cli('room end Nobody --by-name --yes', {transport})
    expect(ran).toMatchObject({exit: 6, stdout: ''})
    expect(ran.stderr).toContain('error: no room has the name "Nobody"\n')
  })
})

describe('on a terminal', () => {
  test('the room of that name is asked about where no room has the id', async () => {
    const ran = await cli(['room', 'end', name, '--yes'], terminal(100, true))
    expect(ran).toMatchObject({
      exit: 0,
      asked: ['No room has the id "Daily standup". Use room r-standup "Daily standup" on sandbox (built in)?'],
    })
    expect(requests(ran)).toContain('POST /media/v1/rooms/r-standup/end')
    const shown = await cli(['room', 'show', name], terminal(100, true))
    expect(shown.stdout).toContain('r-standup')
  })

  test('no is cancelled', async () => {
    const ran = await cli(['room', 'end', name, '--yes'], terminal(100, false))
    expect(ran).toMatchObject({exit: 13, stdout: ''})
    expect(ran.stderr).toMatch(/cancelled\n$/u)
    expect(ran.sent.every(({method}) => method === 'GET')).toBe(true)
  })

  test('one of several rooms of a name is chosen, also where it was given as an id', async () => {
    const store = await demoStore()
    await store.change(({rooms}) => {
      for (const room of rooms) if (room.room_id === 'r-review') room.name = name
    })
    for (const more of [['--by-name'], []]) {
      const ran = await cli(['room', 'show', name, ...more], {...terminal(120, 'r-review'), store})
      expect(ran.exit).toBe(0)
      expect(ran.stdout).toContain('r-review')
      expect(ran.asked).toEqual([
        expect.stringMatching(
          /^2 rooms are named "Daily standup"\. Which one on sandbox \(built in\)\? .*MEETING +\S+ +r-standup .*r-review/su,
        ),
      ])
    }
  })

  test('an id that exists takes one look and no question, and an unknown word stays unknown', async () => {
    const known = await cli('room show r-standup', terminal(100))
    expect(known).toMatchObject({exit: 0, asked: []})
    expect(requests(known)).toEqual(['GET /media/v1/rooms/r-standup'])
    const store = await demoStore()
    expect(await cli('room show nothing-like-it', {...terminal(100), store})).toMatchObject({exit: 6, asked: []})
  })

  test('nothing is asked for a program', async () => {
    expect(await cli(['room', 'show', name, '-o', 'json'], terminal(100))).toMatchObject({exit: 6, asked: []})
    expect(await cli(['room', 'show', name, '--no-input'], terminal(100))).toMatchObject({exit: 6, asked: []})
  })
})

describe('a room that does not exist', () => {
  const lines = ['--as ann --yes', '--yes', '', '-o json'].flatMap((more) => [
    [`room end r-stanup ${more}`, 'r-standup'] as const,
    [`room end Intervew ${more}`, 'r-full "Interview"'] as const,
  ])

  test.each(lines)('has one of a near id or name named, on a terminal and off one: %s', async (line, meant) => {
    for (const circumstances of [{}, terminal(100)]) {
      const ran = await cli(line, circumstances)
      expect(ran).toMatchObject({exit: 6, asked: []})
      const why = line.endsWith('json') ? JSON.parse(ran.stderr).error.why : ran.stderr
      expect(why).toContain(`did you mean ${meant}?`)
      expect(requests(ran).filter((request) => request === 'GET /media/v1/rooms')).toHaveLength(1)
    }
  })

  test('leaves the refusal as it is if the rooms cannot be listed, and one that exists asks for its confirmation', async () => {
    const refused = await cli('room end bord --as ann --yes', {
      transport: always(({url}) => refusal(`${url}`.endsWith('/rooms') ? 'CE003' : 'CE002')),
    })
    expect(refused).toMatchObject({exit: 6})
    expect(refused.stderr).not.toContain('did you mean')
    expect(await cli('room end r-standup')).toMatchObject({exit: 13})
  })

  test.each([
    ['room end zap*', "roomctl room end --match 'zap*'"],
    ['room end zap* --as ann --yes', "roomctl room end --as ann --yes --match 'zap*'"],
    ['room show zap*', "roomctl room list --match 'zap*'"],
    ['attendee block zap* gina', "roomctl attendee block gina --match 'zap*'"],
  ])('and is a pattern: %s names the line that takes it', async (line, advice) => {
    for (const circumstances of [{}, terminal(100)]) {
      const ran = await cli(line, circumstances)
      expect(ran).toMatchObject({exit: 6, asked: []})
      expect(ran.stderr).toContain(`  why: zap* is no id, but a pattern of names\n  try: ${advice}\n`)
    }
  })
})
