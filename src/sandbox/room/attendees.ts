import {refuse} from '../wire/service.js'
import type {Attendee, Room} from '../world/world.js'
import type {Handlers, RoomOperationId} from './operations.js'
import {issueToken, leaveRoom} from './presence.js'
import {attendeeReply} from './replies.js'
import {
  attendeeIn,
  findRoom,
  isHost,
  knownRequester,
  newAttendee,
  refuseEnded,
  requireHost,
  requireState,
  seatsTaken,
} from './rules.js'

/** Newcomers are invited, and so is a visitor who only had a token. */
function invited(room: Room, users: readonly string[]): Attendee[] {
  const visitors = room.attendees.map((entry) =>
    users.includes(entry.user_id) && !entry.is_reserved ? {...entry, is_invited: true} : entry,
  )
  const newcomers = users.filter((user) => attendeeIn(room, user) === undefined)
  return [...visitors, ...newcomers.map((user) => newAttendee(user, {is_invited: true}))]
}

/** Only a present user other than the host can be blocked (room §8 rules 3 and 4). */
function blockable(room: Room, userId: string): Attendee {
  const attendee = attendeeIn(room, userId)
  if (attendee?.is_host)
    return refuse('CE003', `user ${userId} is the host of room ${room.room_id} and cannot be blocked`)
  if (!attendee?.is_present) return refuse('BR001', `user ${userId} is not present in room ${room.room_id}`)
  return attendee
}

export const attendeeHandlers: Handlers<Extract<RoomOperationId, `attendee.${string}`>> = {
  'attendee.list': ({path}, {world}) => findRoom(world, path.roomId).attendees.map(attendeeReply),

  'attendee.add': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    refuseEnded(room, 'AA002')
    const users = [...new Set(body.attendees)]
    const attendees = invited(room, users)
    const seats = seatsTaken(attendees)
    if (seats > room.max_attendee_count) {
      refuse(
        'AA001',
        `room ${room.room_id} would have ${seats} attendees; max_attendee_count is ${room.max_attendee_count}`,
      )
    }
    room.attendees = attendees
  },

  'attendee.token': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    return {token: issueToken(world, room, path.userId, now, body.user_name)}
  },

  'attendee.block': ({path, body}, {world, now}) => {
    const room = findRoom(world, path.roomId)
    const requester = knownRequester(room, body.requester_id)
    if (!isHost(room, requester) && requester !== room.created_by) {
      refuse('CE003', `user ${requester} is neither the host nor the creator of room ${room.room_id}`)
    }
    requireState(room, 'BR001', 'MEETING')
    const targets = [...new Set(body.attendees)].map((user) => blockable(room, user))
    for (const attendee of targets) attendee.isBlocked = true
    leaveRoom(room, targets, now)
  },

  'attendee.restore': ({path, body}, {world}) => {
    const room = findRoom(world, path.roomId)
    requireHost(room, body.requester_id)
    requireState(room, 'BA001', 'MEETING', 'IDLE')
    const users = [...new Set(body.attendees)]
    const others = users.filter((user) => !attendeeIn(room, user)?.isBlocked)
    if (others.length > 0) refuse('CE001', `attendees: not blocked in room ${room.room_id}: ${others.join(', ')}`)
    for (const entry of room.attendees) {
      if (users.includes(entry.user_id)) entry.isBlocked = false
    }
  },
}
