import type {ApplicationStatus, PushStatus, RequestStatus, UserStatus} from '../../sandbox/demo/status.js'
import {type ListView, type Section, section} from '../format/columns.js'

const users: ListView<UserStatus> = {
  id: ({user_id: id}) => id,
  empty: 'no devices',
  columns: [
    {name: 'user_id', label: 'user', value: (user) => user.user_id, id: true},
    {name: 'tokens', value: ({tokens}) => tokens.map(describeToken).join(', '), flex: true},
  ],
}

function describeToken({push_type: type, push_token: token, is_gone: isGone}: UserStatus['tokens'][number]): string {
  return `${type} ${token}${isGone ? ', gone' : ''}`
}

const requests: ListView<RequestStatus> = {
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

const applications: ListView<ApplicationStatus> = {
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
export function pushSections(state: PushStatus): Section[] {
  return [
    section('push devices', state.users, users),
    section('push requests', state.requests, requests),
    section('push credentials', state.applications, applications),
  ]
}
