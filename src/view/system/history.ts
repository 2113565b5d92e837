import type {JournalEntry} from '../../storage/journal.js'
import {safeText} from '../../text/text.js'
import {colouredColumn, type ListView} from '../format/columns.js'

export interface HistoryRow extends JournalEntry {
  /** The id of the entry of 0.3.0 that undid it. */
  readonly undone_by?: string
  /** The command line that puts back what was there before. */
  readonly reverse?: string
}

export const historyList: ListView<HistoryRow> = {
  id: ({id}) => id ?? '',
  empty: 'no changes recorded on this machine',
  columns: [
    {name: 'id', id: true},
    {name: 'at', time: 'second', fit: 'whole', kept: true},
    {name: 'operation', kept: true},
    {name: 'targets', label: 'target', show: ({targets}) => describeTargets(targets), fit: 'words', kept: true},
    {
      ...colouredColumn('outcome', {done: 'green', failed: 'red', unknown: 'yellow'}),
      show: ({outcome, undone_by: other}) => (other === undefined ? outcome : `${outcome}, undone`),
    },
    {name: 'code'},
    {name: 'reason', fit: 'prose', only: 'table', ifKnown: true, kept: false},
    {name: 'reverse', id: true, ifKnown: true},
    {name: 'profile'},
    {name: 'as'},
    {name: 'before', show: ({before}) => describeTargets(before ?? {}), extra: true},
    {name: 'undoes', extra: true},
    {name: 'undone_by', label: 'undone by', extra: true},
  ],
}

/** Members whose value needs no name. */
const bare = new Set([
  'roomId',
  'container',
  'uuid',
  'user_id',
  'userId',
  'attendees',
  'recipient_ids',
  'request_uuid',
  'request_uuids',
  'application_id',
  'applicationId',
  'method',
  'path',
])

/** The target of a change: `r-standup ben,carl`, `r-standup is_joinable=false`. */
export function describeTargets(targets: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(targets).map(([name, value]) => {
    const text = Array.isArray(value) ? value.map((one) => safeText(one)).join(',') : safeText(value)
    return bare.has(name) ? text : `${safeText(name)}=${text}`
  })
  return words.join(' ')
}
