import type {RoomDetail, RoomSummary} from './room.js'

/** The time from which the age of a room counts: there is no creation time. */
export function beginningOf({room_status, start_time, reserved_start_time}: RoomSummary): unknown {
  return room_status === 'RESERVED' ? reserved_start_time : start_time
}

/** How many users are present, which the detail says twice: the larger number. Undefined if it says neither. */
export function presentCount({
  attendees,
  attendee_count,
}: Pick<RoomDetail, 'attendees' | 'attendee_count'>): number | undefined {
  const counted = attendee_count?.present_count
  if (counted == null) return saysPresence(attendees) ? presentListed(attendees) : undefined
  return Math.max(Number(counted), presentListed(attendees))
}

/** Whether each listed attendee has `is_present`; an empty list means that no user is present. */
function saysPresence(attendees: RoomDetail['attendees']): boolean {
  return attendees?.every(({is_present}) => typeof is_present === 'boolean') === true
}

/** Whether the two differ. */
export function isPresenceUnclear({
  attendees,
  attendee_count,
}: Pick<RoomDetail, 'attendees' | 'attendee_count'>): boolean {
  const counted = attendee_count?.present_count
  return counted != null && attendees != null && Number(counted) !== presentListed(attendees)
}

function presentListed(attendees: RoomDetail['attendees']): number {
  return (attendees ?? []).filter(({is_present}) => is_present === true).length
}
