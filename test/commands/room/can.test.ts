import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {always, success} from '../answers.js'

interface Answer {
  readonly action: string
  readonly allowed: string
  readonly as: string | null
  readonly why: string
  readonly code: string | null
}

const answers = async (line: string): Promise<Answer[]> => JSON.parse((await cli(`${line} -o json`)).stdout)

test('a state that the document does not have is left to the service', async () => {
  const transport = always(() => success({room_id: 'r-1', room_status: 'FROZEN', created_by: 'ann'}))
  const ran = await cli('room can r-1 end --as ann -o json', {transport})
  expect(ran.exit).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject([{allowed: 'unknown'}])
})

describe('one action', () => {
  test.each([
    ['room can r-standup end', 0, 'yes', null],
    ['room can r-review end', 7, 'no', 'ER001'],
    ['room can r-standup delete', 7, 'no', 'D001'],
    ['room can r-retro delete', 0, 'unknown', null],
    ['room can r-standup record.stop', 0, 'unknown', null],
    ['room can r-standup presenter', 0, 'unknown', null],
    ['room can r-full attendee.add', 7, 'no', 'AA001'],
    ['room can r-full attendee.token', 7, 'no', 'CE001'],
    ['room can r-retro START', 7, 'no', 'RE001'],
    ['room can r-review record.start', 7, 'no', 'FAILED_PRECONDITION'],
    ['room can r-townhall record.start', 7, 'no', 'FAILED_PRECONDITION'],
    ['room can r-standup end --as ben', 7, 'no', 'CE003'],
    ['room can r-standup block --as ben', 7, 'no', 'CE003'],
    ['room can r-standup block --as creator', 0, 'yes', null],
    ['room can r-standup add --as ben', 0, 'yes', null],
  ])('%s ends with %i', async (line, exit, verdict, code) => {
    const ran = await cli(`${line} -o json`)
    expect(ran).toMatchObject({exit, stderr: ''})
    expect(JSON.parse(ran.stdout)).toMatchObject([{allowed: verdict, code}])
    expect(ran.sent.map(({method}) => method)).toEqual(['GET'])
  })

  test('is answered for people with the reason and the requester', async () => {
    expect((await cli('room can r-review end')).stdout).toBe(
      'ACTION    ALLOWED  AS   CODE   WHY\nroom.end  no       ann  ER001  the room is IDLE; it is allowed in MEETING\n',
    )
  })

  test('that is unknown is refused before the room is read', async () => {
    expect(await cli('room can r-standup fly')).toMatchObject({exit: 2, stdout: '', sent: []})
  })
})

test('all actions end with 0, also where some are refused', async () => {
  const ran = await cli('room can r-retro')
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.stdout).not.toMatch(/undefined|null/)
  expect((await cli('room can r-retro -q')).stdout.split('\n')).toContain('room.end')
})

test('a room without a host allows no user the actions of a host', async () => {
  const rows = await answers('room can r-first')
  expect(rows.find(({action}) => action === 'room.update')).toMatchObject({allowed: 'unknown', as: null})
  const {why} = rows.find(({action}) => action === 'room.update') ?? {}
  expect(why).toMatch(/FIRST_ENTER_USER.*the creator may change is_joinable alone/u)
  expect(rows.find(({action}) => action === 'room.delete')).toMatchObject({allowed: 'no', as: null})
  expect(rows.find(({action}) => action === 'attendee.block')).toMatchObject({as: 'dora'})
})

test('an action in the place of the room is reported, with the line that has them in order', async () => {
  expect(await cli('room can end r-standup')).toMatchObject({
    exit: 2,
    sent: [],
    stderr: 'error: the arguments look swapped: end is an action\n  try: roomctl room can r-standup end\n',
  })
  expect((await cli('room can end gird')).stderr).toContain('swapped')
  expect((await cli('room can r-standup gird')).stderr).toContain('ACTION takes')
})

test('a room that does not exist ends with 6', async () => {
  expect(await cli('room can nope end')).toMatchObject({exit: 6, stdout: ''})
})
