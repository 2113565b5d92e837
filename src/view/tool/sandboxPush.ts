import {type ListView, type Section, section} from '../format/columns.js'

interface UserRow {
  readonly user_id: string
  readonly tokens: readonly {readonly push_type: string; readonly push_token: string; readonly is_gone: boolean}[]
}

interface RequestRow {
  readonly request_uuid: string
  readonly application_id: string
  readonly status: string
  readonly dispatch_at: string | null
  readonly sent_at: string | null
  readonly title: string
}

interface ApplicationRow {
  readonly application_id: string
  readonly package_name: string | null
  readonly fcm_server_key: string | null
  readonly ios_apns_type: string
  readonly bundle_id: string | null
  readonly certificate_expiry_date: string | null
}

/** What `sandbox status` shows of the push service. */
export interface PushState {
  readonly users: readonly UserRow[]
  readonly requests: readonly RequestRow[]
  readonly applications: readonly ApplicationRow[]
  readonly transactions: Readonly<Record<string, number>>
}

const users: ListView<UserRow> = {
  id: ({user_id: id}) => id,
  empty: 'no devices',
  columns: [
    {name: 'user_id', label: 'user', value: (user) => user.user_id, id: true},
    {name: 'tokens', value: ({tokens}) => tokens.map(tokenWords).join(', '), flex: true},
  ],
}

function tokenWords({push_type: type, push_token: token, is_gone: isGone}: UserRow['tokens'][number]): string {
  return `${type} ${token}${isGone ? ', gone' : ''}`
}

const requests: ListView<RequestRow> = {
  id: ({request_uuid: uuid}) => uuid,
  empty: 'nothing was requested',
  columns: [
    {name: 'request_uuid', label: 'request', value: (request) => request.request_uuid, id: true},
    {name: 'application_id', label: 'application', value: (request) => request.application_id},
    {name: 'status', value: ({status}) => status},
    {
      name: 'dispatch_at',
      label: 'dispatch',
      value: (row) => row.dispatch_at,
      show: (row, {time}) => time(row.dispatch_at),
    },
    {name: 'sent_at', label: 'sent', value: (row) => row.sent_at, show: (row, {time}) => time(row.sent_at)},
    {name: 'title', value: ({title}) => title, flex: true},
  ],
}

const applications: ListView<ApplicationRow> = {
  id: ({application_id: id}) => id,
  empty: 'nothing is registered',
  columns: [
    {name: 'application_id', label: 'application', value: (row) => row.application_id, id: true},
    {name: 'package_name', label: 'package', value: (row) => row.package_name},
    {name: 'fcm_server_key', label: 'server key', value: (row) => row.fcm_server_key},
    {name: 'ios_apns_type', label: 'iOS', value: (row) => row.ios_apns_type},
    {name: 'bundle_id', label: 'bundle', value: (row) => row.bundle_id},
    {name: 'certificate_expiry_date', label: 'expires', value: (row) => row.certificate_expiry_date},
  ],
}

/** The push service's part of the sandbox's card. */
export function pushSections(state: PushState): Section[] {
  return [
    section('push devices', state.users, users),
    section('push requests', state.requests, requests),
    section('push credentials', state.applications, applications),
  ]
}
