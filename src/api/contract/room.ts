import * as z from 'zod/mini'
import {roomOperation} from './defineOperation.js'
import {invalidQuery, missingRoom} from './meanings.js'
import {
  maybe,
  maybeBoolean,
  maybeNumber,
  maybeString,
  none,
  optionalBoolean,
  optionalNumber,
  optionalString,
  string,
} from './shapes.js'

/** The members of a row, in the order of the document (room, Room). */
export const summaryFields = {
  room_id: string,
  name: maybeString,
  room_status: maybeString,
  reserved_start_time: maybeString,
  reserved_end_time: maybeString,
  start_time: maybeString,
  end_time: maybeString,
  max_attendee_count: maybeNumber,
  is_public: maybeBoolean,
  created_by: maybeString,
  description: maybeString,
  is_joinable: maybeBoolean,
}

/** The fields that an update may set (room §4). */
export const updates = {
  name: optionalString,
  description: optionalString,
  reserved_start_time: optionalString,
  reserved_end_time: optionalString,
  max_attendee_count: optionalNumber,
  is_public: optionalBoolean,
  is_joinable: optionalBoolean,
}

/** One list sample calls `room_status` `meeting_status` (room, Room). */
function oneStatusName<R extends {room_status?: string | null | undefined; meeting_status?: unknown}>(room: R): R {
  // Checked first: spreading every row of a long list would copy them all.
  if (room.meeting_status === undefined) return room
  const {meeting_status: other, ...rest} = room
  return {...rest, room_status: room.room_status ?? (typeof other === 'string' ? other : null)} as R
}

/** A row of the list (room §2). Undocumented fields are kept. */
export const roomSummary = z.pipe(z.looseObject(summaryFields), z.transform(oneStatusName))
export type RoomSummary = z.output<typeof roomSummary>

/** room, Attendee. */
export const attendeeRecord = z.looseObject({
  user_id: string,
  is_host: maybeBoolean,
  is_present: maybeBoolean,
  is_reserved: maybeBoolean,
  is_invited: maybeBoolean,
})
export type AttendeeRecord = z.output<typeof attendeeRecord>

/** room, AttendeeCount. */
const attendeeCount = z.looseObject({
  present_count: maybeNumber,
  reserved_count: maybeNumber,
  invited_count: maybeNumber,
})

/** The room with its attendees (room §3). */
export const roomDetail = z.pipe(
  z.looseObject({
    ...summaryFields,
    is_elect_host: maybeBoolean,
    host_selection_type: maybeString,
    attendees: maybe(z.array(attendeeRecord)),
    attendee_count: maybe(attendeeCount),
  }),
  z.transform(oneStatusName),
)
export type RoomDetail = z.output<typeof roomDetail>

export const listRooms = roomOperation({
  id: 'room.list',
  purpose: 'List the rooms of the application',
  action: 'list the rooms',
  source: 'room §2',
  request: 'GET /v1/rooms',
  effect: 'read',
  path: none,
  query: z.strictObject({asc: optionalBoolean, bizId: optionalString}),
  reply: z.array(roomSummary),
  hasUnreadableCells: true,
  meanings: {CE001: invalidQuery},
  requester: 'none',
  states: 'any',
})

export const getRoom = roomOperation({
  id: 'room.get',
  purpose: 'Read a room with its attendees',
  action: 'read room {roomId}',
  source: 'room §3',
  // The document writes this one parameter {room_Id}; every other path has {roomId}.
  request: 'GET /v1/rooms/{roomId}',
  effect: 'read',
  reply: roomDetail,
  meanings: {CE001: invalidQuery, CE002: missingRoom},
  requester: 'none',
  states: 'any',
})
