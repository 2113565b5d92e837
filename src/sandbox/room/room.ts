import {refuse} from '../wire/refusal.js'
import type {Choices} from '../world/options.js'
import {type Room, remember} from '../world/world.js'
import {changeRoom, readUpdate, requireUpdater} from './change.js'
import {newRoom} from './creation.js'
import {type Handlers, newId, type RoomOperationId} from './handler.js'
import {attendeeOf, each} from './people.js'
import {endRoom} from './presence.js'
import {detailOf, summaryOf} from './reply.js'
import {findRoom, knownRequester, requireHost, requireState} from './rules.js'
import {utc} from './time.js'
import {tokenFor} from './token.js'

/** Refuses with D001 a state that does not allow deletion (room, Operation validity by state; §10). */
function checkDeletable(room: Room, choices: Choices): void {
  const refused =
    room.status === 'MEETING' ||
    (room.status === 'ENDED' && choices.deleteEnded === 'refuse') ||
    (room.status === 'IDLE' && choices.deleteIdle === 'refuse')
  if (refused) refuse('D001', `room ${room.id} is ${room.status} and cannot be deleted`)
}

/** The rules of rooms (room §1 to §4, §10 to §13, and the two operations on rooms outside the list). */
export const roomHandlers: Handlers<Extract<RoomOperationId, `room.${string}`>> = {
  'room.create': ({body}, scene) => {
    const {world, now} = scene
    const room = newRoom(body, scene)
    world.rooms.push(room)
    // Rule 1: unless the caller declines, the answer carries a token for immediate entry, which is the creator's.
    if (body.is_token_receive === false) return {room_id: room.id}
    return {room_id: room.id, token: tokenFor(world, room, room.createdBy, now)}
  },

  // The sort field is not shown (room §2): here, the creation. A bizId narrows the list, in the tenant variant it must be there.
  'room.list': ({query = {}}, {world}) => {
    const {asc = false, bizId} = query
    if (world.choices.tenant && !bizId) refuse('CE001', 'bizId: expected the tenant business id, but it is missing')
    const rooms = world.rooms.filter((room) => bizId === undefined || room.bizId === bizId)
    const oldestFirst = rooms.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
    return (asc ? oldestFirst : oldestFirst.reverse()).map(summaryOf)
  },

  'room.get': ({path}, {world}) => detailOf(findRoom(world, path.roomId)),

  'room.update': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    const {requester, changes} = readUpdate(body)
    requireUpdater(room, requester, changes)
    changeRoom(room, changes)
  },

  // Names no requester. How an applicationId belongs to an application token is not shown, so any is taken.
  'room.adminUpdate': ({path, body}, {world}) => {
    changeRoom(findRoom(world, path.roomId), body)
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
  'room.presenter': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    if (attendeeOf(room, body.user_id) === undefined) {
      refuse('CE002', `user ${body.user_id} is not in the attendee list of room ${room.id}`)
    }
    room.metadata = JSON.stringify({presenter: {userId: body.user_id}})
    remember(world.events, {event: 'RoomMetadataChanged', roomId: room.id, metadata: room.metadata, at: utc(now)})
  },

  'room.delegate': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    requireState(room, 'DH001', 'MEETING')
    const recipient =
      attendeeOf(room, body.user_id) ?? refuse('CE002', `user ${body.user_id} is not known in room ${room.id}`)
    if (recipient.isHost) refuse('CE001', `user_id: ${body.user_id} is the host already`)
    if (!recipient.isPresent) refuse('CE001', `user_id: ${body.user_id} is not present in room ${room.id}`)
    for (const entry of room.attendees) entry.isHost = entry === recipient
  },

  // Neither a state nor a code is shown for it: anybody known in the room sends, in every state.
  'room.send': ({path, body}, {world, now, random}) => {
    const room = findRoom(world, path.roomId)
    knownRequester(room, body.from)
    const to = each(body.to ?? [])
    const strangers = to.filter((user) => attendeeOf(room, user) === undefined)
    if (strangers.length > 0)
      refuse('CE001', `to: not in the attendee list of room ${room.id}: ${strangers.join(', ')}`)
    const id = newId('m', world.messages, random)
    remember(world.messages, {id, roomId: room.id, from: body.from, to, data: body.data, at: utc(now)})
    return {id}
  },
}
