import type {AttendeeRecord} from '../../api/contract/room.js'
import type {Style} from '../../text/style.js'
import {safeText} from '../../text/text.js'
import type {Column, ListView} from '../format/columns.js'

/** The attendees of a room (room §5). */
export const attendeeList: ListView<AttendeeRecord> = {
  columns: [
    {name: 'user_id', label: 'User', value: (row) => row.user_id, id: true},
    {name: 'is_host', label: 'Host', value: (row) => row.is_host, paint: noIsQuiet},
    {name: 'is_present', label: 'Present', value: (row) => row.is_present, paint: presence},
    {name: 'is_reserved', label: 'Reserved', value: (row) => row.is_reserved, paint: noIsQuiet},
    {name: 'is_invited', label: 'Invited', value: (row) => row.is_invited, paint: noIsQuiet},
  ] satisfies Column<AttendeeRecord>[],
  id: (row) => safeText(row.user_id),
  empty: 'nobody is on the attendee list',
}

function noIsQuiet(text: string, _row: AttendeeRecord, style: Style): string {
  return text.startsWith('yes') ? text : style.dim(text)
}

function presence(text: string, row: AttendeeRecord, style: Style): string {
  return row.is_present === true ? style.green(text) : style.dim(text)
}
