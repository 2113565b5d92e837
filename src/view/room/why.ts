import type {Answer} from '../../api/contract/states.js'
import type {Style} from '../../text/style.js'
import {safeText} from '../../text/text.js'
import {wrap} from '../../text/wrap.js'
import type {CardView} from '../format/columns.js'
import type {ViewContext} from '../format/context.js'

/** What stands for or against somebody's entering a room, with the place of the document that says so. */
export interface Reason {
  /** `blocked`, `not-listed`, `full` ... */
  readonly code: string
  /** `unknown`: the documents leave it open, or it is not known. */
  readonly allows: Answer
  /** A clause without a stop. */
  readonly why: string
  readonly source: string
  /** The code with which the service would refuse a token. */
  readonly error_code: string | null
  /** The command that puts it right. */
  readonly fix: string | null
  /** Who may do that. */
  readonly by: string | null
}

/** Whether somebody can enter a room (product §1, `attendee why`). */
export interface Admission {
  readonly room_id: string
  readonly name: string | null
  readonly room_status: string | null
  readonly user_id: string
  readonly can_enter: Answer
  readonly is_present: boolean
  /** What this machine knows of it: the service does not tell who is blocked. */
  readonly blocked: 'yes' | 'no' | 'unknown'
  readonly reasons: readonly Reason[]
  /** What is left where the service refuses a token all the same; null where nothing is. */
  readonly if_refused: Reason | null
}

const colours = {yes: 'green', no: 'red', unknown: 'yellow'} as const

const untold = 'The service does not tell who is blocked, and the journal of this machine does not either.'

export const admissionCard: CardView<Admission> = {
  title: sentence,
  id: ({user_id}) => user_id,
  columns: [
    {name: 'room_id', label: 'room', value: ({room_id}) => room_id, id: true},
    {name: 'name', value: ({name}) => name},
    {name: 'room_status', label: 'status', value: ({room_status}) => room_status},
    {name: 'user_id', label: 'user', value: ({user_id}) => user_id, id: true},
    {
      name: 'can_enter',
      label: 'can enter',
      value: ({can_enter}) => can_enter,
      paint: (text, {can_enter}, style) => style[colours[can_enter]](text),
    },
    {name: 'is_present', label: 'present', value: ({is_present}) => is_present},
    {name: 'blocked', value: ({blocked}) => blocked},
    {name: 'reasons', value: ({reasons}) => reasons, extra: true},
    {name: 'if_refused', value: ({if_refused}) => if_refused, extra: true},
  ],
  sections: ({reasons, if_refused: left}) => [
    {heading: 'Reasons', draw: (context) => reasonLines(reasons, context)},
    ...(left
      ? [{heading: 'If refused all the same', draw: (context: ViewContext) => reasonLines([left], context)}]
      : []),
  ],
  notes: ({blocked, can_enter}) => (blocked === 'unknown' && can_enter !== 'no' ? [untold] : []),
}

function sentence({room_id: id, name, user_id: user, can_enter: verdict, is_present: present}: Admission): string {
  const room = name ? `room ${id} "${name}"` : `room ${id}`
  if (present && verdict === 'yes') return `${user} is in ${room}`
  if (verdict === 'yes') return `nothing known stands against ${user} entering ${room}`
  return verdict === 'no'
    ? `${user} cannot enter ${room}`
    : `the documents leave open whether ${user} can enter ${room}`
}

/** Each reason with what puts it right below it. Commands stay in one line, to be copied. */
function reasonLines(reasons: readonly Reason[], {columns, style}: ViewContext): string {
  const lines = reasons.flatMap((reason) => {
    const head = `${reason.allows}: ${safeText(reason.why)} (${references(reason)})`
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

function references({source, error_code: code}: Reason): string {
  return code === null ? source : `${source}, ${code}`
}

function painted(line: string, {allows}: Reason, style: Style): string {
  return `${style[colours[allows]](allows)}${line.slice(allows.length)}`
}
