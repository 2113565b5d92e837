import {safeText} from '../../text/text.js'
import type {ListView} from '../format/columns.js'

export type AuditState = 'ok' | 'due' | 'expired' | 'dead interface' | 'missing' | 'unreadable'

/** A credential of an application, or of a file that belongs to none that was asked about. */
export interface AuditRow {
  /** Only where several profiles are audited. */
  readonly profile?: string
  readonly application_id: string | null
  readonly platform: 'ios' | 'android'
  readonly kind: 'key' | 'certificate' | 'server-key' | null
  readonly key_id: string | null
  readonly bundle_id: string | null
  /** YYYY-MM-DD. Of a server key the day from which its interface was shut down. */
  readonly expires: string | null
  readonly days_left: number | null
  /** The local file of the credential (`--files`). */
  readonly file: string | null
  readonly state: AuditState
  /** How far the last `push rotate` on this machine came; absent where there was none. */
  readonly rotation?: 'begun' | 'registered' | 'proven' | 'rolled-back'
}

const colours = {
  ok: 'green',
  due: 'yellow',
  missing: 'dim',
  expired: 'red',
  'dead interface': 'red',
  unreadable: 'red',
} as const

/** Two rows for each application; `withProfile`: of several profiles. */
export function auditList(withProfile: boolean): ListView<AuditRow> {
  return {
    id: ({application_id: id, file}) => safeText(id ?? file),
    empty: 'no applications',
    columns: [
      ...(withProfile ? [{name: 'profile', value: ({profile}: AuditRow) => profile}] : []),
      {name: 'application_id', label: 'application', value: (row) => row.application_id, id: true},
      {name: 'platform', value: ({platform}) => platform},
      {name: 'kind', value: ({kind}) => kind},
      {name: 'key_id', label: 'key id', value: (row) => row.key_id},
      {name: 'bundle_id', label: 'bundle id', value: (row) => row.bundle_id, fit: 'name'},
      {name: 'expires', value: ({expires}) => expires, fit: 'whole'},
      {name: 'days_left', label: 'days left', value: (row) => row.days_left, right: true},
      {name: 'file', value: ({file}) => file, fit: 'path'},
      {name: 'rotation', value: ({rotation}) => rotation, only: 'table', ifKnown: true},
      {
        name: 'state',
        value: ({state}) => state,
        kept: true,
        paint: (text, {state}, style) => style[colours[state]](text),
      },
    ],
  }
}
