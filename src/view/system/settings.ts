import {colouredColumn, type ListView} from '../format/columns.js'

export interface SettingRow {
  readonly key: string
  readonly value: unknown
  readonly source: 'flag' | 'env' | 'profile' | 'default'
  readonly env: string | null
}

export const settingList: ListView<SettingRow> = {
  id: ({key}) => key,
  empty: 'nothing is set',
  columns: [
    {name: 'key', id: true},
    {name: 'value', show: ({value}) => (value === null ? '' : String(value)), fit: 'prose'},
    {name: 'source'},
    {name: 'env', label: 'variable'},
  ],
}

export interface ProfileRow {
  readonly name: string
  readonly current: boolean
  readonly room_url: string | null
  readonly protected: boolean
  readonly read_only: boolean
  readonly logged_in: readonly string[]
}

export const profileList: ListView<ProfileRow> = {
  id: ({name}) => name,
  empty: 'no profiles; to create one: roomctl config init',
  columns: [
    {name: 'name', id: true},
    {name: 'current', show: ({current}) => (current ? 'current' : '')},
    {name: 'room_url', label: 'room', fit: 'path'},
    {name: 'logged_in', label: 'logged in', value: ({logged_in}) => logged_in.join(' ')},
    {name: 'protected', show: (row) => (row.protected ? 'protected' : '')},
    {name: 'read_only', label: 'read-only', show: (row) => (row.read_only ? 'read-only' : '')},
  ],
}

export interface RouteRow {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** `documented` and `assumed` are built in; the others were set. */
  readonly source: 'documented' | 'assumed' | 'profile' | 'env'
  readonly document: string
}

export const routeList: ListView<RouteRow> = {
  id: ({operation}) => operation,
  empty: 'unknown operation',
  columns: [
    {name: 'operation', id: true},
    {name: 'method'},
    {name: 'path'},
    colouredColumn('source', {documented: 'green', assumed: 'yellow', profile: 'cyan', env: 'cyan'}),
    {name: 'document'},
  ],
}
