import * as z from 'zod/mini'
import {roomOperation, runAgain} from './defineOperation.js'
import {hostOnly, invalidQuery, justMissing, missingRoom, showRoom, wrongValue} from './meanings.js'
import {attendeeRecord} from './room.js'
import {id, issuedToken, optionalString} from './shapes.js'
import {everywhere, no, onceMeeting, onlyMeeting, waiting, yes} from './states.js'

const users = z.array(id).check(z.minLength(1))
const requesterAndUsers = z.strictObject({requester_id: id, attendees: users})

export const listAttendees = roomOperation({
  id: 'attendee.list',
  purpose: 'List the attendees of a room',
  action: 'list the attendees of room {roomId}',
  source: 'room §5',
  request: 'GET /v1/rooms/{roomId}/attendees',
  effect: 'read',
  reply: z.array(attendeeRecord),
  meanings: {CE001: invalidQuery, CE002: missingRoom},
  requester: 'none',
  states: 'any',
})

export const add = roomOperation({
  id: 'attendee.add',
  purpose: 'Add attendees to a room',
  action: 'add {attendees} to room {roomId}',
  source: 'room §6',
  request: 'POST /v1/rooms/{roomId}/attendees',
  effect: 'state',
  body: z.strictObject({attendees: users}),
  fails: ['CE002', 'AA001', 'AA002'],
  meanings: {CE002: {...missingRoom, condition: 'room record missing'}},
  requester: 'anybody',
  states: {
    code: 'AA002',
    in: {...everywhere, ENDED: no},
  },
  change: {
    mayHave: '{attendees} may have been added to room {roomId}',
    journal: ['attendees'],
    ifUnknown: {command: ['attendee list', '{roomId}']},
    isShown: true,
  },
})

export const token = roomOperation({
  id: 'attendee.token',
  purpose: 'Request the room access token of a user',
  action: 'get a token for {userId} in room {roomId}',
  source: 'room §7',
  request: 'POST /v1/rooms/{roomId}/attendees/{userId}/token',
  effect: 'create',
  path: z.strictObject({roomId: id, userId: id}),
  body: z.strictObject({user_name: optionalString}),
  reply: z.looseObject({token: issuedToken}),
  fails: ['CE001', 'CE002', 'T001', 'T002'],
  meanings: {
    CE001: {
      condition: 'attendee capacity exceeded',
      open: 'whether those present or those on the list are counted',
    },
    CE002: {...missingRoom, condition: 'room does not exist'},
  },
  requester: 'none',
  states: {
    code: 'T002',
    in: {...everywhere, ENDED: no},
  },
  change: {
    mayHave: 'a token for {userId} in room {roomId} may have been issued',
    ifUnknown: {sentence: 'another token is safe', command: ['attendee token', '{roomId}', '{userId}']},
    journal: [],
    isShown: false,
  },
})

export const block = roomOperation({
  id: 'attendee.block',
  purpose: 'Remove attendees and block them',
  action: 'block {attendees} in room {roomId}',
  source: 'room §8',
  request: 'POST /v1/rooms/{roomId}/block',
  effect: 'state',
  body: requesterAndUsers,
  fails: ['CE002', 'BR001'],
  meanings: {
    CE002: justMissing,
    CE003: {
      condition: 'the requester lacks permission',
      why: 'the requester is neither creator nor host, or probably one of the users is the host',
      try: showRoom,
      open: 'the code for blocking the host',
    },
  },
  requester: 'host or creator',
  states: {code: 'BR001', in: onlyMeeting, advice: waiting},
  change: {
    mayHave: '{attendees} may have been blocked in room {roomId}',
    journal: ['attendees'],
    ifUnknown: {command: ['attendee list', '{roomId}', '--present']},
    isReversible: true,
    isShown: true,
  },
})

export const restore = roomOperation({
  id: 'attendee.restore',
  purpose: 'Let blocked attendees enter again',
  action: 'restore {attendees} in room {roomId}',
  source: 'room §9',
  request: 'POST /v1/rooms/{roomId}/restore',
  effect: 'state',
  body: requesterAndUsers,
  fails: ['CE002', 'CE003', 'BA001'],
  meanings: {
    CE001: {
      condition: wrongValue,
      why: 'probably one of the users is not blocked, as each must be',
      try: {command: ['history', '{roomId}', '--operation', 'attendee.block']},
      open: 'the code for a user who is not blocked',
    },
    CE002: justMissing,
    CE003: {
      ...hostOnly,
      condition: 'no permission',
      why: 'only the host may restore; the creator may block but not restore',
    },
  },
  requester: 'host',
  states: {
    code: 'BA001',
    in: {RESERVED: no, MEETING: yes, IDLE: yes, ENDED: no},
    advice: {RESERVED: onceMeeting},
  },
  change: {
    mayHave: '{attendees} may have been restored in room {roomId}',
    journal: ['attendees'],
    ifUnknown: `${runAgain}: the service refuses to restore somebody who is no longer blocked`,
    isReversible: true,
    isShown: false,
  },
})
