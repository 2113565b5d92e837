import * as z from 'zod/mini'
import {roomOperation} from './defineOperation.js'
import {hostOnly, invalidValue, missingRoomOrRequester, showRoom} from './meanings.js'
import {updates} from './room.js'
import {
  boolean,
  hostSelectionTypes,
  id,
  maybeString,
  none,
  optionalBoolean,
  optionalNumber,
  optionalString,
} from './shapes.js'
import {inIdle, inMeeting, no, onlyMeeting, silentEverywhere, waiting, yes} from './states.js'

export const createRoom = roomOperation({
  id: 'room.create',
  purpose: 'Create a room',
  action: 'create the room {name}',
  source: 'room §1',
  request: 'POST /v1/rooms',
  effect: 'create',
  path: none,
  body: z.strictObject({
    name: z.string().check(z.minLength(1)),
    created_by: id,
    is_public: optionalBoolean,
    host_selection_type: z.enum(hostSelectionTypes),
    is_elect_host: boolean,
    is_joinable: boolean,
    attendees: z.optional(z.array(id)),
    max_attendee_count: optionalNumber,
    reserved_start_time: optionalString,
    reserved_end_time: optionalString,
    description: optionalString,
    is_token_receive: optionalBoolean,
    biz_id: optionalString,
  }),
  reply: z.looseObject({room_id: id, token: maybeString}),
  fails: ['CE001'],
  meanings: {CE001: {...invalidValue, condition: 'unsuitable value'}},
  requester: 'none',
  states: 'any',
  change: {
    mayHave: 'room {name} may have been created',
    journal: ['name', 'is_joinable', 'attendees'],
    ifUnknown: {sentence: 'before you create it again', command: ['room list']},
    isShown: false,
  },
})

export type Updatable = keyof typeof updates
export const updatable = Object.keys(updates) as Updatable[]
export type RoomUpdates = {readonly [Field in Updatable]?: z.output<(typeof updates)[Field]>}

export const updateRoom = roomOperation({
  id: 'room.update',
  purpose: 'Update a room',
  action: 'update room {roomId}',
  source: 'room §4',
  // As documented, with its /media segment, after a base address that has one, too: decision 0003.
  request: 'PATCH /media/v1/rooms/{roomId}',
  effect: 'state',
  body: z
    .strictObject({
      // One example body names it user_id, as the setting `updateRequesterField` may.
      requester_id: z.optional(id),
      user_id: z.optional(id),
      ...updates,
    })
    .check(z.refine(({requester_id, user_id}) => (requester_id ?? user_id) !== undefined, {path: ['requester_id']})),
  fails: ['CE001', 'CE002', 'U001'],
  meanings: {
    CE001: {
      ...invalidValue,
      condition: 'field invalid, including max_attendee_count lower than the current attendee count',
    },
    CE002: missingRoomOrRequester,
    CE003: {
      ...hostOnly,
      why: 'only the host may update; the creator may change is_joinable alone, and roomctl acts as the creator if there is no host',
      try: 'run it with --as host, or with --as creator to change is_joinable alone',
    },
  },
  requester: 'host',
  states: {
    code: 'U001',
    in: {RESERVED: yes, MEETING: inMeeting, IDLE: inIdle, ENDED: no},
  },
  change: {
    mayHave: 'room {roomId} may have been updated',
    journal: updatable,
    ifUnknown: showRoom,
    isReversible: true,
    isShown: true,
  },
})

export const adminUpdate = roomOperation({
  id: 'room.adminUpdate',
  purpose: 'Update a room as platform admin',
  action: 'update room {roomId} as platform admin',
  source: 'room, Operations outside the list',
  request: 'PATCH /v1/applications/{applicationId}/rooms/{roomId}',
  assumed: 'docs/decisions/0002-assumed-routes.md',
  effect: 'state',
  path: z.strictObject({roomId: id, applicationId: id}),
  body: z.pick(z.strictObject(updates), {
    ...({name: true, description: true, reserved_start_time: true, reserved_end_time: true} as const),
    ...({is_public: true, is_joinable: true} as const),
  }),
  requester: 'none',
  states: 'any',
  change: {
    mayHave: 'room {roomId} may have been updated',
    journal: updatable,
    ifUnknown: showRoom,
    isShown: true,
  },
})

const requesterBody = z.strictObject({requester_id: id})

export const remove = roomOperation({
  id: 'room.delete',
  purpose: 'Delete a room',
  action: 'delete room {roomId}',
  source: 'room §10',
  request: 'DELETE /v1/rooms/{roomId}',
  effect: 'state',
  body: requesterBody,
  fails: ['CE002', 'D001'],
  meanings: {CE002: missingRoomOrRequester, CE003: hostOnly},
  requester: 'host',
  states: {
    code: 'D001',
    in: {
      RESERVED: yes,
      MEETING: {allowed: 'no', note: 'a MEETING room cannot be deleted'},
      IDLE: {
        allowed: 'unknown',
        note: 'it is not among the states that allow it, but only MEETING is refused',
        undocumented: 'answer',
      },
      ENDED: {
        allowed: 'unknown',
        note: 'one text allows it, the unified-version text allows only RESERVED',
        undocumented: 'answer',
      },
    },
    advice: {
      MEETING: {command: ['room end', '{roomId}']},
      IDLE: 'nothing: this service does not delete IDLE rooms, and only a MEETING room can be ended',
      ENDED: 'nothing: this service keeps ENDED rooms',
    },
  },
  change: {
    mayHave: 'room {roomId} may have been deleted',
    ifUnknown: showRoom,
    journal: [],
    isShown: true,
  },
})

export const end = roomOperation({
  id: 'room.end',
  purpose: 'End a room',
  action: 'end room {roomId}',
  source: 'room §11',
  request: 'POST /v1/rooms/{roomId}/end',
  effect: 'state',
  body: requesterBody,
  fails: ['CE002', 'ER001'],
  meanings: {CE002: missingRoomOrRequester, CE003: hostOnly},
  requester: 'host',
  states: {
    code: 'ER001',
    in: onlyMeeting,
    advice: {RESERVED: {command: ['room delete', '{roomId}']}, IDLE: {command: ['room delete', '{roomId}']}},
  },
  change: {
    mayHave: 'room {roomId} may have been ended',
    ifUnknown: showRoom,
    journal: [],
    isShown: true,
  },
})

const requesterAndUser = z.strictObject({requester_id: id, user_id: id})

export const presenter = roomOperation({
  id: 'room.presenter',
  purpose: 'Set the presenter',
  action: 'make {user_id} presenter of room {roomId}',
  source: 'room §12',
  request: 'POST /v1/rooms/{roomId}/update-presenter',
  effect: 'state',
  body: requesterAndUser,
  meanings: {CE003: hostOnly},
  requester: 'host',
  states: {
    code: undefined,
    in: silentEverywhere,
  },
  change: {
    mayHave: '{user_id} may have been set as presenter of room {roomId}',
    journal: ['user_id'],
    ifUnknown: 'the service does not show the presenter; setting it again is safe',
    isShown: false,
  },
})

export const delegate = roomOperation({
  id: 'room.delegate',
  purpose: 'Delegate the host role',
  action: 'make {user_id} host of room {roomId}',
  source: 'room §13',
  request: 'POST /v1/rooms/{roomId}/delegate',
  effect: 'state',
  body: requesterAndUser,
  fails: ['CE001', 'CE002', 'DH001'],
  meanings: {
    CE001: {
      condition: 'target is a host or not a present ordinary user',
      why: 'only an ordinary attendee who is in the room now can become host',
      try: {command: ['attendee list', '{roomId}', '--present']},
    },
    CE002: {
      condition: 'record of requester or target missing',
      why: 'the room does not exist, or one of the two users is not in its attendee list',
      try: {command: ['attendee list', '{roomId}']},
    },
    CE003: hostOnly,
  },
  requester: 'host',
  states: {code: 'DH001', in: onlyMeeting, advice: waiting},
  change: {
    mayHave: 'host of room {roomId} may have been delegated to {user_id}',
    journal: ['user_id'],
    ifUnknown: {command: ['attendee list', '{roomId}']},
    isReversible: true,
    isShown: true,
  },
})
