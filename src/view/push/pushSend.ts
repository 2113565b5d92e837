import type {FailureJson} from '../../api/contract/failure.js'
import type {ListView} from '../format/columns.js'

/** What came of one recipient of a push; one who has several devices may have several transactions (push, Send result). */
export interface SentRow {
  /** Null where the service does not say whom a transaction is for; likewise the next three. */
  readonly recipient_id: string | null
  readonly transaction_id: string | null
  readonly transaction_type: string | null
  readonly status: string | null
  readonly outcome: 'done' | 'failed' | 'unknown' | 'skipped'
  readonly error?: FailureJson
}

const colours = {done: 'green', failed: 'red', unknown: 'red', skipped: 'yellow'} as const

/** One row for each recipient, in the order in which they were given. */
export const sentRows: ListView<SentRow> = {
  id: ({recipient_id: id}) => id ?? '',
  empty: 'nothing was sent',
  columns: [
    {name: 'recipient_id', label: 'recipient', value: (row) => row.recipient_id, id: true},
    {name: 'outcome', value: ({outcome}) => outcome, paint: (text, {outcome}, style) => style[colours[outcome]](text)},
    {name: 'status', value: ({status}) => status},
    {name: 'error', value: ({error}) => error?.message, flex: true},
    // Where the window is narrow these are left out first: what went wrong must be seen.
    {name: 'transaction_type', label: 'type', value: (row) => row.transaction_type},
    {name: 'transaction_id', label: 'transaction', value: (row) => row.transaction_id, whole: true},
  ],
}
