import type {Input} from '../../api/contract/operation.js'
import type {adminUpdate, createRoom, updateRoom} from '../../api/contract/roomChanges.js'
import {fixedOnceMet} from '../../api/contract/states.js'
import {refuse} from '../wire/service.js'
import {type Choices, type Configuration, isoUtc, type Room, unsetTexts, type World} from '../world/world.js'
import {type HandlerContext, type Handlers, newId, type RoomOperationId} from './operations.js'
import {endRoom, issueToken} from './presence.js'
import {roomDetailReply, roomSummaryReply} from './replies.js'
import {
  attendeeIn,
  checkSeats,
  findRoom,
  isHost,
  knownRequester,
  newAttendee,
  refuseEnded,
  requireHost,
  requireState,
  seatsTaken,
} from './rules.js'

/** room, Operation validity by state; §10. */
function checkDeletable(room: Room, choices: Choices): void {
  const refused =
    room.room_status === 'MEETING' ||
    (room.room_status === 'ENDED' && choices.deleteEnded === 'refuse') ||
    (room.room_status === 'IDLE' && choices.deleteIdle === 'refuse')
  if (refused) refuse('D001', `room ${room.room_id} is ${room.room_status} and cannot be deleted`)
}

export const roomHandlers: Handlers<Extract<RoomOperationId, `room.${string}`>> = {
  'room.create': ({body}, context) => {
    const {world, now} = context
    const room = newRoom(body, context)
    world.rooms.push(room)
    // Rule 1: unless the caller declines, the answer carries a token for immediate entry, which is the creator's.
    if (body.is_token_receive === false) return {room_id: room.room_id}
    return {room_id: room.room_id, token: issueToken(world, room, room.created_by, now)}
  },

  // The sort field is not shown (room §2): here, the creation. A bizId narrows the list.
  'room.list': ({query = {}}, {world}) => {
    const {asc = false, bizId} = query
    const rooms = world.rooms.filter((room) => bizId === undefined || room.bizId === bizId)
    const oldestFirst = rooms.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
    return (asc ? oldestFirst : oldestFirst.reverse()).map(roomSummaryReply)
  },

  'room.get': ({path}, {world}) => roomDetailReply(findRoom(world, path.roomId)),

  'room.update': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    const {requester, changes} = readUpdate(body)
    requireUpdater(room, requester, changes, world.choices)
    applyUpdate(room, changes, world.choices)
  },

  // Names no requester. Accepts any applicationId: the document does not show how it belongs to a token.
  'room.adminUpdate': ({path, body}, {world}) => {
    applyUpdate(findRoom(world, path.roomId), body, world.choices)
  },

  'room.delete': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    checkDeletable(room, world.choices)
    world.rooms.splice(world.rooms.indexOf(room), 1)
  },

  'room.end': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    requireState(room, 'ER001', 'MEETING')
    endRoom(room, now)
  },

  // No state is named for it, so every state allows it (room §12).
  'room.presenter': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    if (attendeeIn(room, body.user_id) === undefined) {
      refuse('CE002', `user ${body.user_id} is not in the attendee list of room ${room.room_id}`)
    }
    room.metadata = JSON.stringify({presenter: {userId: body.user_id}})
  },

  'room.delegate': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    requireState(room, 'DH001', 'MEETING')
    const recipient =
      attendeeIn(room, body.user_id) ?? refuse('CE002', `user ${body.user_id} is not known in room ${room.room_id}`)
    if (recipient.is_host) refuse('CE001', `user_id: ${body.user_id} is the host already`)
    if (!recipient.is_present) refuse('CE001', `user_id: ${body.user_id} is not present in room ${room.room_id}`)
    for (const entry of room.attendees) entry.is_host = entry === recipient
  },

  // Neither a state nor a code is shown for it: anybody known in the room sends, in every state.
  'room.send': ({path, body}, {world, random}) => {
    const room = findRoom(world, path.roomId)
    knownRequester(room, body.from)
    const unknown = (body.to ?? []).filter((user) => attendeeIn(room, user) === undefined)
    if (unknown.length > 0)
      refuse('CE001', `to: not in the attendee list of room ${room.room_id}: ${unknown.join(', ')}`)
    return {id: newId('m', () => false, random)}
  },
}

type UpdateBody = Input<typeof updateRoom>['body']
export type RoomChanges = Input<typeof adminUpdate>['body'] & {max_attendee_count?: number | undefined}

/** The field table names the requester requester_id, the example user_id (room §4 rule 1): both are accepted, but not two different ones. */
function readUpdate({requester_id: requester, user_id: other, ...changes}: UpdateBody) {
  if (requester !== undefined && other !== undefined && requester !== other) {
    refuse('CE001', 'user_id: differs from requester_id; the requester is named by either, not by both')
  }
  return {requester: requester ?? other, changes}
}

/** Only the host may update (room §4), except that the creator may change is_joinable too (room §1 rule 7). */
export function requireUpdater(
  room: Room,
  requester: string | undefined,
  changes: RoomChanges,
  {joinableBy}: Pick<Choices, 'joinableBy'>,
): void {
  const user = knownRequester(room, requester)
  const onlyJoinable = joinableBy === 'creator' && Object.keys(changes).join() === 'is_joinable'
  if (onlyJoinable && user === room.created_by && !isHost(room, user)) return
  requireHost(room, user)
}

/** room, Operation validity by state. */
function checkUpdateState(room: Room, changes: RoomChanges, {joinableMet}: Pick<Choices, 'joinableMet'>): void {
  refuseEnded(room, 'U001')
  if (room.room_status === 'RESERVED') return
  for (const field of fixedOnceMet) {
    if (field === 'is_joinable' && joinableMet === 'allow') continue
    if (changes[field] !== undefined)
      refuse('U001', `${field} cannot change: room ${room.room_id} is ${room.room_status}`)
  }
}

function checkUpdateValues(
  room: Room,
  {name, max_attendee_count: seats, is_public: isPublic}: RoomChanges,
  {equalMax}: Pick<Choices, 'equalMax'>,
): void {
  if (name === '') refuse('CE001', 'name: must not be empty')
  if (seats !== undefined) {
    checkSeats('max_attendee_count', seats)
    const attendeeCount = seatsTaken(room.attendees)
    // Rule 3 says "must not be lower", the error text "must be greater".
    if (seats === attendeeCount && equalMax === 'refuse')
      refuse('CE001', `max_attendee_count: must be greater than the current number of attendees, ${attendeeCount}`)
    if (seats < attendeeCount)
      refuse('CE001', `max_attendee_count: ${seats} is lower than the current attendee count, ${attendeeCount}`)
  }
  if (isPublic === false && attendeeIn(room, room.created_by) === undefined) {
    refuse('CE001', `is_public: a private room needs its creator ${room.created_by} among the attendees`)
  }
}

/** Refuses with U001 for the state and CE001 for a value (room §4). */
export function applyUpdate(
  room: Room,
  changes: RoomChanges,
  choices: Pick<Choices, 'equalMax' | 'joinableMet'>,
): void {
  checkUpdateState(room, changes, choices)
  checkUpdateValues(room, changes, choices)
  const {reserved_start_time: start = room.reserved_start_time, reserved_end_time: end = room.reserved_end_time} =
    changes
  Object.assign(room, changes, reservationOf(start, end))
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** A moment as the service writes it. Refuses with CE001 anything but an ISO 8601 date-time with its zone, and impossible days. */
export function parseMoment(field: string, text: string): string {
  const [, year, month, day] = dateTime.exec(text) ?? []
  const sameDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const read = new Date(text)
  if (!sameDay || Number.isNaN(read.getTime())) {
    return refuse('CE001', `${field}: expected a date-time such as 2026-12-01T09:00:00Z, got ${JSON.stringify(text)}`)
  }
  return isoUtc(read)
}

/** The times of a reservation as the service writes them. Refuses with CE001 an end that is not after the start. */
export function reservationOf(from: string, to: string | undefined) {
  const start = parseMoment('reserved_start_time', from)
  if (to === undefined) return {reserved_start_time: start}
  const end = parseMoment('reserved_end_time', to)
  if (Date.parse(end) <= Date.parse(start)) {
    refuse('CE001', `reserved_end_time: ${end} is not after reserved_start_time ${start}`)
  }
  return {reserved_start_time: start, reserved_end_time: end}
}

type CreateBody = Input<typeof createRoom>['body']

/** room, Limits. */
const defaultSeats = 30

/** The console overrides the request (room §1 rule 8). The application configuration, with the same options, is taken to be the console. */
function withConsoleOptions(world: World, request: CreateBody) {
  const console = world.configuration?.values ?? {}
  return {
    ...request,
    max_attendee_count: console.config_max_attendee_count ?? request.max_attendee_count ?? defaultSeats,
    is_joinable: console.config_is_joinable_view ?? request.is_joinable,
    host_selection_type: console.config_host_selection_type ?? request.host_selection_type,
    is_elect_host: console.config_is_elect_host ?? request.is_elect_host,
  }
}

/** The creator must be an attendee (room §1 rules 3 and 4). */
function checkCreator(
  request: Pick<CreateBody, 'created_by' | 'host_selection_type'>,
  isPublic: boolean,
  attendees: readonly string[],
): void {
  if (attendees.includes(request.created_by)) return
  if (request.host_selection_type === 'CREATOR') {
    refuse('CE001', `attendees: host_selection_type is CREATOR, so created_by ${request.created_by} must be among them`)
  }
  if (!isPublic)
    refuse('CE001', `attendees: the room is private, so created_by ${request.created_by} must be among them`)
}

/** A RESERVED room by the request and the console. Refuses unsuitable values with CE001 (room §1). */
export function newRoom(body: CreateBody, context: HandlerContext): Room {
  const {world, now, random} = context
  const createdAt = isoUtc(now)
  const {attendees = [], biz_id: bizId, is_token_receive, ...request} = withConsoleOptions(world, body)
  const {reserved_start_time: start = createdAt, reserved_end_time: end, ...facts} = request
  const {created_by: creator, host_selection_type: selection, max_attendee_count: seats, is_public = true} = facts
  const users = [...new Set(attendees)]
  checkSeats('max_attendee_count', seats)
  if (users.length > seats) refuse('CE001', `attendees: ${users.length} users, but max_attendee_count is ${seats}`)
  checkCreator(facts, is_public, users)
  return {
    room_id: newId('r', (id) => world.rooms.some((room) => room.room_id === id), random),
    ...unsetTexts,
    ...facts,
    room_status: 'RESERVED',
    ...reservationOf(start, end),
    is_public,
    description: facts.description ?? unsetTexts.description,
    attendees: users.map((user) =>
      newAttendee(user, {is_reserved: true, is_host: selection === 'CREATOR' && user === creator}),
    ),
    createdAt,
    ...(bizId === undefined ? {} : {bizId}),
    files: [],
  }
}

function checkConfiguration({config_max_attendee_count: seats}: Configuration): void {
  if (seats !== undefined) checkSeats('config_max_attendee_count', seats)
}

/**
 * The sandbox is one application, which the first call names. That CE001 refuses a second create, and CE002 an update before it, is
 * not shown.
 */
export const appConfigHandlers: Handlers<Extract<RoomOperationId, `appConfig.${string}`>> = {
  'appConfig.create': ({path, body}, {world}) => {
    checkConfiguration(body)
    if (world.configuration !== undefined) {
      refuse(
        'CE001',
        `applicationId: ${world.configuration.applicationId} has a configuration already; update it instead`,
      )
    }
    world.configuration = {applicationId: path.applicationId, values: body}
  },

  'appConfig.update': ({path, body}, {world}) => {
    checkConfiguration(body)
    if (world.configuration?.applicationId !== path.applicationId) {
      return refuse('CE002', `application ${path.applicationId} has no configuration; create it first`)
    }
    Object.assign(world.configuration.values, body)
  },
}
