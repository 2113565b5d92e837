import * as z from 'zod/mini'
import {operation} from './operation.js'
import {attendeeRecord} from './room.js'
import {envelopeOnly, id, issuedToken, none, string} from './shapes.js'

const roomPath = z.strictObject({roomId: id})
const users = z.array(id).check(z.minLength(1))
const requesterAndUsers = z.strictObject({requester_id: id, attendees: users})

export const listAttendees = operation({
  id: 'attendee.list',
  service: 'room',
  purpose: 'List the attendees of a room',
  doing: 'list the attendees of room {roomId}',
  source: 'room §5',
  method: 'GET',
  route: '/v1/rooms/{roomId}/attendees',
  effect: 'read',
  path: roomPath,
  query: none,
  reply: z.array(attendeeRecord),
  fails: [],
})

export const add = operation({
  id: 'attendee.add',
  service: 'room',
  purpose: 'Add attendees to a room',
  doing: 'add {attendees} to room {roomId}',
  source: 'room §6',
  method: 'POST',
  route: '/v1/rooms/{roomId}/attendees',
  effect: 'state',
  path: roomPath,
  query: none,
  body: z.strictObject({attendees: users}),
  reply: envelopeOnly,
  fails: ['CE002', 'AA001', 'AA002'],
})

export const token = operation({
  id: 'attendee.token',
  service: 'room',
  purpose: 'Request the room access token of a user',
  doing: 'get a token for {userId} in room {roomId}',
  source: 'room §7',
  method: 'POST',
  route: '/v1/rooms/{roomId}/attendees/{userId}/token',
  effect: 'create',
  path: z.strictObject({roomId: id, userId: id}),
  query: none,
  body: z.strictObject({user_name: z.optional(string)}),
  reply: z.looseObject({token: issuedToken}),
  fails: ['CE001', 'CE002', 'T001', 'T002'],
})

export const block = operation({
  id: 'attendee.block',
  service: 'room',
  purpose: 'Remove attendees and block them',
  doing: 'block {attendees} in room {roomId}',
  source: 'room §8',
  method: 'POST',
  route: '/v1/rooms/{roomId}/block',
  effect: 'state',
  path: roomPath,
  query: none,
  body: requesterAndUsers,
  reply: envelopeOnly,
  fails: ['CE002', 'BR001'],
})

export const restore = operation({
  id: 'attendee.restore',
  service: 'room',
  purpose: 'Let blocked attendees enter again',
  doing: 'restore {attendees} in room {roomId}',
  source: 'room §9',
  method: 'POST',
  route: '/v1/rooms/{roomId}/restore',
  effect: 'state',
  path: roomPath,
  query: none,
  body: requesterAndUsers,
  reply: envelopeOnly,
  fails: ['CE002', 'CE003', 'BA001'],
})
