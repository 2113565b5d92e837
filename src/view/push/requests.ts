import type {TransactionRecord} from '../../api/contract/push.js'
import type {RunItem} from '../../selection/run.js'
import {counted, type Style, tally} from '../../text/text.js'
import type {ListView} from '../format/columns.js'
import {errorCodeColumn, errorColumn, outcomeColumn, outcomeWords} from '../format/outcome.js'

export interface CancelResult extends RunItem {
  readonly request_uuid: string
}

export const cancelResults: ListView<CancelResult> = {
  id: ({request_uuid: uuid}) => uuid,
  empty: 'nothing to cancel',
  columns: [{name: 'request_uuid', label: 'uuid', id: true}, outcomeColumn, errorCodeColumn, errorColumn],
}

/** The requests of a question. */
export function requestTable(applicationId: string): ListView<{readonly id: string}> {
  return {
    id: ({id}) => id,
    empty: 'no requests',
    columns: [
      {name: 'request_uuid', label: 'uuid', id: true, value: ({id}) => id},
      {name: 'application_id', label: 'application', value: () => applicationId},
    ],
  }
}

/** The outcome of one push to one user (push, Transaction record). */
export const transactionRecordList: ListView<TransactionRecord> = {
  id: (row) => row.transaction_id ?? '',
  empty: 'no transaction records',
  columns: [
    {name: 'transaction_at', label: 'at', time: 'minute', fit: 'whole'},
    {name: 'recipient_id', label: 'recipient', id: true},
    {name: 'status', paint: (text, {status}, style) => paintStatus(text, status, style)},
    // Hidden first in a narrow window: failures must stay visible.
    {name: 'request_id', label: 'request', fit: 'whole'},
    {name: 'transaction_id', label: 'transaction', fit: 'whole'},
  ],
}

/** The document shows SUCCESS and no other status (push, Transaction record); these words say that it went wrong. */
const failure =
  /fail|error|invalid|reject|denied|expired|un(?:regist|deliver|reach|know)|not[ _-]?(?:found|registered|delivered)/iu

/** Whether the status of a transaction means that the push did not arrive. */
export function hasFailed(status: string | null | undefined): boolean {
  return typeof status === 'string' && failure.test(status)
}

export function paintStatus(text: string, status: string | null | undefined, style: Style): string {
  if (hasFailed(status)) return style.red(text)
  return status === 'SUCCESS' ? style.green(text) : text
}

/** The outcome of one recipient of a push; one who has several devices may have several transactions (push, Send result). */
export interface SentRow extends RunItem {
  /** Null if the service names no recipient; also the next three. */
  readonly recipient_id: string | null
  readonly transaction_id: string | null
  readonly transaction_type: string | null
  readonly status: string | null
}

export const sentRows: ListView<SentRow> = {
  id: ({recipient_id: id}) => id ?? '',
  empty: 'nothing was sent',
  columns: [
    {name: 'recipient_id', label: 'recipient', id: true},
    outcomeColumn,
    {name: 'status'},
    errorCodeColumn,
    errorColumn,
    // Hidden first in a narrow window: errors must stay visible.
    {name: 'transaction_type', label: 'type'},
    {name: 'transaction_id', label: 'transaction', fit: 'whole'},
  ],
}

/** The outcome of all in one line: `sent to 498 users, 2 failed`; of a user with several devices, one that was reached counts. */
export function sentSum(rows: readonly SentRow[]): string {
  const users = new Set(rows.flatMap(({outcome, recipient_id: id}) => (outcome === 'done' ? [id] : [])))
  const others = tally(rows.filter(({outcome}) => outcome !== 'done').map(outcomeWords))
  return [users.size === 0 ? 'sent to no user' : `sent to ${counted(users.size, 'user')}`, ...others].join(', ')
}
