import type {TransactionRecord} from '../../api/contract/push.js'
import {safeText} from '../../text/text.js'
import {toTheMinute} from '../../text/time.js'
import type {ListView} from '../format/columns.js'
import type {BulkRow} from '../room/change.js'
import {paintStatus} from './transactionStatus.js'

/** What came of cancelling one request. */
export interface CancelResult extends BulkRow {
  readonly request_uuid: string
}

const colours = {done: 'green', failed: 'red', skipped: 'yellow'} as const

/** One row for each request, in the order they were named. */
export const cancelResults: ListView<CancelResult> = {
  id: ({request_uuid: uuid}) => safeText(uuid),
  empty: 'there was nothing to cancel',
  columns: [
    {name: 'request_uuid', label: 'uuid', value: (row) => row.request_uuid, id: true},
    {name: 'outcome', value: ({outcome}) => outcome, paint: (text, {outcome}, style) => style[colours[outcome]](text)},
    {name: 'error', value: ({error, reason}) => error?.message ?? reason, flex: true},
  ],
}

/** A request to all users of an application, with what this machine last set of it where that is known. */
export interface KnownRequest {
  readonly request_uuid: string
  readonly application_id: string
  /** RFC 3339, UTC. */
  readonly dispatch_at?: string
  readonly destination?: readonly string[]
}

/** The requests that a question is about: the service shows none, so the journal says what is known. */
export const knownRequests: ListView<KnownRequest> = {
  id: ({request_uuid: uuid}) => safeText(uuid),
  empty: 'there is no request',
  columns: [
    {name: 'request_uuid', label: 'uuid', value: (row) => row.request_uuid, id: true},
    {name: 'application_id', label: 'application', value: (row) => row.application_id},
    {
      name: 'dispatch_at',
      label: 'when (last set from this machine)',
      value: (row) => row.dispatch_at,
      show: (row, {time}) => time(row.dispatch_at),
      whole: true,
    },
    {name: 'destination', label: 'to', value: ({destination}) => destination?.join(' ')},
  ],
}

/** What became of one push to one user (push, Transaction record). */
export const transactionRecordList: ListView<TransactionRecord> = {
  id: (row) => safeText(row.transaction_id),
  empty: 'there are no transaction records',
  columns: [
    {
      name: 'transaction_at',
      label: 'at',
      value: (row) => row.transaction_at,
      show: (row, {time}) => toTheMinute(time(row.transaction_at)),
      whole: true,
    },
    {name: 'recipient_id', label: 'recipient', value: (row) => row.recipient_id, id: true},
    {
      name: 'status',
      value: (row) => row.status,
      paint: (text, {status}, style) => paintStatus(text, status, style),
    },
    // Where the window is narrow these are left out first: what failed must be seen.
    {name: 'request_id', label: 'request', value: (row) => row.request_id, whole: true},
    {name: 'transaction_id', label: 'transaction', value: (row) => row.transaction_id, whole: true},
  ],
}
