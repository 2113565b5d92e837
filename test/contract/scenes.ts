import {literalRoute} from './routes.js'
import type {Served} from './served.js'
import type {Documented} from './witness.js'

/** The literal request of an operation on a room, below the address's media prefix. */
export function lineOf(operation: Documented, room: string): string {
  const [method, path] = literalRoute(operation)
  const filled = path
    .replace('{room_Id}', room)
    .replace('{roomId}', room)
    .replace('{userId}', 'ben')
    .replace('{applicationId}', 'app-1')
  return `${method} /media${filled}`
}

export const host = {requester_id: 'ann'}
export const reserved = {reserved_start_time: '2026-12-02T09:00:00Z', reserved_end_time: '2026-12-02T10:00:00Z'}
const changes = {name: 'Weekly', description: 'All of us', is_public: true, is_joinable: true}
const configuration = {
  config_max_attendee_count: 10,
  config_is_joinable_view: true,
  config_host_selection_type: 'FIRST_ENTER_USER',
  config_is_elect_host: true,
  config_is_download_record: false,
}

/** A body with every documented field, and the state of the room in which the document lets the operation happen. */
export const fitting: Readonly<
  Record<Documented['id'], {state: string; body?: object; prepare?: (on: Served, room: string) => unknown}>
> = {
  'room.create': {
    state: 'RESERVED',
    body: {
      ...{name: 'Standup', created_by: 'ann', is_public: true, host_selection_type: 'CREATOR', is_elect_host: true},
      ...{is_joinable: true, attendees: ['ann', 'ben'], max_attendee_count: 5, description: 'Daily', biz_id: 'biz-1'},
      ...{is_token_receive: true, ...reserved},
    },
  },
  'room.list': {state: 'ENDED'},
  'room.get': {state: 'ENDED'},
  'room.update': {state: 'RESERVED', body: {...host, ...changes, ...reserved, max_attendee_count: 9}},
  'attendee.list': {state: 'MEETING'},
  'attendee.add': {state: 'MEETING', body: {attendees: ['carl', 'dora']}},
  'attendee.token': {state: 'MEETING', body: {user_name: 'Ben'}},
  'attendee.block': {state: 'MEETING', body: {...host, attendees: ['ben']}},
  'attendee.restore': {
    state: 'MEETING',
    body: {...host, attendees: ['ben']},
    prepare: (on, room) => on.send(`POST /media/v1/rooms/${room}/block`, {...host, attendees: ['ben']}),
  },
  'room.delete': {state: 'RESERVED', body: host},
  'room.end': {state: 'MEETING', body: host},
  'room.presenter': {state: 'MEETING', body: {...host, user_id: 'ben'}},
  'room.delegate': {state: 'MEETING', body: {...host, user_id: 'ben'}},
  'record.start': {state: 'MEETING', body: {...host, layout: 'SINGLE_SPEAKER'}},
  'record.stop': {state: 'MEETING', body: host, prepare: record},
  'record.list': {
    state: 'MEETING',
    prepare: async (on, room) => {
      await record(on, room)
      await on.send(`POST /media/v1/rooms/${room}/stop-record`, host)
    },
  },
  'room.send': {state: 'MEETING', body: {from: 'ann', to: ['ben'], data: 'hello'}},
  'room.adminUpdate': {state: 'RESERVED', body: {...changes, ...reserved}},
  'appConfig.create': {state: 'RESERVED', body: configuration},
  'appConfig.update': {
    state: 'RESERVED',
    body: configuration,
    prepare: (on) => on.send('POST /media/v1/applications/app-1/config', {}),
  },
}

function record(on: Served, room: string) {
  return on.send(`POST /media/v1/rooms/${room}/record`, {...host, layout: 'GRID'})
}
