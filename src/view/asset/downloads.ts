import {fileSize} from '../../text/bytes.js'
import {safeText} from '../../text/text.js'
import type {DownloadRow} from '../../upload/bytes/download.js'
import type {ListView} from '../format/columns.js'

const colours = {done: 'green', failed: 'red', skipped: 'yellow'} as const

/** One row for each resource, in the order they were given. */
export const downloadResults: ListView<DownloadRow> = {
  id: ({file}) => safeText(file),
  empty: 'there was nothing to download',
  columns: [
    {name: 'resource', value: (row) => row.resource, id: true},
    {name: 'file', value: (row) => row.file, flex: true},
    {
      name: 'bytes',
      label: 'size',
      value: (row) => row.bytes,
      show: (row) => (row.bytes === null ? '' : fileSize(row.bytes)),
      right: true,
    },
    {name: 'sha256', value: (row) => row.sha256},
    {name: 'outcome', value: ({outcome}) => outcome, paint: (text, {outcome}, style) => style[colours[outcome]](text)},
    {name: 'error', value: ({error}) => error?.message, flex: true},
  ],
}
