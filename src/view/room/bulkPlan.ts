import type {FailureJson} from '../../api/contract/failure.js'
import type {ListView} from '../format/columns.js'

/** A room as a plan holds it, or why it is not in it. */
export interface PlanRow {
  readonly room_id: string
  readonly name: string | null
  readonly room_status: string | null
  readonly present: number | null
  readonly host: string | null
  /** Whom it would be done as; null where no requester is named, or nobody can be. */
  readonly requester_id: string | null
  readonly error?: FailureJson
}

export const planRows: ListView<PlanRow> = {
  id: ({room_id: id}) => id,
  empty: 'there is nothing to change',
  columns: [
    {name: 'room_id', label: 'id', value: (row) => row.room_id, id: true},
    {name: 'name', value: ({name}) => name, flex: true},
    {name: 'room_status', label: 'status', value: (row) => row.room_status},
    {name: 'present', value: ({present}) => present, right: true},
    {name: 'host', value: ({host}) => host, extra: true},
    {name: 'requester_id', label: 'as', value: (row) => row.requester_id},
    {name: 'error', value: ({error}) => error?.message, flex: true},
  ],
}
