import type {LockRow} from '../../upload/sync/lock.js'
import {colouredColumn, type ListView} from '../format/columns.js'

/** One row for each file by which lock, folder and container differ. `why`: the clause that explains it, for people. */
export function frozenView(why: (path: string) => string | undefined): ListView<LockRow> {
  return {
    id: ({path}) => path,
    empty: 'no differences',
    columns: [
      {name: 'path', fit: 'path', kept: true},
      colouredColumn('difference', {missing: 'red', changed: 'yellow', new: 'green', stamp: 'red'}),
      {name: 'why', value: ({path}) => why(path), fit: 'prose', only: 'table'},
    ],
  }
}

/** Resources of one name and platform that have the same content, or that are claimed to by their stamps. */
export interface DuplicateRow {
  readonly name: string
  /** Lower case; null if the service has none. */
  readonly platform: string | null
  readonly sha256: string
  readonly uuids: readonly string[]
  /** The proof; `refuted`: equal by stamps, but not by the bytes that were read. */
  readonly proof: 'stamp' | 'content' | 'refuted'
}

export const duplicateList: ListView<DuplicateRow> = {
  id: ({uuids}) => uuids.join(' '),
  empty: 'no duplicates',
  columns: [
    {name: 'name', fit: 'path', kept: true},
    {name: 'platform'},
    colouredColumn('proof', {stamp: 'cyan', content: 'green', refuted: 'red'}),
    {name: 'uuids', show: ({uuids}) => uuids.join(', '), fit: 'prose'},
    {name: 'sha256', fit: 'digest'},
  ],
}
