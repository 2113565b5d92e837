import {Failure} from '../../api/contract/failure.js'
import {get, type RoomDetail} from '../../api/contract/room.js'
import {hostOf} from '../../api/rules/room.js'
import type {Session} from '../../cli/session/session.js'

/** Whom an operation is done as (product §4), and the room if it had to be read to know. */
export interface Requester {
  readonly requester_id: string
  readonly role: 'named' | 'host' | 'creator'
  readonly room?: RoomDetail
}

interface ActingOptions {
  /** The document lets the creator do it too. */
  readonly creatorWillDo?: boolean
  /** The room, where it was read already. */
  readonly known?: RoomDetail
  /** What it is for: `end room r-1`. */
  readonly doing?: string
  /** `host`, `creator` or a user, where not as flags and profile say. */
  readonly wish?: string
}

/** Whom to act as, as flags and profile say: a user, `host` or `creator`. */
export function requestedRole({resolved}: Session): string {
  return resolved.values.requester ?? 'host'
}

/**
 * Settles the `requester_id` of a room operation: `--as USER|host|creator`, else the profile's requester, else the host.
 * The room is read only where a role has to be looked up.
 * Raises a Failure (state) with the ways out when the room has no host.
 */
export async function resolveRequester(
  session: Session,
  roomId: string,
  {creatorWillDo = false, known, doing, wish = requestedRole(session)}: ActingOptions = {},
): Promise<Requester> {
  if (wish !== 'host' && wish !== 'creator') return {requester_id: wish, role: 'named', ...(known ? {room: known} : {})}
  const room = known ?? (await readRoom(session, roomId, doing))
  const host = hostOf(room)
  if (wish === 'host' && host !== undefined) return {requester_id: host, role: 'host', room}
  if ((wish === 'creator' || creatorWillDo) && room.created_by)
    return {requester_id: room.created_by, role: 'creator', room}
  throw nobodyToActAs(wish, room)
}

/** Reads a room with its attendees. `doing`: what it is read for, which is then what a failure says cannot be done. */
export function readRoom({api}: Session, roomId: string, doing?: string): Promise<RoomDetail> {
  return api.call(doing === undefined ? get : {...get, doing}, {path: {roomId}})
}

/** How an acting person is named in sentences: `ann (host)`. */
export function describeRequester({requester_id: user, role}: Requester): string {
  return role === 'named' ? user : `${user} (${role})`
}

function nobodyToActAs(wish: 'host' | 'creator', room: RoomDetail): Failure {
  return new Failure({
    exit: 'state',
    code: 'no-host',
    message: `room ${room.room_id} has no ${wish} to act as`,
    why: wish === 'creator' ? 'the service does not say who created it' : whyNoHost(room),
    try: `name whom to act as with --as USER${wish === 'host' ? ', or wait until somebody is host' : ''}`,
  })
}

function whyNoHost(room: RoomDetail): string {
  if (room.host_selection_type === 'FIRST_ENTER_USER' && room.room_status === 'RESERVED') {
    return 'the first to enter becomes host (FIRST_ENTER_USER), and nobody has entered yet'
  }
  if (room.is_elect_host === false) return 'the host has left, and no other is chosen (is_elect_host is false)'
  return 'none of its attendees is host now'
}
