/**
 * What a selector looks at: a row of the room list, and `present_count` of the room's detail where it was read.
 * Every member may be missing, null or of another type than the documents say; all of these count as a missing value.
 */
export interface Subject {
  readonly room_id?: unknown
  readonly name?: unknown
  readonly room_status?: unknown
  readonly created_by?: unknown
  readonly reserved_start_time?: unknown
  readonly reserved_end_time?: unknown
  readonly start_time?: unknown
  readonly end_time?: unknown
  readonly max_attendee_count?: unknown
  readonly is_public?: unknown
  readonly is_joinable?: unknown
  /** `attendee_count.present_count` of the detail (room, AttendeeCount). */
  readonly present_count?: unknown
}
