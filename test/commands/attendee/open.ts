import type {Transport} from '../../../src/api/http/wire/transport.js'
import {always, success} from '../answers.js'

/** A room in a meeting that every user can enter. */
export const open = {
  room_id: 'r-1',
  name: 'Weekly',
  room_status: 'MEETING',
  max_attendee_count: 5,
  is_public: true,
  is_joinable: true,
  created_by: 'ann',
  host_selection_type: 'CREATOR',
  attendees: [
    {user_id: 'ann', is_host: true, is_present: true, is_reserved: true, is_invited: false},
    {user_id: 'ben', is_host: false, is_present: false, is_reserved: false, is_invited: true},
    {user_id: 'visitor', is_host: false, is_present: false, is_reserved: false, is_invited: false},
  ],
}

/** A service with that room, with some fields changed. */
export function roomWith(fields: object): Transport {
  return always(() => success({...open, ...fields}))
}
