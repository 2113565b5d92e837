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
  /** A repetition would make something a second time. */
  readonly creates?: true
  /** It is answered without an envelope: the HTTP status decides. */
  readonly plain?: true
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

/**
 * Every operation: of a read a command line, of a change its request too, as the documents have it, written out by hand. The
 * demonstration rooms let each succeed, and nothing is registered for the application app-2. The compiler asks for a row for each.
 */
const rows: Readonly<Record<ChangeId, Row> & Record<Exclude<OperationId, ChangeId>, string>> = {
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
  },
  'room.adminUpdate': {
    line: 'room update r-standup --admin --application-id app-1 --name Stand-up',
    request: 'PATCH /media/v1/applications/app-1/rooms/r-standup',
    body: {name: 'Stand-up'},
    journal: {targets: {roomId: 'r-standup', applicationId: 'app-1', name: 'Stand-up'}},
  },
  'room.delete': {
    line: 'room delete r-townhall',
    request: 'DELETE /media/v1/rooms/r-townhall',
    body: {requester_id: 'ann'},
    journal: {targets: {roomId: 'r-townhall'}, as: 'ann'},
    asks: true,
    looksUp: true,
  },
  'room.end': {
    line: 'room end r-standup',
    request: 'POST /media/v1/rooms/r-standup/end',
    body: {requester_id: 'ann'},
    journal: {targets: {roomId: 'r-standup'}, as: 'ann'},
    asks: true,
    looksUp: true,
  },
  'room.presenter': {
    line: 'room presenter r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/update-presenter',
    body: {requester_id: 'ann', user_id: 'ben'},
    journal: {targets: {roomId: 'r-standup', user_id: 'ben'}, as: 'ann'},
    looksUp: true,
  },
  'room.delegate': {
    line: 'room delegate r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/delegate',
    body: {requester_id: 'ann', user_id: 'ben'},
    journal: {targets: {roomId: 'r-standup', user_id: 'ben'}, as: 'ann', before: {host: 'ann'}},
    looksUp: true,
  },
  'room.send': {
    line: 'room send r-standup closing --from ann',
    request: 'POST /media/v1/rooms/r-standup/send-data',
    body: {from: 'ann', data: 'closing'},
    journal: {targets: {roomId: 'r-standup'}, as: 'ann'},
    creates: true,
  },
  'attendee.list': 'attendee list r-standup',
  'attendee.add': {
    line: 'attendee add r-townhall zoe yuna',
    request: 'POST /media/v1/rooms/r-townhall/attendees',
    body: {attendees: ['zoe', 'yuna']},
    journal: {targets: {roomId: 'r-townhall', attendees: ['zoe', 'yuna']}},
  },
  'attendee.token': {
    line: 'attendee token r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/attendees/ben/token',
    body: {},
    journal: {targets: {roomId: 'r-standup', userId: 'ben'}},
    creates: true,
  },
  'attendee.block': {
    line: 'attendee block r-standup ben',
    request: 'POST /media/v1/rooms/r-standup/block',
    body: {requester_id: 'ann', attendees: ['ben']},
    journal: {targets: {roomId: 'r-standup', attendees: ['ben']}, as: 'ann'},
    asks: true,
    looksUp: true,
  },
  'attendee.restore': {
    line: 'attendee restore r-standup dora',
    request: 'POST /media/v1/rooms/r-standup/restore',
    body: {requester_id: 'ann', attendees: ['dora']},
    journal: {targets: {roomId: 'r-standup', attendees: ['dora']}, as: 'ann'},
    looksUp: true,
  },
  'record.start': {
    line: 'record start r-standup --layout grid',
    request: 'POST /media/v1/rooms/r-standup/record',
    body: {requester_id: 'ann', layout: 'GRID'},
    journal: {targets: {roomId: 'r-standup', layout: 'GRID'}, as: 'ann'},
    looksUp: true,
  },
  'record.stop': {
    line: 'record stop r-support',
    request: 'POST /media/v1/rooms/r-support/stop-record',
    body: {requester_id: 'carl'},
    journal: {targets: {roomId: 'r-support'}, as: 'carl'},
    looksUp: true,
  },
  'record.list': 'record list r-retro',
  'appConfig.create': {
    line: 'config app create --application-id app-1 --max 50',
    request: 'POST /media/v1/applications/app-1/config',
    body: {config_max_attendee_count: 50},
    journal: {targets: {applicationId: 'app-1'}},
    creates: true,
  },
  'appConfig.update': {
    line: 'config app update --application-id app-1 --max 50',
    request: 'PATCH /media/v1/applications/app-1/config',
    body: {config_max_attendee_count: 50},
    journal: {targets: {applicationId: 'app-1'}},
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
  },
  'asset.describe': {
    line: 'asset describe games/puzzle Levels',
    request: 'PATCH /asset/games/puzzle/',
    body: {description: 'Levels'},
    journal: {targets: {container: 'games/puzzle'}},
    plain: true,
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
  },
  'push.cancel': {
    line: `push cancel ${scheduled} --application-id app-1`,
    request: 'POST /push/v1/notifications/cancel?application_id=app-1',
    body: {request_uuids: [scheduled]},
    journal: {targets: {application_id: 'app-1', request_uuids: [scheduled]}},
    asks: true,
    plain: true,
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
  },
  'push.android': {
    line: `push android --package com.example.rooms --server-key-file ${files.serverKey} --legacy --application-id app-2`,
    request: `POST /push/v1/config/android?${ofConfiguration}`,
    body: {package_name: 'com.example.rooms', fcm_server_key: serverKey},
    shown: {body: {package_name: 'com.example.rooms', fcm_server_key: '***'}},
    journal: {targets: {application_id: 'app-2', package_name: 'com.example.rooms'}},
    says: /^warning: \S+: Google shut down the FCM interface for server keys [^\n]+\n/,
    plain: true,
  },
  'push.show': 'push show --application-id app-1',
  'push.records': 'push records',
}

/** The operations that change something, but uploads. */
export const changes: readonly Change[] = Object.entries(rows).flatMap(([id, row]) => {
  if (typeof row === 'string') return []
  const {line, request, ...rest} = row
  const [method = '', path = ''] = request.split(' ')
  // Only changes have such a row.
  return [{...rest, operation: id as ChangeId, line: line.split(' '), method, path}]
})

export const pushChanges = changes.filter(({operation}) => operation.startsWith('push.'))

/** The names of changes, for `everyCase` and `test.each`. */
export const named = changes.map((change) => [change.operation, change] as const)

/** Those that are answered with an envelope. */
export const namedEnveloped = named.filter(([, {plain}]) => !plain)

/** The change of that operation. */
export function changeOf(operation: string): Change {
  const found = changes.find((change) => change.operation === operation)
  if (!found) throw new Error(`no change ${operation}`)
  return found
}

/** The line with its question answered in advance. */
export function answered({word, ...change}: Change): string[] {
  return word === undefined ? withYes(change) : [...change.line, '--confirm', word]
}

/** The line with `--yes`, if it takes that. */
export function withYes({line, asks}: Pick<Change, 'line' | 'asks'>): string[] {
  return asks ? [...line, '--yes'] : [...line]
}

/** stderr without the usual messages of the change. */
export function remarks({says}: Pick<Change, 'says'>, {stderr}: {readonly stderr: string}): string {
  return says === undefined ? stderr : stderr.replace(says, '')
}

/** A command line for every operation, with its questions answered; no word of it has a space. */
export const lines = Object.fromEntries(
  Object.entries(rows).map(([id, row]) => {
    if (typeof row === 'string') return [id, row]
    const line = answered(changeOf(id)).join(' ')
    return [id, row.line.endsWith('app-2') ? `${line} --confirm app-2` : line]
  }),
) as Readonly<Record<OperationId, string>>
