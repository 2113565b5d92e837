import {expect, test} from 'vitest'
import {displayWidth} from '../../../src/text/width.js'
import {cli} from '../../support/cli.js'
import {success, terminal} from '../answers.js'
import {open} from '../attendee/open.js'

test('a room is a card with its fields, its attendees and what its state allows', async () => {
  const ran = await cli('room show r-standup')
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.sent.map(({method, path}) => `${method} ${path}`)).toEqual(['GET /media/v1/rooms/r-standup'])
  expect(ran.stdout).toBe(`Daily standup

  ID          r-standup
  Status      MEETING
  Reserved    2026-12-01T11:35:00Z – 2026-12-01T12:20:00Z
  Met         2026-12-01T11:36:00Z
  People      3 of 30 present, 5 reserved, 1 invited
  Access      public, joinable
  Host        ann (CREATOR, elects a successor)
  Created by  ann

  USER    HOST  PRESENT  RESERVED  INVITED
  ann     yes   yes      yes       no
  ben     no    yes      yes       no
  김민준  no    yes      yes       no
  dora    no    no       yes       no
  eve     no    no       no        yes

allowed now: room update, end, delegate; attendee add, token, block, restore; record start
refused now: room delete
depends on the service: room presenter, send; record stop
presenter: ben
`)
})

test('a room is the plain object as JSON', async () => {
  const room = JSON.parse((await cli('room show r-private -o json')).stdout)
  expect(room).toMatchObject({
    room_id: 'r-private',
    room_status: 'RESERVED',
    is_public: false,
    max_attendee_count: 5,
    host_selection_type: 'CREATOR',
    attendee_count: {present_count: 0, reserved_count: 3, invited_count: 1},
  })
  expect(room.attendees[0]).toEqual({
    user_id: 'ben',
    is_host: true,
    is_present: false,
    is_reserved: true,
    is_invited: false,
  })
})

test.each([60, 80, 200])('a card fits a terminal of %i columns', async (columns) => {
  const ran = await cli('room show r-townhall', terminal(columns))
  for (const line of ran.stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  expect(ran.stdout).toContain('r-townhall')
})

test('fields can be chosen, in a card and as csv', async () => {
  expect((await cli('room show r-standup --columns host,name')).stdout).toBe('  Host  ann\n  Name  Daily standup\n')
  expect((await cli('room show r-standup -o csv --columns room_id,host,present_count')).stdout).toBe(
    'room_id,host,present_count\nr-standup,ann,3\n',
  )
  expect((await cli('room show r-standup -q')).stdout).toBe('r-standup\n')
  expect((await cli('room show r-standup -o ndjson')).stdout.trimEnd().split('\n')).toHaveLength(1)
})

test('a room that does not exist ends with 6 and the way to find others', async () => {
  expect(await cli('room show nope')).toMatchObject({
    exit: 6,
    stdout: '',
    stderr:
      'error: cannot read room nope: room nope does not exist (CE002)\n' +
      '  why: the id is wrong, the room was deleted, or it belongs to another application\n' +
      '  try: roomctl room list\n',
  })
})

test('an undocumented state is shown unchanged, and a host that the service does not show is unknown', async () => {
  const room = {room_id: 'r-1', name: 'One', room_status: 'PAUSED', host_selection_type: 'CREATOR'}
  const {stdout} = await cli('room show r-1', {transport: async () => success(room)})
  expect(stdout).toContain('Status  PAUSED\n')
  expect(stdout).toContain('Host    unknown (CREATOR)\n')
  expect(stdout).toContain('depends on the service (the state PAUSED is not documented): room update, delete, end, ')
  const dry = await cli('room end r-1 --dry-run --as ann', {transport: async () => success(room)})
  expect(dry.stdout).toContain('the service decides: the state PAUSED is not documented\n')
  const listed = await cli('room list -q --status paused', {transport: async () => success([room])})
  expect(listed).toMatchObject({exit: 0, stdout: 'r-1\n'})
})

test('a note says that the present users are counted in two ways, in the card, a question and a watch', async () => {
  const room = {...open, attendee_count: {present_count: 7}}
  const note = 'note: present_count and the attendees present differ in room r-1; the larger number counts\n'
  const transport = async () => success(room)
  for (const line of ['room show r-1', 'room watch r-1 --until-status meeting']) {
    expect([line, (await cli(line, {transport})).stderr]).toEqual([line, expect.stringContaining(note)])
  }
  expect((await cli('room end r-1 --as ann', {transport, ...terminal(100, false)})).stderr).toContain(note)
})
