import type {RecordingFile} from '../../api/contract/record.js'
import {fileSize, nanoseconds} from '../../text/bytes.js'
import {safeText} from '../../text/text.js'
import type {ListView} from '../format/columns.js'

/** The recording files of a room (room §16); rows of several rooms carry the `room_id` that the command put there. */
export const recordingList: ListView<RecordingFile> = {
  columns: [
    {name: 'file_name', label: 'File', value: (row) => row.file_name, id: true},
    {
      name: 'file_size',
      label: 'Size',
      value: (row) => row.file_size,
      show: (row) => measured(row.file_size, fileSize),
      right: true,
    },
    {name: 'duration', value: (row) => row.duration, show: (row) => measured(row.duration, nanoseconds), right: true},
    {name: 'room_id', label: 'Room', value: (row) => row.room_id, id: true, extra: true},
  ],
  id: (row) => safeText(row.file_name),
  empty: 'there are no recordings',
}

function measured(value: unknown, draw: (amount: number) => string): string {
  return typeof value === 'number' && Number.isFinite(value) ? draw(value) : safeText(value)
}
