import {fileSize} from '../../text/bytes.js'
import type {ListView} from '../format/columns.js'
import {type UploadRow, uploadRows} from './uploadResult.js'

/** What a sync would do with one file. */
export interface SyncPlanRow {
  readonly dry_run: true
  readonly file: string
  readonly role: string
  readonly action: 'upload' | 'resume' | 'skip'
  readonly reason: string
  readonly bytes: number
  /** Bytes that the service has of it already, where it is resumed. */
  readonly from: number
  readonly platform: string
  /** Of a file that is there. */
  readonly uuid: string | null
  /** The uuid of what it belongs to, or the file of the same sync that is uploaded before. */
  readonly link: string | null
}

const colours = {upload: 'green', resume: 'cyan', skip: 'yellow'} as const

/** One row for each file, in the order in which their uploads would begin. */
export const syncPlan: ListView<SyncPlanRow> = {
  id: ({uuid, file}) => uuid ?? file,
  empty: 'there is nothing to sync',
  columns: [
    {name: 'file', value: ({file}) => file, flex: true},
    {name: 'role', value: ({role}) => role},
    {name: 'action', value: ({action}) => action, paint: (text, {action}, style) => style[colours[action]](text)},
    {name: 'bytes', label: 'size', value: ({bytes}) => bytes, show: ({bytes}) => fileSize(bytes), right: true},
    {name: 'link', value: ({link}) => link},
    {name: 'reason', value: ({reason}) => reason, flex: true},
    {name: 'uuid', value: ({uuid}) => uuid, id: true, extra: true},
    {name: 'platform', value: ({platform}) => platform, extra: true},
    {name: 'from', value: ({from}) => from, right: true, extra: true},
  ],
}

/** What came of each file of a sync. */
export const syncResults: ListView<UploadRow> = {
  ...uploadRows,
  columns: [
    {name: 'file', value: ({file}) => file, flex: true},
    {name: 'role', value: ({role}) => role},
    ...uploadRows.columns.filter(({name}) => name !== 'file'),
  ],
}
