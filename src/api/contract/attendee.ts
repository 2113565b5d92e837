import * as z from 'zod/mini'
import {roomOperation} from './entries.js'
import {attendeeRecord} from './room.js'
import {id, issuedToken, string} from './shapes.js'

const users = z.array(id).check(z.minLength(1))
const requesterAndUsers = z.strictObject({requester_id: id, attendees: users})

export const listAttendees = roomOperation({
  id: 'attendee.list',
  purpose: 'List the attendees of a room',
  doing: 'list the attendees of room {roomId}',
  source: 'room §5',
  request: 'GET /v1/rooms/{roomId}/attendees',
  effect: 'read',
  reply: z.array(attendeeRecord),
})

export const add = roomOperation({
  id: 'attendee.add',
  purpose: 'Add attendees to a room',
  doing: 'add {attendees} to room {roomId}',
  source: 'room §6',
  request: 'POST /v1/rooms/{roomId}/attendees',
  effect: 'state',
  body: z.strictObject({attendees: users}),
  fails: ['CE002', 'AA001', 'AA002'],
})

export const token = roomOperation({
  id: 'attendee.token',
  purpose: 'Request the room access token of a user',
  doing: 'get a token for {userId} in room {roomId}',
  source: 'room §7',
  request: 'POST /v1/rooms/{roomId}/attendees/{userId}/token',
  effect: 'create',
  path: z.strictObject({roomId: id, userId: id}),
  body: z.strictObject({user_name: z.optional(string)}),
  reply: z.looseObject({token: issuedToken}),
  fails: ['CE001', 'CE002', 'T001', 'T002'],
})

export const block = roomOperation({
  id: 'attendee.block',
  purpose: 'Remove attendees and block them',
  doing: 'block {attendees} in room {roomId}',
  source: 'room §8',
  request: 'POST /v1/rooms/{roomId}/block',
  effect: 'state',
  body: requesterAndUsers,
  fails: ['CE002', 'BR001'],
})

export const restore = roomOperation({
  id: 'attendee.restore',
  purpose: 'Let blocked attendees enter again',
  doing: 'restore {attendees} in room {roomId}',
  source: 'room §9',
  request: 'POST /v1/rooms/{roomId}/restore',
  effect: 'state',
  body: requesterAndUsers,
  fails: ['CE002', 'CE003', 'BA001'],
})
