import {expect, test} from 'vitest'
import {Attendance} from '../../../../src/features/watch/attendance.js'
import type {RecordedEvent} from '../../../../src/features/watch/recordedEvents.js'

type Event = Omit<RecordedEvent, 'where' | 'after' | 'at'> & {readonly after?: number; readonly at?: number}

const second = 1000
const minute = 60 * second
const room = {room_id: 'r-1'}
const always = {since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY}

function rowsOf(events: readonly Event[], choice: Partial<ConstructorParameters<typeof Attendance>[0]> = {}) {
  const attendance = new Attendance({...always, ...choice})
  let run: string | undefined
  for (const event of events) {
    run = event.run ?? run
    attendance.read({after: 0, at: 0, ...event, where: () => 'line'}, run)
  }
  return attendance.rows()
}

const seen = (at: number, present: string[], run = 'a'): Event => ({
  event: 'room-seen',
  after: at - 2 * second,
  at,
  ...room,
  room_status: present.length > 0 ? 'MEETING' : 'IDLE',
  present,
  run,
})
const moved = (event: 'joined' | 'left', user_id: string, at: number): Event => ({
  event,
  after: at - 5 * second,
  at,
  ...room,
  user_id,
})
const looked = (after: number, run = 'a'): Event => ({event: 'looked', after, at: after + second, run})

test('a session is between its bounds, and another follows a return', () => {
  const [row] = rowsOf([
    seen(2 * second, []),
    moved('joined', 'ann', 10 * second),
    moved('left', 'ann', 70 * second),
    moved('joined', 'ann', 100 * second),
    moved('left', 'ann', 130 * second),
  ])
  expect(row).toEqual({
    ...room,
    user_id: 'ann',
    sessions: 2,
    first_seen: '1970-01-01T00:00:10Z',
    last_seen: '1970-01-01T00:02:05Z',
    minutes_least: 1.33, // 55 s and 25 s
    minutes_most: 1.67, // 65 s and 35 s
    unseen_minutes: 0,
  })
})

test('a session that is open at either end of the recording has no upper bound', () => {
  const events = [seen(2 * second, ['ann']), moved('joined', 'ben', 10 * second), moved('left', 'ann', 62 * second)]
  expect(rowsOf([...events, looked(70 * second)])).toMatchObject([
    {user_id: 'ann', minutes_least: 0.91, minutes_most: null},
    {user_id: 'ben', minutes_least: 1, minutes_most: null, last_seen: '1970-01-01T00:01:10Z'},
  ])
})

test('without the sightings of --initial who was there is known by leaving', () => {
  expect(rowsOf([moved('left', 'ann', minute)])).toMatchObject([{user_id: 'ann', sessions: 1, minutes_most: null}])
})

test('a restart widens the bounds and counts as unseen; a session across it is one', () => {
  const first = [seen(2 * second, []), moved('joined', 'ann', 10 * second), moved('joined', 'ben', 10 * second)]
  const rows = rowsOf([
    ...first,
    looked(40 * second),
    seen(100 * second, ['ann', 'eve'], 'b'),
    moved('left', 'ann', 160 * second),
    moved('left', 'eve', 160 * second),
  ])
  expect(rows).toMatchObject([
    {user_id: 'ann', sessions: 1, minutes_least: 1.41, minutes_most: 2.59, unseen_minutes: 1},
    // He left at 40 s at the earliest, and at 100 s at the latest.
    {user_id: 'ben', sessions: 1, minutes_least: 0.5, minutes_most: 1.59, unseen_minutes: 1},
    {user_id: 'eve', sessions: 1, minutes_least: 0.91, minutes_most: 2, unseen_minutes: 1},
  ])
})

test('a run that begins with no room ends nothing that it does not see', () => {
  const rows = rowsOf([
    seen(2 * second, ['ann']),
    looked(40 * second),
    looked(1000 * second, 'b'),
    looked(2000 * second, 'b'),
  ])
  expect(rows).toMatchObject([{minutes_least: 0.63, minutes_most: null}])
})

test('runs of a version that names none begin with a sighting after other events, or of a room again', () => {
  const nameless = (event: Event): Event => {
    const {run: _, ...rest} = event
    return rest
  }
  for (const between of [[looked(40 * second)], []]) {
    const events = [
      seen(2 * second, ['ann']),
      ...between,
      seen(100 * second, ['ann']),
      moved('left', 'ann', 110 * second),
    ]
    const [row] = rowsOf(events.map(nameless))
    expect(row).toMatchObject({sessions: 1, unseen_minutes: between.length > 0 ? 1 : 1.64})
  }
})

test('an outage widens the bounds and counts as unseen once', () => {
  const rows = rowsOf([
    seen(2 * second, []),
    moved('joined', 'ann', 10 * second),
    {event: 'gap', room_id: 'r-1', after: 20 * second, at: 50 * second},
    {event: 'gap', room_id: null, after: 20 * second, at: 80 * second},
    {event: 'left', after: 20 * second, at: 80 * second, ...room, user_id: 'ann'},
  ])
  expect(rows).toMatchObject([{minutes_least: 0.16, minutes_most: 1.25, unseen_minutes: 1}])
})

test('a room that appears with people in it is a sighting; one that goes ends all sessions', () => {
  const rows = rowsOf([
    looked(0),
    {event: 'room-appeared', after: 10 * second, at: 20 * second, ...room, room_status: 'MEETING', present: ['ann']},
    {event: 'room-appeared', after: 10 * second, at: 20 * second, room_id: 'r-2', room_status: 'MEETING'},
    {event: 'joined', after: 10 * second, at: 20 * second, room_id: 'r-2', user_id: 'ben'},
    {event: 'room-went', after: 80 * second, at: 85 * second, ...room, room_status: 'MEETING'},
    {event: 'room-went', after: 80 * second, at: 85 * second, room_id: 'r-2', room_status: 'MEETING'},
  ])
  expect(rows).toMatchObject([
    {room_id: 'r-1', user_id: 'ann', minutes_least: 1, minutes_most: null},
    {room_id: 'r-2', user_id: 'ben', minutes_least: 1, minutes_most: 1.25},
  ])
})

test('--since and --until cut sessions, and cut ones have bounds', () => {
  const events = [seen(0, ['ann']), looked(600 * second)]
  expect(rowsOf(events, {since: minute, until: 3 * minute})).toMatchObject([
    {
      sessions: 1,
      first_seen: '1970-01-01T00:01:00Z',
      last_seen: '1970-01-01T00:03:00Z',
      minutes_least: 2,
      minutes_most: 2,
    },
  ])
  expect(rowsOf([seen(0, ['ann']), moved('left', 'ann', minute)], {since: 2 * minute})).toEqual([])
  expect(rowsOf(events, {since: 20 * minute})).toEqual([])
})
