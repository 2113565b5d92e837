import type {FailureJson} from '../../api/contract/failure.js'
import {fileSize} from '../../text/bytes.js'
import {safeText} from '../../text/text.js'
import type {UploadEntryRow} from '../../upload/ledger/entry.js'
import type {Column, ListView} from '../format/columns.js'
import {errorCodeColumn, errorColumn, outcomeColumn} from '../format/outcome.js'

type EntryColumn = Column<UploadEntryRow>

const colours = {done: 'green', unfinished: 'yellow'} as const

const state: EntryColumn = {
  name: 'state',
  value: (row) => row.state,
  paint: (text, row, style) => style[colours[row.state]](text),
}
const uuid: EntryColumn = {name: 'uuid', value: (row) => row.uuid, fit: 'whole'}

function columns(state: EntryColumn, uuid: EntryColumn): EntryColumn[] {
  return [
    {name: 'id', value: ({id}) => id, id: true},
    {name: 'file', value: ({file}) => file, fit: 'path', kept: true},
    {name: 'container', value: ({container}) => container, fit: 'path'},
    {name: 'platform', value: ({platform}) => platform},
    state,
    {name: 'acked', label: 'progress', value: ({acked}) => acked, show: progress, right: true, kept: true},
    {name: 'begun_at', label: 'begun', value: (row) => row.begun_at, time: 'minute', fit: 'whole'},
    uuid,
    {name: 'path', label: 'from', value: ({path}) => path, fit: 'path'},
    {name: 'bytes', value: ({bytes}) => bytes, show: ({bytes}) => fileSize(bytes), right: true, extra: true},
    {name: 'percent', value: ({percent}) => percent, right: true, extra: true},
    {name: 'updated_at', value: (row) => row.updated_at, time: 'second', extra: true},
    {name: 'description', value: ({description}) => description, fit: 'prose', extra: true},
    {name: 'link', value: ({link}) => link, extra: true},
    {name: 'sha256', value: ({sha256}) => sha256, fit: 'digest', extra: true},
    {name: 'service', value: ({service}) => service, extra: true},
  ]
}

function progress({acked, bytes, percent}: UploadEntryRow): string {
  return `${fileSize(acked)} of ${fileSize(bytes)} (${percent} %)`
}

/** Uploads that were begun and not finished. */
export const unfinishedUploads: ListView<UploadEntryRow> = {
  id: ({id}) => safeText(id),
  empty: 'no unfinished uploads',
  columns: columns({...state, extra: true}, {...uuid, extra: true}),
}

/** All uploads that were not forgotten. */
export const allUploads: ListView<UploadEntryRow> = {
  id: ({id}) => safeText(id),
  empty: 'no uploads',
  columns: columns(state, uuid),
}

/** What came of forgetting one upload. */
export interface ForgottenRow {
  readonly id: string
  readonly file: string
  readonly outcome: 'done' | 'failed'
  readonly error?: FailureJson
}

export const forgottenUploads: ListView<ForgottenRow> = {
  id: ({id}) => safeText(id),
  empty: 'nothing to forget',
  columns: [
    {name: 'id', value: ({id}) => id, id: true},
    {name: 'file', value: ({file}) => file, fit: 'path', kept: true},
    outcomeColumn,
    errorCodeColumn,
    errorColumn,
  ],
}
