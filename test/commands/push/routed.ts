import {TestCredentials} from '../../../scripts/testCredentials.js'
import {hello, scheduled} from './requests.js'
import type {Answer} from './wire.js'

/** An operation at a route of its own: how it is called, what the service answers, and what it must have been sent. */
export interface Routed {
  readonly id: string
  readonly variable: string
  readonly route: object
  readonly line: readonly string[]
  readonly stdin?: string
  readonly answer: Answer
  /** What the configuration reads as after it. */
  readonly stored?: object
  readonly sent: {
    readonly line: string
    readonly headers?: Readonly<Record<string, string>>
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
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=BOUNDARY'
const form = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'form']))
const part = (...lines: string[]) => `--BOUNDARY\r\nContent-Disposition: form-data; ${lines.join('\r\n')}\r\n`
const octets = 'Content-Type: application/octet-stream'

/** The ten operations of the push service, each with a parameter that is moved and one that is renamed. */
export const routed: readonly Routed[] = [
  {
    id: 'push.register',
    variable: 'ROOMCTL_ROUTE_PUSH_REGISTER',
    route: {
      method: 'PUT',
      path: '/v2/users/{user_id}/devices',
      send: {push_type: 'query'},
      rename: {push_token: 'token'},
    },
    line: ['register', 'ann/1', '--type', 'ANDROID'],
    stdin: 'device-token-1',
    answer: {status: 201, body: {}},
    sent: {
      line: 'PUT /push/v2/users/ann%2F1/devices?push_type=ANDROID',
      type: json,
      body: '{"token":"device-token-1"}',
    },
  },
  {
    id: 'push.send',
    variable: 'ROOMCTL_ROUTE_PUSH_SEND',
    route: {
      method: 'POST',
      path: '/v2/messages',
      send: {title: 'header'},
      rename: {title: 'X-Title', recipient_ids: 'to'},
    },
    line: ['send', 'ann', 'ben', ...hello],
    answer: {
      status: 202,
      body: {transactions: ['ann', 'ben'].map((recipient_id) => ({recipient_id, status: 'SUCCESS'}))},
    },
    sent: {
      line: 'POST /push/v2/messages',
      headers: {'x-title': 'Hello'},
      type: json,
      body: '{"to":["ann","ben"],"push_type":"ANDROID","body":"We begin"}',
    },
  },
  {
    id: 'push.broadcast',
    variable: 'ROOMCTL_ROUTE_PUSH_BROADCAST',
    route: {
      method: 'POST',
      path: '/v2/apps/{application_id}/broadcasts',
      send: form('title', 'body', 'dispatch_type', 'dispatch_date', 'destination'),
      rename: {destination: 'to[]'},
    },
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
      type: urlencoded,
      body: 'title=Hello&body=We+begin&dispatch_type=SCHEDULED&to%5B%5D=ANDROID&dispatch_date=20261202T000000',
    },
  },
  {
    id: 'push.modify',
    variable: 'ROOMCTL_ROUTE_PUSH_MODIFY',
    route: {
      method: 'PATCH',
      path: '/v2/requests',
      send: {request_uuid: 'header'},
      rename: {request_uuid: 'X-Request', application_id: 'app'},
    },
    line: ['modify', scheduled, '--application-id', 'app-1', ...hello, '--to', 'ANDROID', '--dispatch', 'IMMEDIATE'],
    answer: {status: 204},
    sent: {
      line: 'PATCH /push/v2/requests?app=app-1',
      headers: {'x-request': scheduled},
      type: json,
      body: '{"title":"Hello","body":"We begin","dispatch_type":"IMMEDIATE","destination":["ANDROID"]}',
    },
  },
  {
    id: 'push.cancel',
    variable: 'ROOMCTL_ROUTE_PUSH_CANCEL',
    route: {method: 'DELETE', path: '/v2/requests', send: {application_id: 'body'}, rename: {request_uuids: 'ids'}},
    line: ['cancel', scheduled, '--application-id', 'app-1', '--yes'],
    answer: {status: 204},
    sent: {
      line: 'DELETE /push/v2/requests',
      headers: {'content-length': '73'},
      type: json,
      body: `{"application_id":"app-1","ids":["${scheduled}"]}`,
    },
  },
  {
    id: 'push.iosKey',
    variable: 'ROOMCTL_ROUTE_PUSH_IOS_KEY',
    route: {
      method: 'PUT',
      path: '/v2/apps/{application_id}/apns',
      send: {key_id: 'form'},
      rename: {key_id: 'kid', team_id: 'team', auth_key_file: 'p8'},
    },
    line: [
      'ios-key',
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
      line: 'PUT /push/v2/apps/app-1/apns?bundle_id=com.example.rooms&team=TEAM123456',
      type: multipart,
      body: [
        part('name="kid"', '', 'KEY7654321'),
        part('name="p8"; filename="AuthKey.p8"', octets, '', p8),
        '--BOUNDARY--\r\n',
      ].join(''),
    },
  },
  {
    id: 'push.iosCertificate',
    variable: 'ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE',
    route: {
      method: 'POST',
      path: '/v2/apns',
      send: {apns_certificate_password: 'form', application_id: 'header'},
      rename: {application_id: 'X-Application', bundle_id: 'bundle'},
    },
    line: ['ios-cert', p12File, '--application-id', 'app-1', '--password-stdin', '--confirm', 'app-1'],
    stdin: 'correct horse\n',
    answer: {status: 204},
    stored: {ios_apns_type: 'CERTIFICATE', bundle_id: 'com.example.rooms', certificate_expiry_date: '2049-12-31'},
    sent: {
      line: 'POST /push/v2/apns?bundle=com.example.rooms',
      headers: {'x-application': 'app-1'},
      type: multipart,
      body: [
        part('name="apns_certificate_password"', '', 'correct horse'),
        part('name="certificate_file"; filename="certificate.p12"', octets, '', p12.toString('latin1')),
        '--BOUNDARY--\r\n',
      ].join(''),
    },
  },
  {
    id: 'push.android',
    variable: 'ROOMCTL_ROUTE_PUSH_ANDROID',
    route: {
      method: 'POST',
      path: '/v2/fcm',
      send: form('application_id', 'package_name', 'fcm_server_key'),
      rename: {fcm_server_key: 'key'},
    },
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
      line: 'POST /push/v2/fcm',
      type: urlencoded,
      body: `application_id=app-1&package_name=com.example.rooms&key=${serverKey.replace(':', '%3A')}`,
    },
  },
  {
    id: 'push.show',
    variable: 'ROOMCTL_ROUTE_PUSH_SHOW',
    route: {
      method: 'GET',
      path: '/v2/settings',
      send: {application_id: 'header'},
      rename: {application_id: 'X-Application'},
    },
    line: ['show', '--application-id', 'app-1'],
    answer: {status: 200, body: {package_name: 'com.example.rooms'}},
    sent: {line: 'GET /push/v2/settings', headers: {'x-application': 'app-1'}, body: ''},
  },
  {
    id: 'push.records',
    variable: 'ROOMCTL_ROUTE_PUSH_RECORDS',
    route: {
      method: 'GET',
      path: '/v2/requests/{request_id}/records',
      send: {recipient_id: 'header'},
      rename: {recipient_id: 'X-User', transaction_id: 'tx'},
    },
    line: ['records', '--request-id', 'r-1', '--recipient-id', 'ann', '--transaction-id', 't 1'],
    answer: {status: 200, body: []},
    sent: {line: 'GET /push/v2/requests/r-1/records?tx=t%201', headers: {'x-user': 'ann'}, body: ''},
  },
]
