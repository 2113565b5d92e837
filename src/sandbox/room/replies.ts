import type {AttendeeRecord, RoomDetail, RoomSummary} from '../../api/contract/room.js'
import type {Attendee, Room} from '../world/world.js'

/** The row of a list (room §2), without the times that are not set yet. */
export function roomSummaryReply(room: Room): RoomSummary {
  return {
    room_id: room.id,
    name: room.name,
    room_status: room.status,
    reserved_start_time: room.reservedStart,
    ...(room.reservedEnd === undefined ? {} : {reserved_end_time: room.reservedEnd}),
    ...(room.start === undefined ? {} : {start_time: room.start}),
    ...(room.end === undefined ? {} : {end_time: room.end}),
    max_attendee_count: room.maxAttendees,
    is_public: room.isPublic,
    created_by: room.createdBy,
    description: room.description,
    is_joinable: room.isJoinable,
  }
}

/** Neither the name nor a block is among the fields (room, Attendee). */
export function attendeeReply(entry: Attendee): AttendeeRecord {
  return {
    user_id: entry.userId,
    is_host: entry.isHost,
    is_present: entry.isPresent,
    is_reserved: entry.isReserved,
    is_invited: entry.isInvited,
  }
}

/** The room with its attendees and counts (room §3, AttendeeCount), and the metadata with the presenter (room §12). */
export function roomDetailReply(room: Room): RoomDetail {
  const count = (counted: (entry: Attendee) => boolean) => room.attendees.filter(counted).length
  return {
    ...roomSummaryReply(room),
    is_elect_host: room.isElectHost,
    host_selection_type: room.hostSelection,
    ...(room.metadata === undefined ? {} : {metadata: room.metadata}),
    attendees: room.attendees.map(attendeeReply),
    attendee_count: {
      present_count: count((entry) => entry.isPresent),
      reserved_count: count((entry) => entry.isReserved || entry.isInvited),
      invited_count: count((entry) => entry.isInvited),
    },
  }
}
