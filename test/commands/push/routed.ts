import {TestCredentials} from '../../../scripts/testCredentials.js'
import {hello, scheduled} from './requests.js'
import type {Answer} from './wire.js'

/** An operation at a route of its own: its line, the answer, and the expected request. */
export interface Routed {
  readonly id: string
  readonly variable: string
  readonly route: string
  readonly line: readonly string[]
  readonly stdin?: string
  readonly answer: Answer
  /** The configuration after it. */
  readonly stored?: object
  readonly sent: {
    readonly line: string
    readonly type?: string
    /** The body to the letter, as latin1, with BOUNDARY for the boundary that was drawn. */
    readonly body: string
  }
}

const workshop = new TestCredentials()
const p8 = workshop.key('apns', 'P-256')
const p8File = workshop.file('AuthKey_KEY7654321.p8', p8)
const p12 = workshop.p12({certificates: [workshop.certificate()], password: 'correct horse'})
const p12File = workshop.file('push.p12', p12)
const serverKey = `AAAAcanary1:${'k3y-Of_the_Test'.repeat(10).slice(0, 140)}`

const json = 'application/json'
const multipart = 'multipart/form-data; boundary=BOUNDARY'
const part = (...lines: string[]) => `--BOUNDARY\r\nContent-Disposition: form-data; ${lines.join('\r\n')}\r\n`
const octets = 'Content-Type: application/octet-stream'

/** The ten operations of the push service, at another method and path. */
export const routed: readonly Routed[] = [
  {
    id: 'push.register',
    variable: 'ROOMCTL_ROUTE_PUSH_REGISTER',
    route: 'PUT /v2/users/{user_id}/devices',
    line: ['register', 'ann/1', '--type', 'ANDROID'],
    stdin: 'device-token-1',
    answer: {status: 201, body: {}},
    sent: {
      line: 'PUT /push/v2/users/ann%2F1/devices',
      type: json,
      body: '{"push_type":"ANDROID","push_token":"device-token-1"}',
    },
  },
  {
    id: 'push.send',
    variable: 'ROOMCTL_ROUTE_PUSH_SEND',
    route: 'POST /v2/messages',
    line: ['send', 'ann', 'ben', ...hello],
    answer: {
      status: 202,
      body: {transactions: ['ann', 'ben'].map((recipient_id) => ({recipient_id, status: 'SUCCESS'}))},
    },
    sent: {
      line: 'POST /push/v2/messages',
      type: json,
      body: '{"recipient_ids":["ann","ben"],"push_type":"ANDROID","title":"Hello","body":"We begin"}',
    },
  },
  {
    id: 'push.broadcast',
    variable: 'ROOMCTL_ROUTE_PUSH_BROADCAST',
    route: 'POST /v2/apps/{application_id}/broadcasts',
    line: [
      'broadcast',
      '--application-id',
      'app-1',
      ...hello,
      '--at',
      '2026-12-02T09:00+09:00',
      '--to',
      'ANDROID',
      '--confirm',
      'app-1',
    ],
    answer: {status: 200, body: {request_uuid: scheduled}},
    sent: {
      line: 'POST /push/v2/apps/app-1/broadcasts',
      type: json,
      body: '{"title":"Hello","body":"We begin","dispatch_type":"SCHEDULED","destination":["ANDROID"],"dispatch_date":"20261202T000000"}',
    },
  },
  {
    id: 'push.modify',
    variable: 'ROOMCTL_ROUTE_PUSH_MODIFY',
    route: 'PATCH /v2/requests',
    line: ['modify', scheduled, '--application-id', 'app-1', ...hello, '--to', 'ANDROID', '--dispatch', 'IMMEDIATE'],
    answer: {status: 204},
    sent: {
      line: `PATCH /push/v2/requests?application_id=app-1&request_uuid=${scheduled}`,
      type: json,
      body: '{"title":"Hello","body":"We begin","dispatch_type":"IMMEDIATE","destination":["ANDROID"]}',
    },
  },
  {
    id: 'push.cancel',
    variable: 'ROOMCTL_ROUTE_PUSH_CANCEL',
    route: 'DELETE /v2/requests',
    line: ['cancel', scheduled, '--application-id', 'app-1', '--yes'],
    answer: {status: 204},
    sent: {
      line: 'DELETE /push/v2/requests?application_id=app-1',
      type: json,
      body: `{"request_uuids":["${scheduled}"]}`,
    },
  },
  {
    id: 'push.iosKey',
    variable: 'ROOMCTL_ROUTE_PUSH_IOS_KEY',
    route: 'PUT /v2/apps/{application_id}/apns',
    line: [
      'ios',
      p8File,
      '--application-id',
      'app-1',
      '--bundle-id',
      'com.example.rooms',
      '--team-id',
      'TEAM123456',
      '--confirm',
      'app-1',
    ],
    answer: {status: 200},
    stored: {ios_apns_type: 'TOKEN', bundle_id: 'com.example.rooms', team_id: 'TEAM123456', key_id: 'KEY7654321'},
    sent: {
      line: 'PUT /push/v2/apps/app-1/apns?bundle_id=com.example.rooms&team_id=TEAM123456&key_id=KEY7654321',
      type: multipart,
      body: [part('name="auth_key_file"; filename="AuthKey.p8"', octets, '', p8), '--BOUNDARY--\r\n'].join(''),
    },
  },
  {
    id: 'push.iosCertificate',
    variable: 'ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE',
    route: 'POST /v2/apns',
    line: ['ios', p12File, '--application-id', 'app-1', '--password-stdin', '--confirm', 'app-1'],
    stdin: 'correct horse\n',
    answer: {status: 204},
    stored: {ios_apns_type: 'CERTIFICATE', bundle_id: 'com.example.rooms', certificate_expiry_date: '2049-12-31'},
    sent: {
      line: 'POST /push/v2/apns?application_id=app-1&apns_certificate_password=correct%20horse&bundle_id=com.example.rooms',
      type: multipart,
      body: [
        part('name="certificate_file"; filename="certificate.p12"', octets, '', p12.toString('latin1')),
        '--BOUNDARY--\r\n',
      ].join(''),
    },
  },
  {
    id: 'push.android',
    variable: 'ROOMCTL_ROUTE_PUSH_ANDROID',
    route: 'POST /v2/fcm',
    line: [
      'android',
      '--application-id',
      'app-1',
      '--package',
      'com.example.rooms',
      '--server-key-stdin',
      '--legacy',
      '--confirm',
      'app-1',
    ],
    stdin: serverKey,
    answer: {status: 200},
    stored: {package_name: 'com.example.rooms', fcm_server_key: serverKey},
    sent: {
      line: 'POST /push/v2/fcm?application_id=app-1',
      type: json,
      body: `{"package_name":"com.example.rooms","fcm_server_key":"${serverKey}"}`,
    },
  },
  {
    id: 'push.show',
    variable: 'ROOMCTL_ROUTE_PUSH_SHOW',
    route: 'GET /v2/settings',
    line: ['show', '--application-id', 'app-1'],
    answer: {status: 200, body: {package_name: 'com.example.rooms'}},
    sent: {line: 'GET /push/v2/settings?application_id=app-1', body: ''},
  },
  {
    id: 'push.records',
    variable: 'ROOMCTL_ROUTE_PUSH_RECORDS',
    route: 'GET /v2/requests/{request_id}/records',
    line: ['records', '--request-id', 'r-1', '--recipient-id', 'ann', '--transaction-id', 't 1'],
    answer: {status: 200, body: []},
    sent: {line: 'GET /push/v2/requests/r-1/records?transaction_id=t%201&recipient_id=ann', body: ''},
  },
]
