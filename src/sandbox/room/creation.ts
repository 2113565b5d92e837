import type {Input} from '../../api/contract/operation.js'
import type {create} from '../../api/contract/room.js'
import {refuse} from '../wire/refusal.js'
import type {Room, World} from '../world/world.js'
import {newId, type Scene} from './handler.js'
import {each, newAttendee} from './people.js'
import {checkSeats} from './rules.js'
import {checkReservation, moment, utc} from './time.js'

type Request = Input<typeof create>['body']

/** room, Limits. */
const defaultSeats = 30

/**
 * What the console says of a new room, which overrides the request (room §1 rule 8). The application configuration is
 * taken to be that console setting: both have the same five options.
 */
function overridden(world: World, request: Request): Request {
  const console = {...world.choices.console, ...world.configuration?.values}
  return {
    ...request,
    max_attendee_count: console.config_max_attendee_count ?? request.max_attendee_count ?? defaultSeats,
    is_joinable: console.config_is_joinable_view ?? request.is_joinable,
    host_selection_type: console.config_host_selection_type ?? request.host_selection_type,
    is_elect_host: console.config_is_elect_host ?? request.is_elect_host,
  }
}

/** Refuses with CE001 a room without its creator where the creator must be in it (room §1 rules 3 and 4). */
function checkCreator(request: Request, isPublic: boolean, attendees: readonly string[]): void {
  if (attendees.includes(request.created_by)) return
  if (request.host_selection_type === 'CREATOR') {
    refuse('CE001', `attendees: host_selection_type is CREATOR, so created_by ${request.created_by} must be among them`)
  }
  if (!isPublic)
    refuse('CE001', `attendees: the room is private, so created_by ${request.created_by} must be among them`)
}

/** A RESERVED room as the request and the console want it. Refuses with CE001 what is unsuitable (room §1). */
export function newRoom(asked: Request, scene: Scene): Room {
  const {world, now, random} = scene
  if (world.choices.tenant && !asked.biz_id)
    refuse('CE001', 'biz_id: expected the tenant business id, but it is missing')
  const request = overridden(world, asked)
  const isPublic = request.is_public ?? true
  const attendees = each(request.attendees ?? [])
  const maxAttendees = request.max_attendee_count ?? defaultSeats
  checkSeats('max_attendee_count', maxAttendees)
  if (attendees.length > maxAttendees) {
    refuse('CE001', `attendees: ${attendees.length} users, but max_attendee_count is ${maxAttendees}`)
  }
  checkCreator(request, isPublic, attendees)

  const createdAt = utc(now)
  const start = request.reserved_start_time
  const reservedStart = start === undefined ? createdAt : moment('reserved_start_time', start)
  const end = request.reserved_end_time
  const reservedEnd = end === undefined ? undefined : moment('reserved_end_time', end)
  checkReservation(reservedStart, reservedEnd)

  const creatorIsHost = request.host_selection_type === 'CREATOR'
  return {
    id: newId('r', world.rooms, random),
    name: request.name,
    status: 'RESERVED',
    createdBy: request.created_by,
    createdAt,
    hostSelection: request.host_selection_type,
    isElectHost: request.is_elect_host,
    ...(request.biz_id === undefined ? {} : {bizId: request.biz_id}),
    description: request.description ?? '',
    reservedStart,
    ...(reservedEnd === undefined ? {} : {reservedEnd}),
    maxAttendees,
    isPublic,
    isJoinable: request.is_joinable,
    attendees: attendees.map((user) =>
      newAttendee(user, {isReserved: true, isHost: creatorIsHost && user === request.created_by}),
    ),
    files: [],
  }
}
