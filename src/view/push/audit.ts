import {colouredColumn, type ListView} from '../format/columns.js'

export type AuditState = 'ok' | 'due' | 'expired' | 'dead interface' | 'missing' | 'unreadable'

/** A credential of an application. */
export interface AuditRow {
  /** Only if several profiles are audited. */
  readonly profile?: string
  readonly application_id: string
  readonly platform: 'ios' | 'android'
  readonly kind: 'key' | 'certificate' | 'server-key' | null
  readonly key_id: string | null
  readonly bundle_id: string | null
  /** YYYY-MM-DD. Of a server key the day from which its interface was shut down. */
  readonly expires: string | null
  readonly days_left: number | null
  readonly state: AuditState
  readonly reason: string | null
}

const stateColours = {
  ok: 'green',
  due: 'yellow',
  missing: 'dim',
  expired: 'red',
  'dead interface': 'red',
  unreadable: 'red',
} as const

/** The words of a table; those of JSON and CSV are a promise. */
const shownStates: Readonly<Partial<Record<AuditState, string>>> = {'dead interface': 'shut down', missing: 'none'}

/** Two rows for each application; `withProfile`: of several profiles. */
export function auditList(withProfile: boolean): ListView<AuditRow> {
  return {
    id: ({application_id: id}) => id,
    empty: 'no applications',
    columns: [
      ...(withProfile ? [{name: 'profile'} as const] : []),
      {name: 'application_id', label: 'application', id: true},
      {name: 'platform', kept: true},
      {name: 'kind'},
      {name: 'key_id', label: 'key id'},
      {name: 'bundle_id', label: 'bundle id', fit: 'name'},
      {name: 'expires', fit: 'whole', kept: true},
      {name: 'days_left', label: 'days left', right: true, kept: true},
      {...colouredColumn('state', stateColours), show: ({state}) => shownStates[state] ?? state, kept: true},
      {name: 'reason', fit: 'prose', ifKnown: true, kept: true},
    ],
  }
}
