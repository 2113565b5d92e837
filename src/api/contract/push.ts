import * as z from 'zod/mini'
import type {Advice} from '../../advice.js'
import {pushOperation, runAgain, setsSame} from './defineOperation.js'
import {type Meaning, seeRequest} from './meanings.js'
import {id, maybeString, string} from './shapes.js'

/** push, Enumerations: push_type. */
export const pushTypes = ['ANDROID', 'IOS'] as const
export type PushType = (typeof pushTypes)[number]

/** push, Enumerations: destination entries. An older variant of the document has no ALL. */
export const destinations = ['ANDROID', 'IOS', 'ALL'] as const

/** push, Enumerations: dispatch_type. RECURRING is documented as not supported. */
export const dispatchTypes = ['IMMEDIATE', 'SCHEDULED', 'RECURRING'] as const

/** push, Rules 1: in UTC. The document names no separators; the other reading has those of ISO 8601. */
const dispatchDate = z.string().check(z.regex(/^\d{8}T\d{6}$|^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/))

/** push, Device token registration. */
export const pushToken = z.string().check(z.regex(/^\S+$/))

/** push, Endpoints: the body of operation 3, and of operation 4. */
export const notification = z.strictObject({
  title: id,
  body: id,
  dispatch_type: z.enum(dispatchTypes),
  destination: z.array(z.enum(destinations)).check(z.minLength(1)),
  dispatch_date: z.optional(dispatchDate),
})

export const fileBytes = z.instanceof(Uint8Array)

const transaction = z.looseObject({
  recipient_id: maybeString,
  transaction_id: maybeString,
  transaction_type: maybeString,
  status: maybeString,
})
export type Transaction = z.output<typeof transaction>

export const sendResult = z.looseObject({transactions: z.array(transaction)})

const transactionRecord = z.looseObject({
  request_id: maybeString,
  transaction_at: maybeString,
  recipient_id: maybeString,
  transaction_id: maybeString,
  status: maybeString,
})
export type TransactionRecord = z.output<typeof transactionRecord>

/** push, Transaction record. Whether an answer holds one, a list, or a list in a member is not shown. */
export const transactionRecords = z.nullable(
  z.union([z.array(transactionRecord), z.looseObject({transactions: z.array(transactionRecord)}), transactionRecord]),
)

/** push, Notification configuration record; null if nothing is registered (204). */
export const pushConfiguration = z.nullable(
  z.looseObject({
    fcm_server_key: maybeString,
    package_name: maybeString,
    bundle_id: maybeString,
    team_id: maybeString,
    key_id: maybeString,
    ios_apns_type: maybeString,
    certificate_expiry_date: maybeString,
  }),
)
export type PushConfiguration = NonNullable<z.output<typeof pushConfiguration>>

const ofApplication = z.strictObject({application_id: id})

/** push, Rules 2. 403 may mean the state of the request, or the rights of the token. */
const alreadySent: Meaning = {
  condition: 'it has probably been sent already',
  why: 'only unsent notifications can be modified or cancelled (push, Rules 2); or the token does not permit it',
  try: {command: ['push records']},
}

const dispatch: Meaning = {
  condition: 'the service refused a value of the notification',
  why: 'probably dispatch type, destination and date do not fit: a date, in UTC and still to come, for SCHEDULED only; RECURRING and iOS are not supported (push, Enumerations, Rules 1)',
  try: seeRequest,
}

const apnsFile: Meaning = {
  condition: 'the service did not accept the file or its parameters',
  why: 'probably the file is not one issued by Apple, or does not match the ids given',
  try: 'check the file with push inspect',
}

const showPush: Advice = {command: ['push show', '--application-id', '{application_id}']}
/** The service does not show `what`. */
const notShown = (what: string): Advice => ({
  sentence: `the service does not show ${what}; before you send it again`,
  command: ['push records'],
})
export const register = pushOperation({
  id: 'push.register',
  purpose: 'Register a device token for a user',
  action: 'register a device token for user {user_id}',
  source: 'push §1',
  request: 'POST /v1/tokens',
  effect: 'state',
  refusals: [400, 422],
  body: z.strictObject({user_id: id, push_type: z.enum(pushTypes), push_token: pushToken}),
  secrets: ['push_token'],
  successes: [201],
  statuses: {
    422: {
      condition: 'the service refused a value of the registration',
      why: 'probably the type or the token: a type is ANDROID or IOS, at most 10 characters, and a token contains no white space (push, Device token registration)',
      try: 'get the token from the device again, and check that it matches the type',
    },
  },
  change: {
    mayHave: 'the device token of {user_id} may have been registered',
    journal: ['user_id', 'push_type'],
    ifUnknown: `${runAgain}: it registers the same token for the same user`,
    isShown: false,
  },
})

export const sendToUsers = pushOperation({
  id: 'push.send',
  purpose: 'Send a push to users',
  action: 'send a push to {recipient_ids}',
  source: 'push §2',
  request: 'POST /v1/messages',
  effect: 'create',
  refusals: [400, 422],
  body: z.strictObject({
    recipient_ids: z.array(id).check(z.minLength(1)),
    push_type: z.enum(pushTypes),
    title: id,
    body: id,
    data: z.optional(z.record(string, z.unknown())),
  }),
  responseFormat: 'json',
  successes: [202],
  reply: sendResult,
  statuses: {
    422: {
      condition: 'the service refused a value of the push',
      why: 'probably a recipient, the push type or the message is invalid; sending to iOS is not supported (push, Enumerations)',
      try: seeRequest,
    },
  },
  change: {
    mayHave: 'the push may have been sent to {recipient_ids}',
    journal: ['push_type'],
    ifUnknown: notShown('what was sent'),
    isShown: false,
  },
})

export const modify = pushOperation({
  id: 'push.modify',
  purpose: 'Modify a notification that is not yet sent',
  action: 'modify notification {request_uuid}',
  source: 'push §3',
  request: 'PUT /v1/notifications',
  effect: 'state',
  refusals: [403, 422],
  query: z.strictObject({application_id: id, request_uuid: id}),
  body: notification,
  statuses: {
    403: alreadySent,
    422: {...dispatch, why: `${dispatch.why}; or no request has this uuid`},
  },
  change: {
    mayHave: 'request {request_uuid} may have been modified',
    journal: ['application_id', 'request_uuid', 'dispatch_type', 'destination', 'dispatch_date'],
    ifUnknown: `${setsSame}; 403 means that it has been sent`,
    isShown: false,
  },
})

export const broadcast = pushOperation({
  id: 'push.broadcast',
  purpose: 'Send a push to all users of an application',
  action: 'send a push to all users of application {application_id}',
  source: 'push §4',
  request: 'POST /v1/notifications',
  effect: 'create',
  refusals: [400, 422],
  query: ofApplication,
  body: notification,
  statuses: {422: dispatch},
  change: {
    mayHave: 'the push to application {application_id} may have been requested',
    journal: ['application_id', 'dispatch_type', 'destination', 'dispatch_date'],
    ifUnknown: notShown('its requests'),
    isReversible: true,
    isShown: false,
  },
})

export const cancel = pushOperation({
  id: 'push.cancel',
  purpose: 'Cancel notifications that are not yet sent',
  action: 'cancel notification {request_uuids}',
  source: 'push §5',
  // Not DELETE with a body, which proxies drop.
  request: 'POST /v1/notifications/cancel',
  effect: 'state',
  refusals: [403, 422],
  query: ofApplication,
  body: z.strictObject({request_uuids: z.array(id).check(z.minLength(1))}),
  statuses: {
    403: alreadySent,
    422: {
      condition: 'the service refused a request uuid',
      why: 'probably no request of this application has it, or the request is cancelled already',
      try: 'check the application id and the uuid that push broadcast printed',
    },
  },
  change: {
    mayHave: '{request_uuids} may have been cancelled',
    journal: ['application_id', 'request_uuids'],
    ifUnknown: `${runAgain}: a refusal means that it was sent or already cancelled`,
    isShown: false,
  },
})

export const iosKey = pushOperation({
  id: 'push.iosKey',
  purpose: 'Register an iOS key file (.p8)',
  action: 'register the iOS key of application {application_id}',
  source: 'push §6',
  request: 'POST /v1/config/ios/key',
  effect: 'state',
  refusals: [400],
  query: z.strictObject({application_id: id, bundle_id: id, team_id: id, key_id: id}),
  // One variant of the document requires it, the other does not.
  files: z.strictObject({auth_key_file: z.optional(fileBytes)}),
  secrets: ['auth_key_file'],
  statuses: {400: apnsFile},
  change: {
    mayHave: 'key {key_id} may have been registered in application {application_id}',
    journal: ['application_id', 'bundle_id', 'team_id', 'key_id'],
    ifUnknown: showPush,
    isShown: true,
  },
})

export const iosCertificate = pushOperation({
  id: 'push.iosCertificate',
  purpose: 'Register an iOS certificate (.p12)',
  action: 'register the iOS certificate of application {application_id}',
  source: 'push §7',
  request: 'POST /v1/config/ios/certificate',
  effect: 'state',
  refusals: [400],
  // A certificate may have an empty password.
  query: z.strictObject({application_id: id, apns_certificate_password: string, bundle_id: id}),
  files: z.strictObject({certificate_file: fileBytes}),
  secrets: ['apns_certificate_password', 'certificate_file'],
  statuses: {
    400: {
      ...apnsFile,
      why: 'probably the file is not a certificate with its key, the password is wrong, or it does not match the bundle id',
    },
  },
  change: {
    mayHave: 'the certificate for {bundle_id} may have been registered in application {application_id}',
    journal: ['application_id', 'bundle_id'],
    ifUnknown: showPush,
    isShown: true,
  },
})

export const android = pushOperation({
  id: 'push.android',
  purpose: 'Register the Android configuration',
  action: 'register the Android configuration of application {application_id}',
  source: 'push §8',
  request: 'POST /v1/config/android',
  effect: 'state',
  query: ofApplication,
  body: z.strictObject({package_name: id, fcm_server_key: id}),
  secrets: ['fcm_server_key'],
  change: {
    mayHave: 'the server key of {package_name} may have been registered in application {application_id}',
    journal: ['application_id', 'package_name'],
    ifUnknown: showPush,
    isShown: true,
  },
})

export const show = pushOperation({
  id: 'push.show',
  purpose: 'Read the notification configuration',
  action: 'read the push configuration of application {application_id}',
  source: 'push §9',
  request: 'GET /v1/config',
  effect: 'read',
  query: ofApplication,
  secrets: ['fcm_server_key'],
  responseFormat: 'json-or-none',
  reply: pushConfiguration,
})

export const records = pushOperation({
  id: 'push.records',
  purpose: 'Read transaction records',
  action: 'read the transaction records',
  source: 'push, Transaction record',
  request: 'GET /v1/transactions',
  effect: 'read',
  // The operation itself is not shown (push, Rules 4): these filter.
  query: z.strictObject({
    application_id: z.optional(id),
    request_id: z.optional(id),
    transaction_id: z.optional(id),
    recipient_id: z.optional(id),
  }),
  responseFormat: 'json-or-none',
  reply: transactionRecords,
})
