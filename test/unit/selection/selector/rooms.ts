import type {RoomSubject} from '../../../../src/selection/selector/field.js'

export const now = new Date('2026-12-01T12:00:00Z')

/** A room that began nine hours ago and has everything. */
export const room: RoomSubject = {
  room_id: 'r-42',
  name: 'test-주간 회의',
  room_status: 'MEETING',
  created_by: 'kim',
  reserved_start_time: '2026-12-01T02:00:00Z',
  reserved_end_time: '2026-12-01T18:00:00Z',
  start_time: '2026-12-01T03:00:00Z',
  end_time: null,
  max_attendee_count: 30,
  is_public: true,
  is_joinable: false,
  present_count: 2,
}
