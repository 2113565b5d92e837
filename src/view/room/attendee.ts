import type {AttendeeRecord, RoomSummary} from '../../api/contract/room.js'
import type {Answer} from '../../api/contract/states.js'
import {type Style, safeText} from '../../text/text.js'
import {wrap} from '../../text/width.js'
import {type CardView, type Column, colouredColumn, type ListView, type ViewContext} from '../format/columns.js'

export const attendeeList: ListView<AttendeeRecord> = {
  columns: [
    {name: 'user_id', label: 'User', value: (row) => row.user_id, id: true},
    {name: 'is_host', label: 'Host', value: (row) => row.is_host, paint: noIsQuiet},
    {
      name: 'is_present',
      label: 'Present',
      value: (row) => row.is_present,
      paint: (text, row, style) => (row.is_present === true ? style.green(text) : style.dim(text)),
    },
    {name: 'is_reserved', label: 'Reserved', value: (row) => row.is_reserved, paint: noIsQuiet},
    {name: 'is_invited', label: 'Invited', value: (row) => row.is_invited, paint: noIsQuiet},
  ] satisfies Column<AttendeeRecord>[],
  id: (row) => safeText(row.user_id),
  empty: 'nobody is on the attendee list',
}

function noIsQuiet(text: string, _row: AttendeeRecord, style: Style): string {
  return text.startsWith('yes') ? text : style.dim(text)
}

/** A reason for or against entering a room, with its section in the document. */
export interface Reason {
  /** `blocked`, `not-listed`, `full` ... */
  readonly code: string
  /** `unknown`: the documents leave it open, or it is not known. */
  readonly allows: Answer
  readonly why: string
  readonly source: string
  /** The code with which the service would refuse a token. */
  readonly error_code: string | null
  readonly fix: string | null
  readonly by: string | null
}

export interface Admission {
  readonly room_id: string
  readonly name: string | null
  readonly room_status: string | null
  readonly user_id: string
  readonly can_enter: Answer
  readonly is_present: boolean
  /** From the journal of this machine: the service does not show who is blocked. */
  readonly blocked: 'yes' | 'no' | 'unknown'
  readonly reasons: readonly Reason[]
  /** What is left where the service refuses a token all the same; null where nothing is. */
  readonly if_refused: Reason | null
}

const answerColours = {yes: 'green', no: 'red', unknown: 'yellow'} as const

const untold = 'Unknown: neither the service nor the local journal shows who is blocked.'

export const admissionCard: CardView<Admission> = {
  title: sentence,
  id: ({user_id}) => user_id,
  columns: [
    {name: 'room_id', label: 'room', value: ({room_id}) => room_id, id: true},
    {name: 'name', value: ({name}) => name},
    {name: 'room_status', label: 'status', value: ({room_status}) => room_status},
    {name: 'user_id', label: 'user', value: ({user_id}) => user_id, id: true},
    {...colouredColumn('can_enter', answerColours), label: 'can enter', show: canEnter},
    {name: 'is_present', label: 'present', value: ({is_present}) => is_present},
    {name: 'blocked', value: ({blocked}) => blocked},
    {name: 'reasons', value: ({reasons}) => reasons, extra: true},
    {name: 'if_refused', value: ({if_refused}) => if_refused, extra: true},
  ],
  sections: ({reasons, if_refused: left}) => [
    {heading: 'Reasons', draw: (context) => reasonLines(reasons, context)},
    ...(left ? [{heading: 'If refused anyway', draw: (context: ViewContext) => reasonLines([left], context)}] : []),
  ],
  notes: ({blocked, can_enter}) => (blocked === 'unknown' && can_enter !== 'no' ? [untold] : []),
}

/** A room whose attendee list has the user, with the user's record and whether the user can enter. */
export type AttendedRoom = RoomSummary & Pick<AttendeeRecord, 'is_host' | 'is_reserved' | 'is_invited'> & Admission

export const attendedRoomList: ListView<AttendedRoom> = {
  id: ({room_id: id}) => id,
  empty: 'the user is not on the attendee list of any of these rooms',
  columns: [
    {name: 'room_id', label: 'room', value: ({room_id: id}) => id, id: true},
    {name: 'name', value: ({name}) => name, fit: 'name'},
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
      paint: (text, {is_present}, style) => (is_present ? style.green(text) : style.dim(text)),
    },
    {name: 'is_reserved', label: 'reserved', value: ({is_reserved}) => is_reserved, only: 'csv'},
    {name: 'is_invited', label: 'invited', value: ({is_invited}) => is_invited, only: 'csv'},
    {...colouredColumn('can_enter', answerColours), label: 'can enter'},
    {
      name: 'why',
      value: ({reasons, can_enter: verdict}) => reasons.find(({allows}) => allows === verdict)?.why,
      fit: 'prose',
    },
    {name: 'user_id', label: 'user', value: ({user_id: user}) => user, id: true, extra: true},
    {name: 'created_by', value: ({created_by: user}) => user, extra: true},
    {name: 'start_time', value: (room) => room.start_time, time: 'second', extra: true},
    {name: 'end_time', value: (room) => room.end_time, time: 'second', extra: true},
    ...admissionCard.columns
      .filter(({name}) => ['blocked', 'reasons', 'if_refused'].includes(name))
      .map((column) => ({...column, extra: true as const})),
  ],
}

function sentence(admission: Admission): string {
  const {room_id: id, name, user_id: user, can_enter: verdict, is_present: present} = admission
  const room = name ? `room ${id} "${name}"` : `room ${id}`
  if (present && verdict === 'yes') return `${user} is in ${room}`
  if (verdict === 'yes') return `${user} should be able to enter ${room}${canEnter(admission).slice('yes'.length)}`
  return verdict === 'no' ? `${user} cannot enter ${room}` : `cannot tell whether ${user} can enter ${room}`
}

function canEnter({can_enter: verdict, blocked}: Admission): string {
  return verdict === 'yes' && blocked === 'unknown' ? 'yes, unless blocked' : verdict
}

/** Each reason with what puts it right below it. Commands stay in one line, to be copied. */
function reasonLines(reasons: readonly Reason[], {columns, style}: ViewContext): string {
  const lines = reasons.flatMap((reason) => {
    const head = `${reason.allows}: ${safeText(reason.why)}${reason.error_code === null ? '' : ` (${reason.error_code})`}`
    const [first = '', ...rest] = columns === undefined ? [head] : wrap(head, columns - 2)
    return [
      painted(first, reason, style),
      ...rest.map((line) => `  ${line}`),
      ...(reason.fix === null ? [] : [`  fix: ${safeText(reason.fix)}`]),
      ...(reason.by === null ? [] : [`  by:  ${safeText(reason.by)}`]),
    ]
  })
  return lines.join('\n')
}

function painted(line: string, {allows}: Reason, style: Style): string {
  return `${style[answerColours[allows]](allows)}${line.slice(allows.length)}`
}
