import {ambiguities, defaultAmbiguityChoices} from '../../api/contract/ambiguities.js'
import type {PresenceChange} from '../../sandbox/demo/scenarios.js'
import type {SandboxStatus} from '../../sandbox/demo/status.js'
import type {Choices} from '../../sandbox/world/choices.js'
import type {SentMessage, WorldEvent} from '../../sandbox/world/world.js'
import {safeText, shellWord} from '../../text/text.js'
import type {CardView} from '../format/columns.js'
import {type SectionList, section} from '../format/table.js'
import {noSandboxRooms} from '../room/room.js'

type PushStatus = SandboxStatus['push']

/** `ben entered r-1; the room is MEETING`. */
export function describePresenceChange({room_id: room, notes}: PresenceChange): string {
  return `room ${safeText(room)}: ${notes.map((note) => safeText(note)).join('; ')}`
}

const rooms: SectionList<SandboxStatus['rooms'][number]> = {
  empty: noSandboxRooms,
  columns: [
    {name: 'room_id', label: 'id', value: (room) => room.room_id, id: true},
    {name: 'name', value: ({name}) => name, fit: 'name'},
    {name: 'room_status', label: 'status', value: (room) => room.room_status},
    {name: 'host', value: ({host}) => host},
    {name: 'present', value: ({present}) => present.join(' '), fit: 'name'},
    {name: 'blocked', value: ({blocked}) => blocked.join(' ')},
    {name: 'recording', value: ({recording}) => recording},
    {name: 'metadata', value: ({metadata}) => metadata, ifKnown: true, kept: true},
  ],
}

const messages: SectionList<SentMessage> = {
  empty: 'nothing was sent',
  columns: [
    {name: 'roomId', label: 'room', value: ({roomId}) => roomId, id: true},
    {name: 'from', value: ({from}) => from},
    {name: 'to', value: ({to}) => (to.length === 0 ? 'everybody' : to.join(' '))},
    {name: 'data', value: ({data}) => data, fit: 'prose'},
    {name: 'at', value: ({at}) => at, time: 'second'},
  ],
}

const events: SectionList<WorldEvent> = {
  empty: 'nothing happened',
  columns: [
    {name: 'event', value: ({event}) => event, id: true},
    {name: 'roomId', label: 'room', value: ({roomId}) => roomId},
    {name: 'about', value: ({userId, metadata}) => userId ?? metadata, fit: 'prose'},
    {name: 'at', value: ({at}) => at, time: 'second'},
  ],
}

const containers: SectionList<SandboxStatus['containers'][number]> = {
  empty: 'no containers',
  columns: [
    {name: 'path', label: 'container', value: ({path}) => path, id: true},
    {name: 'type', value: ({type}) => type},
    {name: 'resource_count', label: 'files', value: (row) => row.resource_count},
    {name: 'description', value: ({description}) => description, fit: 'prose'},
  ],
}

const resources: SectionList<SandboxStatus['resources'][number]> = {
  empty: 'no files',
  columns: [
    {name: 'uuid', value: ({uuid}) => uuid, id: true},
    {name: 'container', value: ({container}) => container, fit: 'path'},
    {name: 'name', value: ({name}) => name, fit: 'name'},
    {name: 'platform', value: ({platform}) => platform},
    {name: 'bytes', value: ({bytes}) => bytes},
    {name: 'asset_file_uuid', label: 'asset file', value: (row) => row.asset_file_uuid},
  ],
}

const uploads: SectionList<SandboxStatus['uploads'][number]> = {
  empty: 'nothing is being uploaded',
  columns: [
    {name: 'uuid', value: ({uuid}) => uuid, id: true},
    {name: 'container', value: ({container}) => container, fit: 'path'},
    {name: 'name', value: ({name}) => name, fit: 'name'},
    {name: 'offset', value: ({offset}) => offset},
    {name: 'bytes', value: ({bytes}) => bytes},
  ],
}

export const sandboxCard: CardView<SandboxStatus> = {
  title: ({rooms: all}) => `sandbox with ${all.length} rooms`,
  id: ({rooms: all}) => all.map(({room_id: id}) => id).join('\n'),
  columns: [
    {
      name: 'choices',
      label: 'readings',
      value: ({choices}) => choices,
      show: ({choices}) => choicesText(choices) || 'default',
    },
    {
      name: 'configuration',
      value: ({configuration}) => configuration,
      show: ({configuration}) =>
        configuration ? `${configuration.application_id}: ${words(configuration.values)}` : 'none',
    },
    {
      name: 'push_transactions',
      label: 'push transactions',
      value: ({push}) => push.transactions,
      show: ({push}) => words(push.transactions) || 'none',
    },
  ],
  sections: (state) => [
    section('rooms', state.rooms, rooms),
    section('data sent', state.messages, messages),
    section('events', state.events, events),
    section('containers', state.containers, containers),
    section('files', state.resources, resources),
    section('unfinished uploads', state.uploads, uploads),
    section('push devices', state.push.users, users),
    section('push requests', state.push.requests, requests),
    section('push credentials', state.push.applications, applications),
  ],
}

/** The choices that differ from the defaults, as flags of `sandbox start`: `--document push-all=refuse --fail 503:10%`. */
export function choicesText(choices: Partial<Choices>): string {
  const {fail = [], latencyMs = 0, cutAfter, stall, maxChunk, routes = {}} = choices
  const taken = Object.entries(ambiguities).flatMap(([key, [name]]) => {
    const value = choices[name] ?? defaultAmbiguityChoices[name]
    return value === defaultAmbiguityChoices[name] ? [] : [`--document ${key}=${value}`]
  })
  const faults = [
    ...fail.map(({percent, ...rule}) => `--fail ${rule.kind === 'code' ? rule.code : rule.status}:${percent}%`),
    ...(latencyMs > 0 ? [`--latency ${latencyMs}ms`] : []),
    ...(cutAfter ? [`--cut-after ${cutAfter}`] : []),
    ...(stall ? ['--stall'] : []),
    ...(maxChunk ? [`--max-chunk ${maxChunk}`] : []),
  ]
  const moved = Object.entries(routes).map(([id, {method, path}]) => `--route ${shellWord(`${id}=${method} ${path}`)}`)
  return [...taken, ...faults, ...moved].join(' ')
}

/** `SUCCESS 5, FAILED 1`. */
function words(members: object): string {
  const shown = Object.entries(members).filter(([, value]) => !isEmpty(value))
  return shown.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', ')
}

function isEmpty(value: unknown): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0)
}

const users: SectionList<PushStatus['users'][number]> = {
  empty: 'no devices',
  columns: [
    {name: 'user_id', label: 'user', value: (user) => user.user_id, id: true},
    {name: 'tokens', value: ({tokens}) => tokens.map(describeToken).join(', '), fit: 'prose'},
  ],
}

function describeToken({
  push_type: type,
  push_token: token,
  is_gone: isGone,
}: PushStatus['users'][number]['tokens'][number]): string {
  return `${type} ${token}${isGone ? ', gone' : ''}`
}

const requests: SectionList<PushStatus['requests'][number]> = {
  empty: 'nothing was requested',
  columns: [
    {name: 'request_uuid', label: 'request', value: (request) => request.request_uuid, id: true},
    {name: 'application_id', label: 'application', value: (request) => request.application_id},
    {name: 'status', value: ({status}) => status},
    {name: 'dispatch_at', label: 'dispatch', value: (row) => row.dispatch_at, time: 'second'},
    {name: 'sent_at', label: 'sent', value: (row) => row.sent_at, time: 'second'},
    {name: 'title', value: ({title}) => title, fit: 'prose', kept: true},
  ],
}

const applications: SectionList<PushStatus['applications'][number]> = {
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
