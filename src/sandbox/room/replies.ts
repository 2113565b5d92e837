import {type AttendeeRecord, type RoomDetail, type RoomSummary, summaryFields} from '../../api/contract/room.js'
import type {Attendee, Room} from '../world/world.js'

const summaryMembers = Object.keys(summaryFields) as (keyof typeof summaryFields)[]

/** The row of a list (room §2). */
export function roomSummaryReply(room: Room): RoomSummary {
  const members = summaryMembers.flatMap((name) => (room[name] === undefined ? [] : [[name, room[name]]]))
  return Object.fromEntries(members) as RoomSummary
}

/** Neither the name nor a block is among the fields (room, Attendee). */
export function attendeeReply({userName, isBlocked, entered, ...shown}: Attendee): AttendeeRecord {
  return shown
}

/** The room with its attendees and counts (room §3, AttendeeCount), and the metadata with the presenter (room §12). */
export function roomDetailReply(room: Room): RoomDetail {
  const count = (counted: (entry: Attendee) => boolean) => room.attendees.filter(counted).length
  return {
    ...roomSummaryReply(room),
    is_elect_host: room.is_elect_host,
    host_selection_type: room.host_selection_type,
    ...(room.metadata === undefined ? {} : {metadata: room.metadata}),
    attendees: room.attendees.map(attendeeReply),
    attendee_count: {
      present_count: count((entry) => entry.is_present),
      reserved_count: count((entry) => entry.is_reserved || entry.is_invited),
      invited_count: count((entry) => entry.is_invited),
    },
  }
}
