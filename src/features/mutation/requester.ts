import type {Operation, Values} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {actorIn, isRole, whoMay, whyVacant} from '../../api/rules/room.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith} from '../../failure.js'
import {readRoom} from '../bulk/readRooms.js'

/** The requester of an operation, and the room if it was read for it. */
export interface Requester {
  readonly requester_id: string
  readonly role: 'named' | 'host' | 'creator'
  readonly room?: RoomDetail
}

interface RequesterOptions {
  readonly operation: Operation
  readonly body?: Values | undefined
  readonly known?: RoomDetail | undefined
  /** The purpose: `end room r-1`. */
  readonly doing?: (() => string) | undefined
}

/** Whether the document lets the host or the creator make the change (room, Operation validity by state). */
export function namesRequester({id}: Operation): boolean {
  const who = whoMay(id)
  return who === 'host' || who === 'host or creator'
}

/** The document's field table names the requester of an update `requester_id`, its example body `user_id`: a setting chooses. */
export function requesterField({resolved}: Session, {id}: Operation): string {
  return id === 'room.update' ? resolved.values.updateRequesterField : 'requester_id'
}

/** The requester, as flags and profile say: a user, `host` or `creator`. */
export function requestedRole({resolved}: Session): string {
  return resolved.values.requester ?? 'host'
}

/** `requester_id`: `--as`, else the profile's requester, else the host; reads the room only for a role. Throws Failure (state). */
export async function resolveRequester(
  session: Session,
  roomId: string,
  {operation, body, known, doing}: RequesterOptions,
): Promise<Requester> {
  const role = requestedRole(session)
  if (!isRole(role)) return {requester_id: role, role: 'named', ...(known ? {room: known} : {})}
  const room = known ?? (await readRoom(session, roomId, doing))
  const actor = actorIn(room, role, whoMay(operation.id, body))
  if (actor) return {...actor, room}
  throw nobodyToActAs(role, room)
}

/** How a requester is named in sentences: `ann (host)`. */
export function describeRequester({requester_id: user, role}: Requester): string {
  return role === 'named' ? user : `${user} (${role})`
}

function nobodyToActAs(role: 'host' | 'creator', room: RoomDetail): Failure {
  const isUnshown = role === 'creator' || room.attendees == null
  const {room_id: id} = room
  const message = isUnshown ? `cannot determine the ${role} of room ${id}` : `room ${id} has no host to act as`
  return failureWith('state', message, {
    cause: isUnshown ? `cannot determine its ${role}` : 'it has no host to act as',
    code: 'no-host',
    why: whyVacant(room, role),
    try: `name the requester with --as${role === 'host' ? ', or wait until somebody is host' : ''}`,
  })
}
