import {describe, expect, test} from 'vitest'
import type {WireError, WireResponse} from '../../../src/api/http/wire/transport.js'
import {cli} from '../../support/cli.js'
import {always, instead, lost, page, refusal, success, terminal} from '../answers.js'

const paths = (sent: readonly {readonly method: string; readonly path: string}[]) =>
  sent.map(({method, path}) => `${method} ${path.replace('/media/v1/rooms', '')}`)

const row = (room_id: string, fields: object = {}) => ({room_id, room_status: 'MEETING', ...fields})

/** A service with these rooms; ben is in each, unless the room is answered otherwise. */
function serviceOf(rooms: readonly object[], otherwise: Readonly<Record<string, () => WireResponse | WireError>> = {}) {
  return always(({url}) => {
    const id = /\/v1\/rooms\/([^/]+)\/attendees$/u.exec(url.pathname)?.[1]
    if (id === undefined) return success(rooms)
    return otherwise[id]?.() ?? success([{user_id: 'ben', is_present: true}])
  })
}

test('lists the rooms of a user in the order of the service', async () => {
  const ran = await cli('attendee find eve')
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.stdout).toBe(`ROOM        NAME                STATUS    HOST  PRESENT  CAN ENTER            WHY
r-standup   Daily standup       MEETING   no    no       yes, unless blocked  eve is on the attendee list
r-party     Friday drinks 🎉👩‍💻  MEETING   yes   yes      yes                  eve is in the room now
r-full      Interview           MEETING   no    yes      yes                  eve is in the room now
r-townhall  Town hall           RESERVED  no    no       unknown              the reservation begins at
                                                                              2026-12-02T12:00:00Z; whether anyone can
                                                                              enter before is not documented
r-kickoff   프로젝트 착수 회의  ENDED     no    no       no                   the room is ENDED: it issues no tokens and
                                                                              cannot change
`)
  expect(paths(ran.sent)[0]).toBe('GET ')
  expect(ran.sent).toHaveLength(14)
  expect((await cli('attendee find eve -q')).stdout).toBe('r-standup\nr-party\nr-full\nr-townhall\nr-kickoff\n')
})

test('answers as attendee why does, from the row of the room and its attendees', async () => {
  const rooms: {room_id: string; can_enter: string; reasons: object[]}[] = JSON.parse(
    (await cli('attendee find eve -o json')).stdout,
  )
  for (const {room_id: id, can_enter: verdict, reasons} of rooms) {
    const why = JSON.parse((await cli(`attendee why ${id} eve -o json`)).stdout)
    expect([id, verdict, reasons]).toEqual([id, why.can_enter, why.reasons])
  }
  expect(new Set(rooms.map(({can_enter: verdict}) => verdict))).toEqual(
    new Set(['yes', 'yes, unless blocked', 'unknown', 'no']),
  )
  for (const line of ['attendee find eve -o csv', 'attendee why r-standup eve -o csv']) {
    expect((await cli(line)).stdout).toMatch(/^r-standup,.*"yes, unless blocked"/mu)
  }
  const sorted = (await cli('attendee find ben --sort can_enter --columns why')).stdout
  expect(sorted).toMatch(/^WHY\n.*ENDED/u)
})

test('gives the row of the room and the record of the user to programs', async () => {
  const [first] = JSON.parse((await cli('attendee find eve -o json')).stdout)
  expect(first).toMatchObject({
    room_id: 'r-standup',
    name: 'Daily standup',
    max_attendee_count: 30,
    user_id: 'eve',
    is_host: false,
    is_present: false,
    is_reserved: false,
    is_invited: true,
    can_enter: 'yes, unless blocked',
  })
  expect((await cli('attendee find nobody -o json')).stdout).toBe('[]\n')
})

describe('the rooms that are read', () => {
  test('--present reads only rooms in a meeting', async () => {
    const ran = await cli('attendee find ben --present -q')
    expect(ran.stdout).toBe('r-standup\nr-full\nr-test-1\n')
    expect(ran.sent).toHaveLength(1 + 6)
  })

  test('--status and --match choose before any is read', async () => {
    const byStatus = await cli('attendee find ben --status ended --status idle -q')
    expect(byStatus.stdout).toBe('r-review\nr-retro\n')
    expect(paths(byStatus.sent).slice(1).toSorted()).toEqual(
      ['/r-kickoff', '/r-retro', '/r-review'].map((id) => `GET ${id}/attendees`),
    )
    const byExpression = await cli(['attendee', 'find', 'ben', '--match', 'test*', '-q'])
    expect(byExpression.stdout).toBe('r-test-2\nr-test-1\n')
    expect(byExpression.sent).toHaveLength(3)
  })

  test('a room that is listed twice is read once', async () => {
    const ran = await cli('attendee find ben -q', {transport: serviceOf([row('r-1'), row('r-2'), row('r-1')])})
    expect(ran.stdout).toBe('r-1\nr-2\n')
    expect(ran.sent).toHaveLength(3)
  })

  test('are counted first when there are more than 20', async () => {
    const rooms = (count: number) => Array.from({length: count}, (_, at) => row(`r-${at}`))
    const many = await cli('attendee find ben -q', {transport: serviceOf(rooms(21))})
    expect(many.stderr).toBe('reading the attendees of 21 rooms, one call each\n')
    expect(many.stdout.split('\n')).toHaveLength(22)
    expect((await cli('attendee find ben -q', {transport: serviceOf(rooms(20))})).stderr).toBe('')
  })

  test('are read several at a time, as many as the setting says', async () => {
    let [active, most] = [0, 0]
    const service = serviceOf(Array.from({length: 12}, (_, at) => row(`r-${at}`)))
    const transport: typeof service = async (request) => {
      active += 1
      most = Math.max(most, active)
      await new Promise((resolve) => setTimeout(resolve, 5))
      active -= 1
      return service(request)
    }
    await cli('attendee find ben -q', {transport, env: {ROOMCTL_CONCURRENCY: '3'}})
    expect(most).toBe(3)
  })
})

describe('unreadable rooms', () => {
  const rooms = [row('r-1'), row('r-2'), row('r-3')]

  test('a room that no longer exists is reported and skipped', async () => {
    const transport = serviceOf(rooms, {'r-2': () => refusal('CE002')})
    const ran = await cli('attendee find ben -q', {transport})
    expect(ran).toMatchObject({exit: 0, stdout: 'r-1\nr-3\n', stderr: 'room r-2 no longer exists\n'})
  })

  test.each([
    ['refused', () => refusal('CE003')],
    ['a page', () => page(500)],
    ['lost', () => lost('reset', 'maybe')],
  ])('a room with the answer %s does not stop the others, and the exit code is 11', async (_, come) => {
    const ran = await cli('attendee find ben -o json --retries 0', {transport: serviceOf(rooms, {'r-2': come})})
    expect(ran.exit).toBe(11)
    expect(JSON.parse(ran.stdout)).toMatchObject([{room_id: 'r-1'}, {room_id: 'r-3'}])
    expect(ran.stderr).toMatch(/^warning: cannot list the attendees of room r-2: .+\n$/u)
  })

  test('a room with an impossible id does not stop the others', async () => {
    const ran = await cli('attendee find ben -q', {transport: serviceOf([row('..'), row('r-1')])})
    expect(ran).toMatchObject({exit: 11, stdout: 'r-1\n'})
  })

  test('no room at all ends with what went wrong', async () => {
    const transport = serviceOf(rooms.slice(0, 1), {'r-1': () => refusal('CE100')})
    expect(await cli('attendee find ben', {transport})).toMatchObject({exit: 9, stdout: ''})
  })

  test('a refused token ends the search', async () => {
    const transport = await instead(({url}) => url.pathname.endsWith('/attendees'), [() => refusal('CE200')])
    const ran = await cli('attendee find ben', {transport})
    expect(ran).toMatchObject({exit: 4, stdout: ''})
    expect(ran.sent.length).toBeLessThan(1 + 13)
  })
})

test('a line that cannot be understood sends nothing', async () => {
  for (const line of [
    'attendee find',
    'attendee find ben --status idel',
    'attendee find ben --older-than soon',
    'attendee find ben --columns nope',
  ]) {
    expect(await cli(line)).toMatchObject({exit: 2, stdout: '', sent: []})
  }
  expect(await cli(['attendee', 'find', ''])).toMatchObject({exit: 2, sent: []})
})

test('no match is a sentence on a terminal', async () => {
  const ran = await cli('attendee find nobody', terminal(80))
  expect(ran).toMatchObject({exit: 0, stdout: ''})
  expect(ran.stderr).toContain('nobody is on no attendee list of 13 rooms; open rooms need none\n')
})
