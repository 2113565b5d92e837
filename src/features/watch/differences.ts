import type {Failure} from '../../failure.js'
import {utcSecond} from '../../text/time.js'
import {isVacant, type WatchedRoom, watchedHost, watchedPresent} from './watchReaders.js'

/**
 * What happened to a room between two readings, in the order in which it can have happened: who leaves does so before the room is
 * IDLE or ENDED, who joins once it is MEETING.
 */
export function differences(was: WatchedRoom | undefined, is: WatchedRoom | undefined): RoomEvent[] {
  if (was && is) return was === is ? [] : changes(was, is)
  if (was) return [{event: 'room-went', ...ofRoom(was, was.rowAt), room_status: statusOf(was)}]
  return is ? appearance(is) : []
}

/** Users of a room that was empty or missing have joined since; for others the time of joining is unknown. */
function appearance(room: WatchedRoom): RoomEvent[] {
  const {rowAt} = room
  // Older than the room itself is only a time from before the clock was set back.
  const vacantAt = (room.vacantAt ?? 0) > rowAt ? undefined : room.vacantAt
  const present = watchedPresent(room)
  if (vacantAt === undefined) return [{event: 'room-appeared', ...stateOf(room, rowAt), present}]
  const joined = present.map((user_id) => ({event: 'joined', ...ofRoom(room, vacantAt), user_id}) as const)
  return [{event: 'room-appeared', ...stateOf(room, vacantAt)}, ...joined]
}

function changes(before: WatchedRoom, after: WatchedRoom): RoomEvent[] {
  return [
    ...(before.unread && !after.unread ? [gapOf(before, before.unread)] : []),
    ...goings(before, after),
    ...stateChange(before, after),
    ...comings(before, after),
    ...hostChange(before, after),
  ]
}

export function gapOf(room: WatchedRoom, {facts}: Failure): RoomEvent {
  return {event: 'gap', ...ofRoom(room, Math.min(room.rowAt, room.peopleAt)), why: facts.message}
}

function goings(before: WatchedRoom, after: WatchedRoom): RoomEvent[] {
  const {people} = after
  if (people === undefined) return []
  return Array.from(before.people ?? []).flatMap(([user_id, was]) => {
    const left = was.isPresent && people.get(user_id)?.isPresent !== true
    return left ? [{event: 'left', ...ofRoom(after, before.peopleAt), user_id} as const] : []
  })
}

/** Without names read before, only the present users are known to be new: they have joined. */
function comings(before: WatchedRoom, after: WatchedRoom): RoomEvent[] {
  return Array.from(after.people ?? []).flatMap(([user_id, is]) => {
    const joined = is.isPresent && before.people?.get(user_id)?.isPresent !== true
    return joined ? [{event: 'joined', ...ofRoom(after, peopleSince(before)), user_id} as const] : []
  })
}

/** The start of possible changes of its users, which happen in MEETING alone. */
function peopleSince({row, rowAt, peopleAt}: WatchedRoom): number {
  return isVacant(row) ? rowAt : peopleAt
}

function stateChange(before: WatchedRoom, after: WatchedRoom): RoomEvent[] {
  const room_status = statusOf(after)
  const was = statusOf(before)
  return room_status === was
    ? []
    : [{event: 'state-changed', ...ofRoom(after, stateSince(before)), room_status, before: was}]
}

/** A room with users that was MEETING by its row still was. */
function stateSince(room: WatchedRoom): number {
  const {row, rowAt, peopleAt} = room
  return isVacant(row) || watchedPresent(room).length === 0 ? rowAt : Math.max(rowAt, peopleAt)
}

/** Earlier hosts are known only if the detail was read. */
function hostChange(before: WatchedRoom, after: WatchedRoom): RoomEvent[] {
  if (before.people === undefined || after.people === undefined) return []
  const user_id = watchedHost(after)
  const was = watchedHost(before)
  return user_id === was ? [] : [{event: 'host-changed', ...ofRoom(after, peopleSince(before)), user_id, before: was}]
}

/** `after`: when the reading began that did not show it yet. */
function ofRoom({row}: WatchedRoom, after: number) {
  return {after, room_id: row.room_id, name: row.name ?? null}
}

function stateOf(room: WatchedRoom, after: number) {
  return {...ofRoom(room, after), room_status: statusOf(room), host: watchedHost(room)}
}

function statusOf({row}: WatchedRoom): string | null {
  return row.room_status ?? null
}

/** A room, and when something happened to it: after the reading that did not show it yet began, in milliseconds since 1970. */
interface OfRoom<Id = string> {
  readonly after: number
  readonly room_id: Id
  readonly name: string | null
}

/** Null: no user, or no value. */
type Member = string | null

/** A difference between two readings of a room, under the documents' names. */
export type RoomEvent =
  // In this time nothing was seen of a room, or of any (null): an outage, or a pause.
  | (OfRoom<Member> & {readonly event: 'gap'; readonly why: string})
  // A room that is first listed or chosen, with its present users if they may have been in it before.
  | (OfRoom & {
      readonly event: 'room-appeared'
      readonly room_status: Member
      readonly host: Member
      readonly present?: readonly string[]
    })
  // As it was last seen.
  | (OfRoom & {readonly event: 'room-went'; readonly room_status: Member})
  | (OfRoom & {readonly event: 'state-changed'; readonly room_status: Member; readonly before: Member})
  | (OfRoom & {readonly event: 'joined' | 'left'; readonly user_id: string})
  | (OfRoom & {readonly event: 'host-changed'; readonly user_id: Member; readonly before: Member})

/** The change, as text after the room's id: `ann joined`. It may contain server text. `arrow` is a word for screen readers. */
export function describeEvent(event: RoomEvent, arrow = '→'): string {
  switch (event.event) {
    case 'gap':
      return `not seen since ${utcSecond(event.after)}: ${event.why}`
    case 'room-appeared':
      return `appeared: ${describeState(event)}${event.present?.length ? `, present: ${event.present.join(', ')}` : ''}`
    case 'room-went':
      return `disappeared (was ${shown(event.room_status)})`
    case 'state-changed':
      return `${shown(event.before)} ${arrow} ${shown(event.room_status)}`
    case 'host-changed':
      return describeHost(event, arrow)
    default:
      return `${event.user_id} ${event.event}`
  }
}

/** The time of a line of the watch, rounded up, so that times never decrease. */
export function secondAfter(ms: number): string {
  return utcSecond(Math.ceil(ms / 1000) * 1000)
}

function describeState(event: Extract<RoomEvent, {room_status: unknown; host: unknown}>): string {
  const name = event.name ? `${event.name}, ` : ''
  return `${name}${shown(event.room_status)}, ${event.host === null ? 'no host' : `host ${event.host}`}`
}

function describeHost(
  {user_id: is, before: was}: {readonly user_id: Member; readonly before: Member},
  arrow: string,
): string {
  if (is === null) return `no longer has a host (was ${was})`
  return was === null ? `host is ${is}` : `host: ${was} ${arrow} ${is}`
}

function shown(status: Member): string {
  return status || 'not set'
}
