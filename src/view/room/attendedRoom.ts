import type {AttendeeRecord, RoomSummary} from '../../api/contract/room.js'
import type {ListView} from '../format/columns.js'

/** A room with the record of somebody who is on its attendee list. */
export type AttendedRoom = RoomSummary &
  Pick<AttendeeRecord, 'user_id' | 'is_host' | 'is_present' | 'is_reserved' | 'is_invited'>

/** The rooms of a user (product §1, `attendee find`). */
export const attendedRoomList: ListView<AttendedRoom> = {
  id: ({room_id: id}) => id,
  empty: 'the user is on the attendee list of no such room',
  columns: [
    {name: 'room_id', label: 'room', value: ({room_id: id}) => id, id: true},
    {name: 'name', value: ({name}) => name, flex: true},
    {
      name: 'room_status',
      label: 'status',
      value: ({room_status: status}) => status,
      paint: (text, {room_status: status}, style) => (status === 'MEETING' ? style.green(text) : text),
    },
    {name: 'is_host', label: 'host', value: ({is_host}) => is_host},
    {
      name: 'is_present',
      label: 'present',
      value: ({is_present}) => is_present,
      paint: (text, {is_present}, style) => (is_present === true ? style.green(text) : style.dim(text)),
    },
    {name: 'is_reserved', label: 'reserved', value: ({is_reserved}) => is_reserved},
    {name: 'is_invited', label: 'invited', value: ({is_invited}) => is_invited},
    {name: 'user_id', label: 'user', value: ({user_id: user}) => user, id: true, extra: true},
    {name: 'created_by', value: ({created_by: user}) => user, extra: true},
    {name: 'start_time', value: (room) => room.start_time, show: (room, {time}) => time(room.start_time), extra: true},
    {name: 'end_time', value: (room) => room.end_time, show: (room, {time}) => time(room.end_time), extra: true},
  ],
}
