import type {ListView} from './columns.js'

/** One setting with where its value comes from. */
export interface SettingRow {
  readonly key: string
  readonly value: unknown
  readonly source: 'flag' | 'env' | 'profile' | 'default'
  /** The environment variable that can set it. */
  readonly env: string | null
}

export const settingList: ListView<SettingRow> = {
  id: ({key}) => key,
  empty: 'nothing is set',
  columns: [
    {name: 'key', value: ({key}) => key, id: true},
    {name: 'value', value: ({value}) => value, show: ({value}) => (value === null ? '' : String(value)), flex: true},
    {name: 'source', value: ({source}) => source},
    {name: 'env', label: 'variable', value: ({env}) => env},
  ],
}

/** A profile as the list of profiles shows it. */
export interface ProfileRow {
  readonly name: string
  readonly current: boolean
  readonly room_url: string | null
  readonly protected: boolean
  readonly read_only: boolean
  /** The services it holds a credential for. */
  readonly logged_in: readonly string[]
}

export const profileList: ListView<ProfileRow> = {
  id: ({name}) => name,
  empty: 'there is no profile; roomctl config init makes one',
  columns: [
    {name: 'name', value: ({name}) => name, id: true},
    {name: 'current', value: ({current}) => current, show: ({current}) => (current ? 'current' : '')},
    {name: 'room_url', label: 'room', value: (profile) => profile.room_url, flex: true},
    {name: 'logged_in', label: 'logged in', value: ({logged_in}) => logged_in.join(' ')},
    {
      name: 'protected',
      value: (profile) => profile.protected,
      show: (profile) => (profile.protected ? 'protected' : ''),
    },
    {
      name: 'read_only',
      label: 'read-only',
      value: ({read_only}) => read_only,
      show: ({read_only}) => (read_only ? 'read-only' : ''),
    },
  ],
}

/** The method and path of an operation, and who says so. */
export interface RouteRow {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** `documented` and `assumed` are built in; the others were set. */
  readonly source: 'documented' | 'assumed' | 'profile' | 'env' | 'flag'
  /** Where the document describes the operation. */
  readonly document: string
}

const colours = {documented: 'green', assumed: 'yellow', profile: 'cyan', env: 'cyan', flag: 'cyan'} as const

export const routeList: ListView<RouteRow> = {
  id: ({operation}) => operation,
  empty: 'there is no such operation',
  columns: [
    {name: 'operation', value: ({operation}) => operation, id: true},
    {name: 'method', value: ({method}) => method},
    {name: 'path', value: ({path}) => path},
    {name: 'source', value: ({source}) => source, paint: (text, {source}, style) => style[colours[source]](text)},
    {name: 'document', value: (route) => route.document},
  ],
}
