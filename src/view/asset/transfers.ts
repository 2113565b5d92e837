import type {FileItem, RunItem} from '../../selection/run.js'
import {counted, fileSize, tally} from '../../text/text.js'
import type {DownloadRow} from '../../upload/download/download.js'
import type {UploadEntryRow} from '../../upload/ledger/entry.js'
import type {SyncDifferenceRow, SyncPlanRow} from '../../upload/sync/plan.js'
import {type Column, colouredColumn, type ListView} from '../format/columns.js'
import {
  errorCodeColumn,
  errorColumn,
  failureCodes,
  outcomeColumn,
  outcomeWords,
  reasonWords,
} from '../format/outcome.js'

export interface UploadRow extends FileItem {
  readonly file: string
  /** Of a sync. */
  readonly role?: SyncPlanRow['role']
  /** Null if the service has assigned none. */
  readonly uuid: string | null
  readonly bytes: number | null
  readonly sha256: string | null
  /** The offset from which an earlier upload was resumed. */
  readonly resumed_from?: number
}

/** Of a file of a sync, as `asset list` names it. */
const role = {name: 'role', label: 'kind'} as const

const size: Column<{readonly bytes: number | null}> = {
  name: 'bytes',
  label: 'size',
  show: ({bytes}) => (bytes === null ? '' : fileSize(bytes)),
  right: true,
}

export const uploadRows: ListView<UploadRow> = {
  id: ({uuid, file}) => uuid ?? file,
  empty: 'nothing to upload',
  columns: [
    {name: 'file', fit: 'path'},
    {name: 'uuid', fit: 'whole'},
    size,
    {...outcomeColumn, show: outcomeOf},
    {name: 'sha256', fit: 'digest'},
    {name: 'resumed_from', extra: true},
    {
      ...errorColumn,
      name: 'reason',
      value: ({reason, error}) => reason ?? error?.message,
    },
  ],
}

function outcomeOf(row: UploadRow): string {
  const {outcome, resumed_from: from} = row
  return !from || outcome !== 'done' ? outcomeWords(row) : `${outcome}, from ${fileSize(from)}`
}

/** The same for resumed uploads, whose paths may look alike: with the id. `idOf`: the ids by file. */
export function resumedUploads(idOf: ReadonlyMap<string, string>): ListView<UploadRow> {
  const upload = {name: 'id', value: ({file}: UploadRow) => idOf.get(file), id: true, only: 'table'} as const
  return {...uploadRows, columns: [upload, ...uploadRows.columns]}
}

/** The action on a file, for people. */
export function actionWords({action}: Pick<SyncPlanRow, 'action'>): string {
  return action === 'skip' ? 'unchanged' : action
}

/** One row for each file, in the order in which their uploads would begin. */
export const syncPlan: ListView<SyncPlanRow> = {
  id: ({uuid, file}) => uuid ?? file,
  empty: 'nothing to sync',
  columns: [
    {name: 'file', fit: 'path'},
    role,
    {...colouredColumn('action', {upload: 'green', resume: 'cyan', skip: 'yellow'}), show: actionWords},
    size,
    {name: 'link'},
    {name: 'reason', show: reasonWords, fit: 'prose'},
    {name: 'uuid', fit: 'whole', extra: true},
    {name: 'platform', extra: true},
    {name: 'from', right: true, extra: true},
  ],
}

/** One row for each file that the container lacks, or has otherwise. */
export const syncDifferences: ListView<SyncDifferenceRow> = {
  id: ({file}) => file,
  empty: 'no differences',
  columns: [
    {name: 'file', fit: 'path', kept: true},
    colouredColumn('difference', {missing: 'red', changed: 'yellow', unproven: 'yellow'}),
    {name: 'reason', fit: 'prose'},
    {name: 'uuid', fit: 'whole', extra: true},
  ],
}

export const syncResults: ListView<UploadRow> = {
  ...uploadRows,
  columns: [{name: 'file', fit: 'path'}, role, ...uploadRows.columns.filter(({name}) => name !== 'file')],
}

export const downloadResults: ListView<DownloadRow> = {
  id: ({file}) => file ?? '',
  empty: 'nothing to download',
  columns: [
    {name: 'resource', id: true},
    {name: 'file', fit: 'path'},
    size,
    {name: 'sha256', fit: 'digest'},
    {...outcomeColumn, show: outcomeWords},
    errorCodeColumn,
    {...errorColumn, ifKnown: true},
  ],
}

/** The outcome of downloads in one line: `downloaded 3 files, 12 MiB, 30 unchanged`. */
export function downloadSum(rows: readonly DownloadRow[]): string {
  const done = rows.filter(({outcome}) => outcome === 'done')
  const size = done.reduce((sum, {bytes}) => sum + (bytes ?? 0), 0)
  const others = tally(rows.filter(({outcome}) => outcome !== 'done').map(outcomeWords))
  const codes = failureCodes(rows)
  const said = others.map((part) => (/^\d+ failed$/u.test(part) ? `${part}${codes}` : part))
  return [
    done.length === 0 ? 'nothing downloaded' : `downloaded ${counted(done.length, 'file')}, ${fileSize(size)}`,
    ...said,
  ].join(', ')
}

type EntryColumn = Column<UploadEntryRow>

const state: EntryColumn = colouredColumn('state', {done: 'green', unfinished: 'yellow'})
const uuid: EntryColumn = {name: 'uuid', fit: 'whole'}

function columns(state: EntryColumn, uuid: EntryColumn): EntryColumn[] {
  return [
    {name: 'id', id: true},
    {name: 'file', fit: 'path'},
    {name: 'container', fit: 'path'},
    {name: 'platform'},
    state,
    {name: 'acked', label: 'progress', show: progress, right: true, kept: true},
    {name: 'begun_at', label: 'started', time: 'minute', fit: 'whole'},
    uuid,
    {name: 'path', label: 'from', fit: 'path'},
    {name: 'bytes', show: ({bytes}) => fileSize(bytes), right: true, extra: true},
    {name: 'percent', right: true, extra: true},
    {name: 'updated_at', time: 'second', extra: true},
    {name: 'description', fit: 'prose', extra: true},
    {name: 'link', extra: true},
    {name: 'sha256', fit: 'digest', extra: true},
    {name: 'service', extra: true},
  ]
}

function progress({acked, bytes, percent}: UploadEntryRow): string {
  return `${fileSize(acked)} of ${fileSize(bytes)} (${percent} %)`
}

export const unfinishedUploads: ListView<UploadEntryRow> = {
  id: ({id}) => id,
  empty: 'no unfinished uploads',
  columns: columns({...state, extra: true}, {...uuid, extra: true}),
}

export const allUploads: ListView<UploadEntryRow> = {
  id: ({id}) => id,
  empty: 'no uploads',
  columns: columns(state, uuid),
}

export interface ForgottenRow extends RunItem {
  readonly id: string
  readonly file: string
}

export const forgottenUploads: ListView<ForgottenRow> = {
  id: ({id}) => id,
  empty: 'nothing to forget',
  columns: [{name: 'id', id: true}, {name: 'file', fit: 'path'}, outcomeColumn, errorCodeColumn, errorColumn],
}
