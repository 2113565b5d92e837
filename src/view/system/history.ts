import type {JournalEntry} from '../../storage/journal.js'
import {safeText} from '../../text/text.js'
import {moment, toTheMinute} from '../../text/time.js'
import {colouredColumn, type ListView, type ViewContext} from '../format/columns.js'

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
    {
      name: 'targets',
      label: 'target',
      show: ({targets}, {time}) => describeTargets(targets, time),
      fit: 'words',
      kept: true,
    },
    {
      ...colouredColumn('outcome', {done: 'green', failed: 'red', unknown: 'yellow'}),
      show: ({outcome, undone_by: other}) => (other === undefined ? outcome : `${outcome}, undone`),
    },
    {name: 'code'},
    {name: 'reason', fit: 'prose', only: 'table', ifKnown: true, kept: false},
    {name: 'reverse', id: true, ifKnown: true},
    {name: 'profile'},
    {name: 'as'},
    {name: 'before', show: ({before = {}}, {time}) => describeTargets(before, time), extra: true},
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

/** `20261201T090000`, in UTC (push, Broadcast). */
const dispatchDate = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/u

/** The target of a change: `r-standup ben,carl`, `r-standup is_joinable=false`; its times as `time` shows them. */
function describeTargets(targets: Readonly<Record<string, unknown>>, time: ViewContext['time']): string {
  const parts = Object.entries(targets).map(([name, value]) => {
    const all = [value].flat().map((target) => safeText(target).replace(dispatchDate, '$1-$2-$3T$4:$5:$6Z'))
    const text = all.map((target) => (moment(target) ? toTheMinute(time(target)) : target)).join(',')
    return bare.has(name) ? text : `${safeText(name)}=${text}`
  })
  return parts.join(' ')
}
