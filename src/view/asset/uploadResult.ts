import type {FailureJson} from '../../api/contract/failure.js'
import {fileSize} from '../../text/bytes.js'
import type {ListView} from '../format/columns.js'

/** What came of one file (product §2, §6). */
export interface UploadRow {
  readonly file: string
  /** What it is in a sync: asset, catalog or bundle. */
  readonly role?: string
  /** Null where the service has given none. */
  readonly uuid: string | null
  readonly bytes: number | null
  readonly sha256: string | null
  readonly outcome: 'done' | 'skipped' | 'failed'
  /** Where an earlier run's upload was taken up. */
  readonly resumed_from?: number
  /** Why it was skipped, or not verified; `error` says why it failed. */
  readonly reason?: string
  readonly error?: FailureJson
}

const colours = {done: 'green', failed: 'red', skipped: 'yellow'} as const

/** One row for each file, in the order they were given. */
export const uploadRows: ListView<UploadRow> = {
  id: ({uuid, file}) => uuid ?? file,
  empty: 'there was nothing to upload',
  columns: [
    {name: 'file', value: ({file}) => file, flex: true},
    {name: 'uuid', value: ({uuid}) => uuid, id: true},
    {name: 'bytes', label: 'size', value: ({bytes}) => bytes, show: sizeOf, right: true},
    {
      name: 'outcome',
      value: ({outcome}) => outcome,
      show: outcomeOf,
      paint: (text, {outcome}, style) => style[colours[outcome]](text),
    },
    {name: 'sha256', value: ({sha256}) => sha256, whole: true},
    {name: 'resumed_from', value: (row) => row.resumed_from, extra: true},
    {name: 'reason', value: ({reason, error}) => reason ?? error?.message, flex: true},
  ],
}

function outcomeOf({outcome, resumed_from: from}: UploadRow): string {
  return from === undefined || outcome !== 'done' ? outcome : `${outcome}, from ${fileSize(from)}`
}

function sizeOf({bytes}: UploadRow): string {
  return bytes === null ? '' : fileSize(bytes)
}
