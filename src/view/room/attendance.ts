import type {Column, ListView} from '../format/columns.js'

/** The time of a user in a room, in minutes with two decimals: at least and at most. */
export interface AttendanceRow {
  readonly room_id: string
  readonly user_id: string
  readonly sessions: number
  readonly first_seen: string
  readonly last_seen: string
  readonly minutes_least: number
  /** Null if a session is open at an end of the recording. */
  readonly minutes_most: number | null
  readonly unseen_minutes: number
}

export const attendanceList: ListView<AttendanceRow> = {
  id: ({user_id: user}) => user,
  empty: 'nobody was seen',
  columns: [
    {name: 'room_id', label: 'room', id: true},
    {name: 'user_id', label: 'user', id: true},
    {name: 'sessions', right: true},
    {name: 'first_seen', label: 'first', time: 'second'},
    {name: 'last_seen', label: 'last', time: 'second'},
    minutesColumn('minutes_least', 'least'),
    minutesColumn('minutes_most', 'most'),
    minutesColumn('unseen_minutes', 'unseen'),
  ],
}

function minutesColumn(
  name: 'minutes_least' | 'minutes_most' | 'unseen_minutes',
  label: string,
): Column<AttendanceRow> {
  return {name, label, show: (row) => minutesText(row[name]), right: true}
}

export function minutesText(minutes: number | null): string {
  return minutes?.toFixed(2) ?? '?'
}
