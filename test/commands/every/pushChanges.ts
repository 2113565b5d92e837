import type {Change} from './changes.js'
import {certificatePassword, credentialFiles, deviceToken, serverKey} from './credentialFiles.js'

const files = credentialFiles()
const scheduled = '0f8fad5b-d9cb-469f-a165-70867728950e'
const notification = {title: 'Maintenance', body: 'For an hour', dispatch_type: 'IMMEDIATE', destination: ['ANDROID']}
const said = ['--title', 'Maintenance', '--body', 'For an hour']

/** Every push operation that changes something, by push.md. Nothing is registered yet for the application app-2. */
export const pushChanges: readonly Change[] = [
  {
    operation: 'push.register',
    line: ['push', 'register', 'zoe', '--type', 'ANDROID', '--token-file', files.token],
    method: 'POST',
    path: '/push/v1/tokens',
    body: {user_id: 'zoe', push_type: 'ANDROID', push_token: deviceToken},
    shown: {body: {user_id: 'zoe', push_type: 'ANDROID', push_token: '***'}},
    plain: true,
  },
  {
    operation: 'push.send',
    line: ['push', 'send', 'ann', 'ben', ...said, '--data', 'room=r-1'],
    method: 'POST',
    path: '/push/v1/messages',
    body: {
      recipient_ids: ['ann', 'ben'],
      push_type: 'ANDROID',
      title: 'Maintenance',
      body: 'For an hour',
      data: {room: 'r-1'},
    },
    creates: true,
    plain: true,
  },
  {
    operation: 'push.modify',
    line: [
      'push',
      'modify',
      scheduled,
      ...said,
      '--to',
      'ANDROID',
      '--dispatch',
      'immediate',
      '--application-id',
      'app-1',
    ],
    method: 'PUT',
    path: `/push/v1/notifications?application_id=app-1&request_uuid=${scheduled}`,
    body: notification,
    plain: true,
  },
  {
    operation: 'push.broadcast',
    line: ['push', 'broadcast', ...said, '--application-id', 'app-1'],
    method: 'POST',
    path: '/push/v1/notifications?application_id=app-1',
    body: notification,
    word: 'app-1',
    creates: true,
    plain: true,
  },
  {
    operation: 'push.cancel',
    line: ['push', 'cancel', scheduled, '--application-id', 'app-1'],
    method: 'POST',
    path: '/push/v1/notifications/cancel?application_id=app-1',
    body: {request_uuids: [scheduled]},
    asks: true,
    plain: true,
  },
  {
    operation: 'push.iosKey',
    line: [
      ...['push', 'ios', files.apnsKey, '--bundle-id', 'com.example.rooms', '--team-id', 'TEAM654321'],
      ...['--application-id', 'app-2'],
    ],
    method: 'POST',
    path: '/push/v1/config/ios/key?application_id=app-2&bundle_id=com.example.rooms&team_id=TEAM654321&key_id=KEY7654321',
    body: undefined,
    shown: {body: {auth_key_file: '(file, 241 bytes)'}},
    plain: true,
  },
  {
    operation: 'push.iosCertificate',
    line: ['push', 'ios', files.certificate, '--password-file', files.password, '--application-id', 'app-2'],
    method: 'POST',
    path:
      `/push/v1/config/ios/certificate?application_id=app-2&apns_certificate_password=` +
      `${encodeURIComponent(certificatePassword)}&bundle_id=com.example.rooms`,
    body: undefined,
    shown: {
      path: '/push/v1/config/ios/certificate?application_id=app-2&apns_certificate_password=***&bundle_id=com.example.rooms',
      body: {certificate_file: `(file, ${files.certificateBytes} bytes)`},
    },
    says: /^warning: this service expects the password in the request URL; [^\n]+\n/,
    plain: true,
  },
  {
    operation: 'push.android',
    line: [
      ...['push', 'android', '--package', 'com.example.rooms', '--server-key-file', files.serverKey, '--legacy'],
      ...['--application-id', 'app-2'],
    ],
    method: 'POST',
    path: '/push/v1/config/android?application_id=app-2',
    body: {package_name: 'com.example.rooms', fcm_server_key: serverKey},
    shown: {body: {package_name: 'com.example.rooms', fcm_server_key: '***'}},
    says: /^warning: \S+: Google shut down the FCM interface for server keys [^\n]+\n/,
    plain: true,
  },
]
