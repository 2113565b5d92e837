import {describe, expect, test} from 'vitest'
import type {RoomDetail, RoomSummary} from '../../../../src/api/contract/room.js'
import {abilitiesIn} from '../../../../src/api/rules/predict.js'
import type {ViewContext} from '../../../../src/view/format/columns.js'
import {drawList, drawOne, type OutputOptions} from '../../../../src/view/format/output.js'
import {recordingList, roomCard, roomList, withAbilities} from '../../../../src/view/room/room.js'
import {drawn, place, spoken} from '../stage.js'

const meeting: RoomDetail = {
  room_id: 'r-1',
  name: '주간 회의',
  room_status: 'MEETING',
  reserved_start_time: '2026-12-01T09:00:00Z',
  reserved_end_time: '2026-12-01T13:00:00Z',
  start_time: '2026-12-01T09:05:00Z',
  max_attendee_count: 30,
  is_public: true,
  created_by: 'kim',
  description: 'Everybody is welcome',
  is_joinable: false,
  is_elect_host: true,
  host_selection_type: 'CREATOR',
  attendee_count: {present_count: 2, reserved_count: 3, invited_count: 1},
  attendees: [
    {user_id: 'kim', is_host: true, is_present: true, is_reserved: true, is_invited: false},
    {user_id: 'lee', is_host: false, is_present: null, is_reserved: true},
  ],
}
const reserved: RoomSummary = {
  room_id: 'r-2',
  name: 'standup',
  room_status: 'RESERVED',
  reserved_start_time: '2026-12-01T15:30:00Z',
}

const options = (about: Partial<OutputOptions> = {}): OutputOptions => ({format: 'table', header: true, ...about})
const rooms = (about: Partial<OutputOptions> = {}, where: Partial<ViewContext> = {}, view = roomList) =>
  drawn(drawList([meeting, reserved], view, options(about), place(where)))
const card = (room: RoomDetail, about: Partial<OutputOptions> = {}, where: Partial<ViewContext> = {}) =>
  drawn(drawOne(room, withAbilities(roomCard, abilitiesIn(room, 'host', undefined)), options(about), place(where)))

describe('the list of rooms', () => {
  test('gives the age in seconds to programs, and sorts by it', async () => {
    expect(await rooms({format: 'csv', columns: ['room_id', 'age'], sort: 'age', header: false})).toBe(
      'r-2,-12600\nr-1,10500\n',
    )
  })

  test('has no age without a moment to count from', async () => {
    const vague = {room_id: 'r-3', reserved_start_time: '2026-12-01T09:00:00'}
    expect(await drawn(drawList([vague], roomList, options({columns: ['age']}), place()))).toBe('AGE\n  -\n')
  })

  test.each([
    ['MEETING', 'green'],
    ['RESERVED', 'cyan'],
    ['IDLE', 'yellow'],
    ['ENDED', 'dim'],
  ])('colours %s %s and shows its text', async (state, colour) => {
    const rows = [{room_id: 'r', room_status: state}]
    const text = await drawn(drawList(rows, roomList, options({columns: ['status']}), place({style: spoken})))
    expect(text).toContain(`<${colour}>${state}</>`)
  })
})

describe('the card of a room', () => {
  test('is no wider than the terminal, but for ids and addresses', async () => {
    const address = `https://example.com/${'x'.repeat(70)}`
    const text = await card(
      {...meeting, description: `아주 긴 설명입니다 ${'word '.repeat(30)}${address}`},
      {},
      {columns: 80},
    )
    const wide = text.split('\n').filter((line) => line.length > 80)
    expect(wide).toEqual([`               ${address}`])
    expect(text).toContain(
      'allowed now: room update, end, delegate; attendee add, token, block, restore;\nrecord start',
    )
  })

  test('has a bold title, quiet labels and a coloured state', async () => {
    const text = await card(meeting, {}, {style: spoken, columns: 80})
    expect(text).toContain('<bold>주간 회의</>\n')
    expect(text).toMatch(/^ {2}<dim>ID<\/> +r-1$/m)
    expect(text).toMatch(/<dim>Status<\/> +<green>MEETING<\/>/)
    expect(text).toContain('<bold>USER  HOST')
  })

  test('says that the list is empty, and nothing if the list is not known', async () => {
    expect(await card({...meeting, attendees: []})).toContain('\n\n  nobody is on the attendee list\n')
    expect(await card({...meeting, attendees: null})).not.toContain('attendee list')
  })
})

describe('attendees and recordings', () => {
  test('an invalid size is shown as it is', async () => {
    const files = [{file_name: 'a', file_size: 'big' as unknown as number, duration: null}]
    expect(await drawn(drawList(files, recordingList, options({header: false}), place()))).toBe('a  big  -\n')
  })
})
