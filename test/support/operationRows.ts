import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect} from 'vitest'
import type {AnyOperation, OperationId} from '../../src/api/contract/operations.js'
import {certificatePassword, credentialFiles, deviceToken, serverKey} from './credentialFiles.js'

/** A command line that changes something, with the request that the document has for it. */
export interface Change {
  readonly operation: ChangeId
  readonly line: readonly string[]
  readonly method: string
  /** Below `http://sandbox.localhost`: the addresses of the sandbox end with `/media`, `/asset` and `/push`. */
  readonly path: string
  /** Absent if it is no JSON. */
  readonly body: object | undefined
  /** The form in `--dry-run`: secrets masked, a file by its size. */
  readonly shown?: {readonly path?: string; readonly body?: object}
  /** Its line of the journal without time, profile and outcome. */
  readonly journal: object
  /** It asks before it acts, and `--yes` answers. */
  readonly asks?: true
  /** It asks for this word before it acts, and only `--confirm` answers. */
  readonly word?: string
  /** The start of stderr with any outcome; default: empty. */
  readonly says?: RegExp
  /** It looks up the requester. */
  readonly looksUp?: true
  /** The command that shows the outcome after a lost answer. */
  readonly evidence?: string
  /** The detail of its room shows its effect, so a read settles a lost answer. */
  readonly settles?: true
  /** A repetition would make something a second time. */
  readonly creates?: true
  /** It is answered without an envelope: the HTTP status decides. */
  readonly plain?: true
  /** Its result: for people without the end of line, as JSON, and with -q. */
  readonly result: readonly [said: unknown, answer: unknown, id: unknown]
}

/** Uploads send more than one request and have tests of their own. */
type UploadId = 'asset.upload' | 'asset.patch'
export type ChangeId = Exclude<Extract<AnyOperation, {effect: 'state' | 'create'}>['id'], UploadId>

/** The line in one text, and method and path too. */
type Row = Omit<Change, 'operation' | 'line' | 'method' | 'path'> & {readonly line: string; readonly request: string}

export const {folder: lineFolder, ...files} = credentialFiles()
const bundle = path.join(lineFolder, 'level2.bundle')
writeFileSync(bundle, 'the second level')
const scheduled = '0f8fad5b-d9cb-469f-a165-70867728950e'
const notification = {title: 'Maintenance', body: 'Tonight', dispatch_type: 'IMMEDIATE', destination: ['ANDROID']}
const text = '--title Maintenance --body Tonight'
const upload = `asset upload games/puzzle ${bundle} --platform ios --description New`
const ofConfiguration = 'application_id=app-2'
const expectedUuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const byAnn = {room_id: 'r-standup', requester_id: 'ann'}
const [newRoom, newMessage, newToken] = [/^r-\w+$/, /^m-\w+$/, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/].map((form) =>
  expect.stringMatching(form),
)
const sent = {transaction_id: expectedUuid, transaction_type: 'PUSH', status: 'SUCCESS', outcome: 'done'}
const atOnce = {
  ...{application_id: 'app-1', dispatch_type: 'IMMEDIATE', destination: ['ANDROID']},
  ...{dispatch_date: null, dispatch_at: null, dispatch_local: null},
}
const registered = {application_id: 'app-2', bundle_id: 'com.example.rooms', replaced: null, verified: true}
const fingerprint = expect.stringMatching(/^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/)

/**
 * Every operation: of a read a command line, of a change its request too, as the documents have it, written out by hand. The
 * demonstration rooms let each succeed, and nothing is registered for the application app-2. The compiler asks for a row for each.
 */
export const rows: Readonly<Record<ChangeId, Row> & Record<Exclude<OperationId, ChangeId>, string>> = {
  'room.create': {
    line: 'room create Review --created-by ann -a ben',
    request: 'POST /media/v1/rooms',
    body: {
      ...{name: 'Review', created_by: 'ann', is_public: true, host_selection_type: 'CREATOR', is_elect_host: true},
      ...{is_joinable: true, attendees: ['ann', 'ben'], is_token_receive: false},
    },
    journal: {
      targets: {roomId: expect.any(String), name: 'Review', attendees: ['ann', 'ben'], is_joinable: true},
      as: 'ann',
    },
    creates: true,
    result: [
      expect.stringMatching(/^created room r-\w+ "Review" as ann$/),
      {room_id: newRoom, created_by: 'ann'},
      newRoom,
    ],
    evidence: 'roomctl room list',
  },
  'room.list': 'room list',
  'room.get': 'room show r-standup',
  'room.update': {
    line: 'room update r-standup --max 50',
    request: 'PATCH /media/media/v1/rooms/r-standup',
    body: {requester_id: 'ann', max_attendee_count: 50},
    journal: {
      targets: {roomId: 'r-standup', max_attendee_count: 50},
      as: 'ann',
      before: {max_attendee_count: 30},
    },
    looksUp: true,
    result: [
      'updated max_attendee_count of room r-standup as ann (host)',
      {...byAnn, updated: {max_attendee_count: 50}},
      'r-standup',
    ],
    ...{evidence: 'roomctl room show r-standup', settles: true},
  },
  'room.adminUpdate': {
    line: 'room update r-standup --admin --application-id app-1 --name Stand-up',
    request: 'PATCH /media/v1/applications/app-1/rooms/r-standup',
    body: {name: 'Stand-up'},
    journal: {targets: {roomId: 'r-standup', applicationId: 'app-1', name: 'Stand-up'}},
    result: [
      'updated name of room r-standup as platform admin',
      {...byAnn, requester_id: null, updated: {name: 'Stand-up'}},
      'r-standup',
    ],
    ...{evidence: 'roomctl room show r-standup', settles: true},
  },
  'room.delete': {
    line: 'room delete r-townhall',
    request: 'DELETE /media/v1/rooms/r-townhall',
    body: {requester_id: 'ann'},
    journal: {targets: {roomId: 'r-townhall'}, as: 'ann'},
    asks: true,
    looksUp: true,
    result: [
      'deleted room r-townhall as ann (host)',
      [{...byAnn, room_id: 'r-townhall', outcome: 'done'}],
      'r-townhall',
    ],
    ...{evidence: 'roomctl room show r-townhall', settles: true},
  },
  'room.end': {
    line: 'room end r-standup',
    request: 'POST /media/v1/rooms/r-standup/end',
    body: {requester_id: 'ann'},
    journal: {targets: {roomId: 'r-standup'}, as: 'ann'},
    asks: true,
    looksUp: true,
    result: ['ended room r-standup as ann (host)', [{...byAnn, outcome: 'done'}], 'r-standup'],
    ...{evidence: 'roomctl room show r-standup', settles: true},
  },
  'room.presenter': {
    line: 'room presenter r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/update-presenter',
    body: {requester_id: 'ann', user_id: 'ben'},
    journal: {targets: {roomId: 'r-standup', user_id: 'ben'}, as: 'ann'},
    looksUp: true,
    result: ['made ben presenter of room r-standup as ann (host)', {...byAnn, presenter: 'ben'}, 'r-standup'],
  },
  'room.delegate': {
    line: 'room delegate r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/delegate',
    body: {requester_id: 'ann', user_id: 'ben'},
    journal: {targets: {roomId: 'r-standup', user_id: 'ben'}, as: 'ann', before: {host: 'ann'}},
    looksUp: true,
    result: ['made ben host of room r-standup as ann (host)', {...byAnn, host: 'ben'}, 'r-standup'],
    ...{evidence: 'roomctl attendee list r-standup', settles: true},
  },
  'room.send': {
    line: 'room send r-standup closing --from ann',
    request: 'POST /media/v1/rooms/r-standup/send-data',
    body: {from: 'ann', data: 'closing'},
    journal: {targets: {roomId: 'r-standup'}, as: 'ann'},
    creates: true,
    result: [
      expect.stringMatching(/^sent 7 bytes to everybody in room r-standup from ann \(m-\w+\)$/),
      {id: newMessage, room_id: 'r-standup', from: 'ann', to: []},
      newMessage,
    ],
  },
  'attendee.list': 'attendee list r-standup',
  'attendee.add': {
    line: 'attendee add r-townhall zoe yuna',
    request: 'POST /media/v1/rooms/r-townhall/attendees',
    body: {attendees: ['zoe', 'yuna']},
    journal: {targets: {roomId: 'r-townhall', attendees: ['zoe', 'yuna']}},
    result: ['added zoe, yuna to room r-townhall', {room_id: 'r-townhall', added: ['zoe', 'yuna']}, 'r-townhall'],
    ...{evidence: 'roomctl attendee list r-townhall', settles: true},
  },
  'attendee.token': {
    line: 'attendee token r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/attendees/ben/token',
    body: {},
    journal: {targets: {roomId: 'r-standup', userId: 'ben'}},
    creates: true,
    result: [newToken, {token: newToken}, newToken],
  },
  'attendee.block': {
    line: 'attendee block r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/block',
    body: {requester_id: 'ann', attendees: ['ben']},
    journal: {targets: {roomId: 'r-standup', attendees: ['ben']}, as: 'ann'},
    asks: true,
    looksUp: true,
    result: ['blocked ben in room r-standup as ann (host)', {...byAnn, blocked: ['ben']}, 'r-standup'],
    evidence: 'roomctl attendee list r-standup --present',
  },
  'attendee.restore': {
    line: 'attendee restore r-standup dora',
    request: 'POST /media/v1/rooms/r-standup/restore',
    body: {requester_id: 'ann', attendees: ['dora']},
    journal: {targets: {roomId: 'r-standup', attendees: ['dora']}, as: 'ann'},
    looksUp: true,
    result: ['restored dora in room r-standup as ann (host)', {...byAnn, restored: ['dora']}, 'r-standup'],
  },
  'record.start': {
    line: 'record start r-standup --layout grid',
    request: 'POST /media/v1/rooms/r-standup/record',
    body: {requester_id: 'ann', layout: 'GRID'},
    journal: {targets: {roomId: 'r-standup', layout: 'GRID'}, as: 'ann'},
    looksUp: true,
    result: ['started recording room r-standup in layout GRID as ann (host)', {...byAnn, layout: 'GRID'}, 'r-standup'],
  },
  'record.stop': {
    line: 'record stop r-support',
    request: 'POST /media/v1/rooms/r-support/stop-record',
    body: {requester_id: 'carl'},
    journal: {targets: {roomId: 'r-support'}, as: 'carl'},
    looksUp: true,
    result: [
      'stopped recording room r-support as carl (host)',
      {room_id: 'r-support', requester_id: 'carl', recording: false},
      'r-support',
    ],
  },
  'record.list': 'record list r-retro',
  'appConfig.create': {
    line: 'config app create --application-id app-1 --max 50',
    request: 'POST /media/v1/applications/app-1/config',
    body: {config_max_attendee_count: 50},
    journal: {targets: {applicationId: 'app-1'}},
    creates: true,
    result: [
      'created the configuration of application app-1',
      {application_id: 'app-1', config_max_attendee_count: 50},
      'app-1',
    ],
  },
  'appConfig.update': {
    line: 'config app update --application-id app-1 --max 50',
    request: 'PATCH /media/v1/applications/app-1/config',
    body: {config_max_attendee_count: 50},
    journal: {targets: {applicationId: 'app-1'}},
    result: [
      'updated the configuration of application app-1',
      {application_id: 'app-1', config_max_attendee_count: 50},
      'app-1',
    ],
  },
  'asset.list': 'asset list games',
  'asset.info': 'asset info games',
  'asset.create': {
    line: 'asset create games/chess --description Chess',
    request: 'POST /asset/games/chess/',
    body: {type: 'BasicContainer', name: 'chess', description: 'Chess'},
    journal: {targets: {container: 'games/chess', name: 'chess'}},
    creates: true,
    plain: true,
    result: [
      expect.stringMatching(/^created container games\/chess \([0-9a-f-]{36}\)$/),
      {
        container: 'games/chess',
        uuid: expectedUuid,
        uri: '/asset/games/chess/',
        type: 'BasicContainer',
        name: 'chess',
        description: 'Chess',
      },
      'games/chess',
    ],
  },
  'asset.describe': {
    line: 'asset describe games/puzzle Levels',
    request: 'PATCH /asset/games/puzzle/',
    body: {description: 'Levels'},
    journal: {targets: {container: 'games/puzzle'}},
    plain: true,
    result: ['described container games/puzzle', {container: 'games/puzzle', description: 'Levels'}, 'games/puzzle'],
  },
  'asset.options': 'asset info games --methods',
  'asset.head': 'asset info games --methods',
  'asset.upload': upload,
  'asset.patch': upload,
  'asset.get': 'asset show games/puzzle/a-level1 --view link',
  'asset.meta': 'asset show games/puzzle/a-level1 --view meta',
  'asset.catalog': 'asset show games/puzzle/a-level1 --view catalog',
  'asset.bytes': 'asset show games/puzzle/a-level1 --view asset',
  'push.register': {
    line: `push register zoe --type ANDROID --token-file ${files.token}`,
    request: 'POST /push/v1/tokens',
    body: {user_id: 'zoe', push_type: 'ANDROID', push_token: deviceToken},
    shown: {body: {user_id: 'zoe', push_type: 'ANDROID', push_token: '***'}},
    journal: {targets: {user_id: 'zoe', push_type: 'ANDROID'}},
    plain: true,
    result: ['registered zoe’s Android device', {user_id: 'zoe', push_type: 'ANDROID'}, 'zoe'],
  },
  'push.send': {
    line: `push send ann ben ${text} --data room=r-1`,
    request: 'POST /push/v1/messages',
    body: {
      ...{recipient_ids: ['ann', 'ben'], push_type: 'ANDROID', title: 'Maintenance', body: 'Tonight'},
      data: {room: 'r-1'},
    },
    journal: {targets: {recipient_ids: ['ann', 'ben'], push_type: 'ANDROID'}},
    creates: true,
    plain: true,
    result: [
      expect.stringMatching(/^RECIPIENT .*\nann {8}done .*\nben {8}done .*$/),
      [
        {recipient_id: 'ann', ...sent},
        {recipient_id: 'ben', ...sent},
      ],
      'ann\nben',
    ],
  },
  'push.modify': {
    line: `push modify ${scheduled} ${text} --to ANDROID --dispatch immediate --application-id app-1`,
    request: `PUT /push/v1/notifications?application_id=app-1&request_uuid=${scheduled}`,
    body: notification,
    journal: {
      targets: {
        ...{application_id: 'app-1', request_uuid: scheduled},
        ...{dispatch_type: 'IMMEDIATE', destination: ['ANDROID']},
      },
    },
    plain: true,
    result: [
      `modified request ${scheduled} of application app-1: to ANDROID at once`,
      {request_uuid: scheduled, ...atOnce},
      scheduled,
    ],
  },
  'push.broadcast': {
    line: `push broadcast ${text} --application-id app-1`,
    request: 'POST /push/v1/notifications?application_id=app-1',
    body: notification,
    journal: {
      targets: {
        ...{application_id: 'app-1', request_uuid: expectedUuid},
        ...{dispatch_type: 'IMMEDIATE', destination: ['ANDROID']},
      },
    },
    word: 'app-1',
    creates: true,
    plain: true,
    result: [
      expect.stringMatching(
        /^requested a push to all users of application app-1, to ANDROID at once: request [0-9a-f-]{36}$/,
      ),
      {request_uuid: expectedUuid, ...atOnce},
      expectedUuid,
    ],
  },
  'push.cancel': {
    line: `push cancel ${scheduled} --application-id app-1`,
    request: 'POST /push/v1/notifications/cancel?application_id=app-1',
    body: {request_uuids: [scheduled]},
    journal: {targets: {application_id: 'app-1', request_uuids: [scheduled]}},
    asks: true,
    plain: true,
    result: [
      `cancelled notification ${scheduled} of application app-1`,
      [{request_uuid: scheduled, outcome: 'done'}],
      scheduled,
    ],
  },
  'push.iosKey': {
    line: `push ios ${files.apnsKey} --bundle-id com.example.rooms --team-id TEAM654321 --application-id app-2`,
    request: `POST /push/v1/config/ios/key?${ofConfiguration}&bundle_id=com.example.rooms&team_id=TEAM654321&key_id=KEY7654321`,
    body: undefined,
    shown: {body: {auth_key_file: '(file, 241 bytes)'}},
    journal: {
      targets: {application_id: 'app-2', bundle_id: 'com.example.rooms', team_id: 'TEAM654321', key_id: 'KEY7654321'},
    },
    plain: true,
    result: [
      'registered the iOS key KEY7654321 of team TEAM654321 for com.example.rooms in application app-2 (read back: equal)',
      {...registered, ios_apns_type: 'TOKEN', team_id: 'TEAM654321', key_id: 'KEY7654321', fingerprint},
      'app-2',
    ],
  },
  'push.iosCertificate': {
    line: `push ios ${files.certificate} --password-file ${files.password} --application-id app-2`,
    request:
      `POST /push/v1/config/ios/certificate?${ofConfiguration}&apns_certificate_password=` +
      `${encodeURIComponent(certificatePassword)}&bundle_id=com.example.rooms`,
    body: undefined,
    shown: {
      path: `/push/v1/config/ios/certificate?${ofConfiguration}&apns_certificate_password=***&bundle_id=com.example.rooms`,
      body: {certificate_file: `(file, ${files.certificateBytes} bytes)`},
    },
    journal: {targets: {application_id: 'app-2', bundle_id: 'com.example.rooms'}},
    says: /^warning: this service expects the password in the request URL; [^\n]+\n/,
    plain: true,
    result: [
      'registered the iOS certificate for com.example.rooms, which expires on 2049-12-31, in application app-2 (read back: equal)',
      {
        ...registered,
        ios_apns_type: 'CERTIFICATE',
        team_id: 'TEAM654321',
        certificate_expiry_date: '2049-12-31',
        fingerprint,
      },
      'app-2',
    ],
  },
  'push.android': {
    line: `push android --package com.example.rooms --server-key-file ${files.serverKey} --legacy --application-id app-2`,
    request: `POST /push/v1/config/android?${ofConfiguration}`,
    body: {package_name: 'com.example.rooms', fcm_server_key: serverKey},
    shown: {body: {package_name: 'com.example.rooms', fcm_server_key: '***'}},
    journal: {targets: {application_id: 'app-2', package_name: 'com.example.rooms'}},
    says: /^warning: \S+: Google shut down the FCM interface for server keys [^\n]+\n/,
    plain: true,
    result: [
      'registered the Android configuration of package com.example.rooms in application app-2 (read back: equal)',
      {application_id: 'app-2', package_name: 'com.example.rooms', replaced: null, verified: true},
      'app-2',
    ],
  },
  'push.show': 'push show --application-id app-1',
  'push.records': 'push records',
}
