import type {FailureJson} from '../../api/contract/failure.js'
import type {ListView} from '../format/columns.js'

/** What came of one of several targets (product §2). */
export interface BulkRow {
  readonly outcome: 'done' | 'skipped' | 'failed'
  /** Why it was skipped, a clause without a stop; `error` says why it failed. */
  readonly reason?: string
  readonly error?: FailureJson
}

/** What came of one room. */
export interface ChangeResult extends BulkRow {
  readonly room_id: string
  /** Whom it was done as; null where it did not come to that. */
  readonly requester_id: string | null
  /** The users it was about, where it was about users. */
  readonly attendees?: readonly string[]
}

const colours = {done: 'green', failed: 'red', skipped: 'yellow'} as const

/** One row for each target, in the order they were given. */
export const changeResults: ListView<ChangeResult> = {
  id: ({room_id: id}) => id,
  empty: 'there was nothing to change',
  columns: [
    {name: 'room_id', label: 'id', value: (result) => result.room_id, id: true},
    {name: 'outcome', value: ({outcome}) => outcome, paint: (text, {outcome}, style) => style[colours[outcome]](text)},
    {name: 'requester_id', label: 'as', value: (result) => result.requester_id},
    {name: 'error', value: ({error, reason}) => error?.message ?? reason, flex: true},
  ],
}
