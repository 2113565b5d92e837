import type {AttendeeRecord, RoomSummary} from '../../api/contract/room.js'
import type {Answer} from '../../api/contract/states.js'
import {type Style, safeText, shortly} from '../../text/text.js'
import {withTimes} from '../../text/time.js'
import {wrap} from '../../text/width.js'
import {type CardView, type Column, colouredColumn, type ListView, type ViewContext} from '../format/columns.js'

export const attendeeList: ListView<AttendeeRecord> = {
  columns: [
    {name: 'user_id', label: 'User', id: true},
    {name: 'is_host', label: 'Host', paint: noIsQuiet},
    {
      name: 'is_present',
      label: 'Present',
      paint: (text, row, style) => (row.is_present === true ? style.green(text) : style.dim(text)),
    },
    {name: 'is_reserved', label: 'Reserved', paint: noIsQuiet},
    {name: 'is_invited', label: 'Invited', paint: noIsQuiet},
  ] satisfies Column<AttendeeRecord>[],
  id: (row) => row.user_id,
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

/** Blocks cannot be read: a yes holds for a user who may be blocked only with that condition. */
type CanEnter = Answer | 'yes, unless blocked'

export interface Admission {
  readonly room_id: string
  readonly name: string | null
  readonly room_status: string | null
  readonly user_id: string
  readonly can_enter: CanEnter
  readonly is_present: boolean
  /** From the journal of this machine: the service does not show who is blocked. */
  readonly blocked: 'yes' | 'no' | 'unknown'
  readonly reasons: readonly Reason[]
  /** The remaining reason if the service still refuses a token; else null. */
  readonly if_refused: Reason | null
}

const answerColours = {yes: 'green', no: 'red', unknown: 'yellow'} as const
const canEnterColours = {...answerColours, 'yes, unless blocked': 'green'} as const

export const admissionCard: CardView<Admission> = {
  title: headline,
  lines: admissionLines,
  id: ({user_id}) => user_id,
  columns: [
    {name: 'room_id', label: 'room', id: true},
    {name: 'name'},
    {name: 'room_status', label: 'status'},
    {name: 'user_id', label: 'user', id: true},
    {...colouredColumn('can_enter', canEnterColours), label: 'can enter'},
    {name: 'is_present', label: 'present'},
    {name: 'blocked'},
    {name: 'reasons', extra: true},
    {name: 'if_refused', extra: true},
  ],
}

/** A room whose attendee list has the user, with the user's record and whether the user can enter. */
export type AttendedRoom = RoomSummary & Pick<AttendeeRecord, 'is_host' | 'is_reserved' | 'is_invited'> & Admission

export const attendedRoomList: ListView<AttendedRoom> = {
  id: ({room_id: id}) => id,
  empty: 'the user is not on the attendee list of any of these rooms',
  columns: [
    {name: 'room_id', label: 'room', id: true},
    {name: 'name', fit: 'name'},
    {
      name: 'room_status',
      label: 'status',
      paint: (text, {room_status: status}, style) => (status === 'MEETING' ? style.green(text) : text),
    },
    {name: 'is_host', label: 'host'},
    {
      name: 'is_present',
      label: 'present',
      paint: (text, {is_present}, style) => (is_present ? style.green(text) : style.dim(text)),
    },
    {name: 'is_reserved', label: 'reserved', only: 'csv'},
    {name: 'is_invited', label: 'invited', only: 'csv'},
    {...colouredColumn('can_enter', canEnterColours), label: 'can enter', kept: true},
    {
      name: 'why',
      value: ({reasons, can_enter: verdict}) => reasons.find(({allows}) => verdict.startsWith(allows))?.why,
      fit: 'prose',
    },
    {name: 'user_id', label: 'user', id: true, extra: true},
    {name: 'created_by', extra: true},
    {name: 'start_time', time: 'second', extra: true},
    {name: 'end_time', time: 'second', extra: true},
    ...admissionCard.columns
      .filter(({name}) => ['blocked', 'reasons', 'if_refused'].includes(name))
      .map((column) => ({...column, extra: true as const})),
  ],
}

function headline({name, ...admission}: Admission): string {
  const {room_id: id, room_status: status, user_id: user, can_enter: verdict, is_present: isPresent} = admission
  const room = `${id}${name ? ` "${shortly(name)}"` : ''}${status ? ` (${status})` : ''}`
  if (verdict === 'no') return `${user} cannot enter ${room}`
  if (verdict === 'unknown') return `cannot tell whether ${user} can enter ${room}`
  return isPresent ? `${user} is in ${room}` : `${user} should be able to enter ${room}${verdict.slice('yes'.length)}`
}

/** The answer for a person and a program. `blocked`: as far as this machine knows. */
export function canEnter(verdict: Answer, blocked: Admission['blocked']): CanEnter {
  return verdict === 'yes' && blocked === 'unknown' ? 'yes, unless blocked' : verdict
}

const marks = {yes: '\u2713', no: '\u2717', unknown: '?'} as const

type Shown = Pick<Reason, 'allows' | 'why' | 'error_code' | 'fix' | 'by'>

const mostLines = 8

/** The answer, then reasons against it with their fixes, last those for it; on a terminal at most eight lines. */
function admissionLines(admission: Admission, context: ViewContext): string[] {
  const {reasons, if_refused: left} = admission
  const rank = ({allows}: Shown) => ['no', 'unknown', 'yes'].indexOf(allows)
  const {error_code = null, fix = null, by = null} = left ?? {}
  const blocks: Shown = {allows: 'unknown', why: 'blocks are not shown', error_code, fix, by}
  const sorted = [
    ...reasons.toSorted((one, other) => rank(one) - rank(other)),
    ...(left !== null || mayBeBlocked(admission) ? [blocks] : []),
  ]
  const draw = (isNamed: (reason: Shown) => boolean) => [
    ...titleLines(admission, context),
    ...sorted.flatMap((reason) => reasonLines(isNamed(reason) ? reason : {...reason, by: null}, context)),
  ]
  const drawn = [draw(() => true), draw(({allows}) => allows === 'no'), draw(() => false)]
  const fitting = drawn.find(({length}) => context.columns === undefined || length <= mostLines)
  return fitting ?? [...draw(() => false).slice(0, mostLines - 1), context.style.dim('-o json shows the rest')]
}

/** Only who is kept out of a meeting can be blocked (room §8 rule 2). */
function mayBeBlocked({blocked, can_enter: verdict, room_status: status}: Admission): boolean {
  return blocked === 'unknown' && verdict === 'no' && (status === 'MEETING' || status === 'IDLE')
}

/** The reason, the command that removes it on a line of its own, and who may run it. */
function reasonLines({allows, why, error_code: code, fix, by}: Shown, context: ViewContext): string[] {
  const {columns, style, shortTime, time} = context
  const text = safeText(withTimes(why, shortTime ?? time))
  const isMarked = columns !== undefined
  const said = allows === 'yes' || code === null ? text : `${text} (${code})`
  const [first = '', ...rest] = isMarked ? wrap(said, columns - 2) : [`${allows}: ${said}`]
  return [
    isMarked ? `${style[answerColours[allows]](marks[allows])} ${first}` : first,
    ...rest.map((line) => `  ${line}`),
    ...(fix === null ? [] : [`  fix: ${safeText(fix)}`]),
    ...(by === null ? [] : [`  who: ${safeText(by)}`]),
  ]
}

function titleLines(admission: Admission, {columns, style}: ViewContext): string[] {
  const title = safeText(headline(admission))
  return (columns === undefined ? [title] : wrap(title, columns)).map((line) => style.bold(line))
}
