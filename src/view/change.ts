import type {FailureJson} from '../contract/failure.js'
import type {ListView} from './columns.js'

/** What came of one target of a change (product §2). */
export interface ChangeResult {
  readonly room_id: string
  readonly outcome: 'done' | 'skipped' | 'failed'
  /** Whom it was done as; null where it did not come to that. */
  readonly requester_id: string | null
  readonly error?: FailureJson
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
    {name: 'error', value: ({error}) => error?.message, flex: true},
  ],
}
