import type {Api} from '../../../../src/api/client/api.js'
import * as appConfig from '../../../../src/api/contract/appConfig.js'
import * as asset from '../../../../src/api/contract/asset.js'
import * as attendee from '../../../../src/api/contract/attendee.js'
import type {Input} from '../../../../src/api/contract/operation.js'
import {type AnyOperation, type OperationId, operations} from '../../../../src/api/contract/operations.js'
import * as push from '../../../../src/api/contract/push.js'
import * as record from '../../../../src/api/contract/record.js'
import * as room from '../../../../src/api/contract/room.js'
import * as roomChanges from '../../../../src/api/contract/roomChanges.js'
import {sendData} from '../../../../src/api/contract/sendData.js'

const path = {roomId: 'r-1'}
const inGames = {container: 'games/foo'}
const requester_id = 'ann'
const creation = {
  name: 'Standup',
  created_by: 'ann',
  host_selection_type: 'CREATOR',
  is_elect_host: true,
  is_joinable: true,
} as const

const ofApplication = {application_id: 'app-1'}
const notification: Input<typeof push.broadcast>['body'] = {
  title: 'Maintenance',
  body: 'Rooms close at nine',
  dispatch_type: 'SCHEDULED',
  destination: ['ANDROID'],
  dispatch_date: '20261224T090000',
}

/** A call of each operation, on room r-1 as ann, on the container games/foo and the resource u-1, or for application app-1. */
export const calls: Readonly<Record<OperationId, (api: Api, before?: unknown) => Promise<unknown>>> = {
  'room.create': (api) => api.call(roomChanges.createRoom, {body: creation}),
  'room.list': (api) => api.call(room.listRooms, {}),
  'room.get': (api) => api.call(room.getRoom, {path}),
  'room.update': (api, before) =>
    api.call(roomChanges.updateRoom, {path, body: {requester_id, name: 'Weekly', max_attendee_count: 9}}, before),
  'attendee.list': (api) => api.call(attendee.listAttendees, {path}),
  'attendee.add': (api, before) => api.call(attendee.add, {path, body: {attendees: ['ben', 'carl']}}, before),
  'attendee.token': (api) => api.call(attendee.token, {path: {...path, userId: 'ben'}, body: {}}),
  'attendee.block': (api, before) =>
    api.call(attendee.block, {path, body: {requester_id, attendees: ['ben', 'carl']}}, before),
  'attendee.restore': (api) => api.call(attendee.restore, {path, body: {requester_id, attendees: ['ben']}}),
  'room.delete': (api, before) => api.call(roomChanges.remove, {path, body: {requester_id}}, before),
  'room.end': (api, before) => api.call(roomChanges.end, {path, body: {requester_id}}, before),
  'room.presenter': (api) => api.call(roomChanges.presenter, {path, body: {requester_id, user_id: 'ben'}}),
  'room.delegate': (api, before) =>
    api.call(roomChanges.delegate, {path, body: {requester_id, user_id: 'ben'}}, before),
  'record.start': (api) => api.call(record.start, {path, body: {requester_id, layout: 'GRID'}}),
  'record.stop': (api) => api.call(record.stop, {path, body: {requester_id}}),
  'record.list': (api) => api.call(record.listRecordings, {path}),
  'room.send': (api) => api.call(sendData, {path, body: {from: 'ann', data: 'hello'}}),
  'room.adminUpdate': (api, before) =>
    api.call(
      roomChanges.adminUpdate,
      {path: {...path, applicationId: 'app-1'}, body: {name: 'Weekly', is_public: false}},
      before,
    ),
  'appConfig.create': (api) => api.call(appConfig.createConfiguration, {path: {applicationId: 'app-1'}, body: {}}),
  'appConfig.update': (api) => api.call(appConfig.updateConfiguration, {path: {applicationId: 'app-1'}, body: {}}),
  'asset.list': (api) => api.call(asset.listContainer, {path: inGames}),
  'asset.info': (api) => api.call(asset.info, {path: inGames, query: {type: 'meta'}}),
  'asset.create': (api) =>
    api.call(asset.addContainer, {path: inGames, body: {type: 'BasicContainer', name: 'foo', description: 'Foo'}}),
  'asset.describe': (api, before) =>
    api.call(asset.describe, {path: inGames, body: {description: 'New words'}}, before),
  'asset.options': (api) => api.call(asset.options, {path: inGames}),
  'asset.head': (api) => api.call(asset.head, {path: inGames}),
  'asset.upload': (api) =>
    api.call(asset.upload, {
      path: inGames,
      headers: {Original_File_Name: 'a.bundle', 'Upload-Length': '5', Platform: 'ios', Description: 'A'},
    }),
  'asset.patch': (api) =>
    api.call(asset.patch, {
      path: {...inGames, uuid: 'u-1'},
      headers: {'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0', 'Content-Length': '0'},
    }),
  'asset.get': (api) => api.call(asset.getResource, {path: {...inGames, common_resource_uuid: 'u-1'}}),
  'asset.meta': (api) => api.call(asset.meta, {path: {...inGames, common_resource_uuid: 'u-1'}, query: {type: 'meta'}}),
  'asset.catalog': (api) => api.call(asset.catalog, {path: {...inGames, common_uuid: 'u-1'}, query: {type: 'catalog'}}),
  'asset.bytes': (api) => api.call(asset.bytes, {path: {...inGames, uuid: 'u-1'}, query: {type: 'asset'}}),
  'push.register': (api) =>
    api.call(push.register, {body: {user_id: 'ann', push_type: 'ANDROID', push_token: 'device-token-of-ann'}}),
  'push.send': (api) =>
    api.call(push.sendToUsers, {
      body: {recipient_ids: ['ann', 'ben'], push_type: 'ANDROID', title: 'Hello', body: 'All'},
    }),
  'push.modify': (api) =>
    api.call(push.modify, {
      query: {...ofApplication, request_uuid: 'q-1'},
      body: notification,
    }),
  'push.broadcast': (api) => api.call(push.broadcast, {query: ofApplication, body: notification}),
  'push.cancel': (api) => api.call(push.cancel, {query: ofApplication, body: {request_uuids: ['q-1', 'q-2']}}),
  'push.iosKey': (api, before) =>
    api.call(
      push.iosKey,
      {
        query: {...ofApplication, bundle_id: 'com.example.rooms', team_id: 'TEAM123456', key_id: 'KEY1234567'},
        files: {auth_key_file: Buffer.from('the bytes of a key')},
      },
      before,
    ),
  'push.iosCertificate': (api, before) =>
    api.call(
      push.iosCertificate,
      {
        query: {...ofApplication, apns_certificate_password: 'pässword &=', bundle_id: 'com.example.rooms'},
        files: {certificate_file: Buffer.from('the bytes of a certificate')},
      },
      before,
    ),
  'push.android': (api, before) =>
    api.call(
      push.android,
      {
        query: ofApplication,
        body: {package_name: 'com.example.rooms', fcm_server_key: 'AAAAserver-key-of-the-test'},
      },
      before,
    ),
  'push.show': (api) => api.call(push.show, {query: ofApplication}),
  'push.records': (api) => api.call(push.records, {query: ofApplication}),
}

/** The operations that answer with an envelope, and those whose HTTP status decides. */
export const enveloped: readonly AnyOperation[] = operations.filter((operation) => !('responseFormat' in operation))
export const plain: readonly AnyOperation[] = operations.filter((operation) => 'responseFormat' in operation)

/** The operations that have an effect. */
export function withEffect(among: readonly AnyOperation[], effect: AnyOperation['effect']): OperationId[] {
  return among.filter((operation) => operation.effect === effect).map(({id}) => id)
}
