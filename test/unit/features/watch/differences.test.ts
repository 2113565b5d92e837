import {describe, expect, test} from 'vitest'
import type {RoomDetail} from '../../../../src/api/contract/room.js'
import {Failure} from '../../../../src/failure.js'
import {describeEvent, differences} from '../../../../src/features/watch/differences.js'
import {fromDetail, type Rooms, type WatchedRoom} from '../../../../src/features/watch/watchReaders.js'

const meeting: RoomDetail = {
  room_id: 'r-1',
  name: 'Standup',
  room_status: 'MEETING',
  is_joinable: true,
  max_attendee_count: 30,
  attendees: [
    {user_id: 'ann', is_host: true, is_present: true, is_reserved: true},
    {user_id: 'ben', is_host: false, is_present: true, is_reserved: true},
    {user_id: 'eve', is_host: false, is_present: false, is_reserved: true},
  ],
}
type People = NonNullable<RoomDetail['attendees']>

function rooms(...all: readonly WatchedRoom[]): Rooms {
  return new Map(all.map((room) => [room.row.room_id, room]))
}

const look = (changed: Partial<RoomDetail> = {}) => rooms(fromDetail({...meeting, ...changed}, 1000))

const vacantBefore = (vacantAt: number): WatchedRoom => ({...fromDetail(meeting, 1000), vacantAt})

/** The attendees with members changed by user id; null takes one away. */
function people(changed: Readonly<Record<string, object | null>>): {attendees: People} {
  const known = (meeting.attendees ?? []).filter(({user_id}) => changed[user_id] !== null)
  const own = known.map((one) => ({...one, ...changed[one.user_id]}))
  const added = Object.entries(changed).filter(([id, of]) => of && !known.some(({user_id}) => user_id === id))
  return {attendees: [...own, ...added.map(([user_id, of]) => ({user_id, ...of}))]}
}

/** What happened to each room: first to those that went. */
function between(before: Rooms, after: Rooms) {
  const gone = [...before].filter(([id]) => !after.has(id)).flatMap(([, room]) => differences(room, undefined))
  return [...gone, ...[...after].flatMap(([id, room]) => differences(before.get(id), room))]
}

function said(before: Rooms, after: Rooms): string[] {
  return between(before, after).map((event) => `${event.room_id} ${describeEvent(event)}`)
}

describe('between two polls', () => {
  test.each<[string, Partial<RoomDetail>, string[]]>([
    ['somebody enters uninvited', people({fay: {is_present: true}}), ['fay joined']],
    ['somebody leaves and is taken off the list', people({ben: null}), ['ben left']],
    [
      'the host leaves and another follows',
      people({ann: {is_present: false, is_host: false}, ben: {is_host: true}}),
      ['ann left', 'host: ann → ben'],
    ],
    ['there is no host any more', people({ann: {is_host: false}}), ['no longer has a host (was ann)']],
    [
      'everybody leaves',
      {room_status: 'IDLE', ...people({ann: {is_present: false}, ben: {is_present: false}})},
      ['ann left', 'ben left', 'MEETING → IDLE'],
    ],
  ])('%s', (_, changed, words) => {
    expect(said(look(), look(changed))).toEqual(words.map((text) => `r-1 ${text}`))
  })

  test('rooms appear and disappear', () => {
    const other = fromDetail({...meeting, room_id: 'r-2', name: null}, 1000)
    expect(said(rooms(other), look())).toEqual([
      'r-2 disappeared (was MEETING)',
      'r-1 appeared: Standup, MEETING, host ann, present: ann, ben',
    ])
    expect(said(rooms(other), rooms(vacantBefore(500)))).toEqual([
      'r-2 disappeared (was MEETING)',
      'r-1 appeared: Standup, MEETING, host ann',
      'r-1 ann joined',
      'r-1 ben joined',
    ])
  })
})

describe('an event is dated after the last read without it', () => {
  const detail = (changed: Partial<RoomDetail>, rowAt: number, peopleAt: number) => {
    const {attendees: _, ...row} = {...meeting, ...changed}
    return rooms(fromDetail({...meeting, ...changed}, peopleAt, {row, rowAt}))
  }
  const timed = (before: Rooms, after: Rooms) =>
    between(before, after).map((event) => `${event.after} ${describeEvent(event)}`)

  test('the detail counts for people', () => {
    const changed = people({ben: {is_present: false}, eve: {is_present: true}})
    expect(timed(detail({}, 2000, 1000), detail(changed, 4000, 4000))).toEqual(['1000 ben left', '1000 eve joined'])
  })

  test('a user joins and becomes host after the last row that is not MEETING', () => {
    const empty = {room_status: 'IDLE', ...people({ann: {is_present: false}, ben: {is_present: false}})}
    const hostless = {...empty, ...people({ann: {is_present: false, is_host: false}, ben: {is_present: false}})}
    expect(timed(detail(hostless, 2000, 1000), detail({}, 4000, 4000))).toEqual([
      '2000 IDLE → MEETING',
      '2000 ann joined',
      '2000 ben joined',
      '2000 host is ann',
    ])
  })

  test('a room that has a user in it is still MEETING', () => {
    const ended = {room_status: 'ENDED', ...people({ann: {is_present: false}, ben: {is_present: false}})}
    expect(timed(detail({}, 2000, 2500), detail(ended, 4000, 4000))).toEqual([
      '2500 ann left',
      '2500 ben left',
      '2500 MEETING → ENDED',
    ])
    expect(
      timed(
        detail(people({ann: {is_present: false}, ben: {is_present: false}}), 2000, 2500),
        detail(ended, 4000, 4000),
      ),
    ).toEqual(['2000 MEETING → ENDED'])
  })

  test('a room that appears dates its users after the read that showed it empty', () => {
    expect(timed(rooms(), look())).toEqual(['1000 appeared: Standup, MEETING, host ann, present: ann, ben'])
    expect(timed(rooms(), rooms(vacantBefore(500)))).toEqual([
      '500 appeared: Standup, MEETING, host ann',
      '500 ann joined',
      '500 ben joined',
    ])
  })

  test('a room that could not be read has its gap first', () => {
    const [room] = look().values()
    if (!room) throw new Error('there is no room')
    const unread = rooms({...room, unread: new Failure({exit: 'network', message: 'reset'})})
    expect(between(look(), unread)).toEqual([])
    expect(timed(unread, look(people({ben: {is_present: false}})))).toEqual([
      '1000 not seen since 1970-01-01T00:00:01Z: reset',
      '1000 ben left',
    ])
  })
})
