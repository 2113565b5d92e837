import type {Failure} from '../../api/contract/failure.js'
import type {RoomSummary} from '../../api/contract/room.js'
import type {WatchEvent} from './event.js'
import {type Person, type Rooms, type WatchedRoom, watchedHost, watchedPresent} from './watchedRoom.js'

/** The fields of a row whose changes are told; the actual times follow the state. */
const fields = [
  'name',
  'description',
  'is_public',
  'is_joinable',
  'max_attendee_count',
  'reserved_start_time',
  'reserved_end_time',
] as const satisfies readonly (keyof RoomSummary)[]

/** What is told of the rooms as they are, before anything has happened. */
export function sightings(rooms: Rooms): WatchEvent[] {
  return Array.from(rooms.values(), (room) => ({
    event: 'room-seen',
    ...ofRoom(room, room.rowAt),
    room_status: statusOf(room),
    host: watchedHost(room),
    present: watchedPresent(room),
  }))
}

/**
 * What happened between two looks, room by room in the order of the later one, and first the rooms that went. Of one room in the
 * order in which it can have happened: who leaves does so before the room is IDLE or ENDED, who joins once it is MEETING.
 * `looked`: when the look began that the earlier rooms are of.
 */
export function differences(before: Rooms, after: Rooms, looked: number): WatchEvent[] {
  const gone = Array.from(before.values()).filter(({row}) => !after.has(row.room_id))
  return [...gone.map(wentEvent), ...Array.from(after.values()).flatMap(changesSince)]

  function changesSince(room: WatchedRoom): WatchEvent[] {
    const known = before.get(room.row.room_id)
    if (known === room) return []
    return known ? changes(known, room) : appearance(room, looked)
  }
}

function wentEvent(room: WatchedRoom): WatchEvent {
  return {event: 'room-went', ...ofRoom(room, room.rowAt), room_status: statusOf(room)}
}

/** Whoever is in a room that was not there before has joined it since. */
function appearance(room: WatchedRoom, looked: number): WatchEvent[] {
  const joined = watchedPresent(room).map((user_id) => ({event: 'joined', ...ofRoom(room, looked), user_id}) as const)
  return [
    {event: 'room-appeared', ...ofRoom(room, looked), room_status: statusOf(room), host: watchedHost(room)},
    ...joined,
  ]
}

function changes(before: WatchedRoom, after: WatchedRoom): WatchEvent[] {
  return [
    ...(before.unread && !after.unread ? [gapOf(before, before.unread)] : []),
    ...goings(before, after),
    ...stateChange(before, after),
    ...fieldChanges(before, after),
    ...comings(before, after),
    ...roleChange('host-changed', watchedHost, before, after),
    ...roleChange('presenter-changed', ({presenter}) => presenter, before, after),
  ]
}

/** The time in which one room could not be read. */
export function gapOf(room: WatchedRoom, {facts}: Failure): WatchEvent {
  return {event: 'gap', ...ofRoom(room, Math.min(room.rowAt, room.peopleAt)), why: facts.message}
}

function goings(before: WatchedRoom, after: WatchedRoom): WatchEvent[] {
  const {people} = after
  if (people === undefined) return []
  return Array.from(before.people ?? []).flatMap(([user_id, was]) => {
    const is = people.get(user_id)
    const left = was.isPresent && is?.isPresent !== true
    return [
      ...(left ? [{event: 'left', ...ofRoom(after, before.peopleAt), user_id} as const] : []),
      ...(is === undefined ? [{event: 'removed', ...ofRoom(after, before.peopleAt), user_id} as const] : []),
    ]
  })
}

/** Where nobody's names were read before, only those who are in the room now are known to be new: they have joined. */
function comings(before: WatchedRoom, after: WatchedRoom): WatchEvent[] {
  // Nobody is in a room that is not MEETING (room, States), which its row tells.
  const emptyAt = before.people === undefined || statusOf(before) !== 'MEETING' ? before.rowAt : before.peopleAt
  return Array.from(after.people ?? []).flatMap(([user_id, is]) => {
    const was = before.people?.get(user_id)
    const added = before.people !== undefined && was === undefined && isAddition(is)
    const joined = is.isPresent && was?.isPresent !== true
    return [
      ...(added ? [{event: 'added', ...ofRoom(after, before.peopleAt), user_id} as const] : []),
      ...(joined ? [{event: 'joined', ...ofRoom(after, emptyAt), user_id} as const] : []),
    ]
  })
}

/** Who enters a public room uninvited is on the list from then on: that is one event, not two. */
function isAddition({isListed, isPresent}: Person): boolean {
  return isListed || !isPresent
}

function stateChange(before: WatchedRoom, after: WatchedRoom): WatchEvent[] {
  const room_status = statusOf(after)
  const was = statusOf(before)
  return room_status === was ? [] : [{event: 'state-changed', ...ofRoom(after, before.rowAt), room_status, before: was}]
}

function fieldChanges(before: WatchedRoom, after: WatchedRoom): WatchEvent[] {
  return fields.flatMap((field) => {
    const value = after.row[field] ?? null
    const was = before.row[field] ?? null
    return value === was
      ? []
      : [{event: 'room-changed', ...ofRoom(after, before.rowAt), field, value, before: was} as const]
  })
}

/** Who had a role before is known only where the detail was read. */
function roleChange(
  event: 'host-changed' | 'presenter-changed',
  holder: (room: WatchedRoom) => string | null,
  before: WatchedRoom,
  after: WatchedRoom,
): WatchEvent[] {
  if (before.people === undefined || after.people === undefined) return []
  const user_id = holder(after)
  const was = holder(before)
  return user_id === was ? [] : [{event, ...ofRoom(after, before.peopleAt), user_id, before: was}]
}

/** `after`: when the reading began that did not show it yet. */
function ofRoom({row}: WatchedRoom, after: number) {
  return {after, room_id: row.room_id, name: row.name ?? null}
}

function statusOf({row}: WatchedRoom): string | null {
  return row.room_status ?? null
}
