import {createHash} from 'node:crypto'
import type {PushType} from '../../api/contract/push.js'
import {zoned} from '../push/notifications.js'
import type {PushApplication, PushRequest, PushTransaction, PushUser, World} from '../world/world.js'
import {mergeByKey, wholeSecond} from '../world/world.js'

const day = 24 * 60 * 60_000

const application_id = 'app-1'

/** The help's examples use them. */
const scheduledUuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const sentUuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

/** A token of the usual shape, the same in every sandbox. */
function tokenOf(userId: string, type: PushType): string {
  const digest = createHash('sha256').update(`${userId} ${type}`)
  if (type === 'IOS') return digest.digest('hex')
  const text = digest.digest('base64url')
  return `${text.slice(0, 22)}:APA91b${text.repeat(4).slice(0, 134)}`
}

function user(user_id: string, types: readonly PushType[], is_gone = false): PushUser {
  return {user_id, tokens: types.map((type) => ({push_type: type, push_token: tokenOf(user_id, type), is_gone}))}
}

function users(): PushUser[] {
  return [
    user('ann', ['ANDROID']),
    user('ben', ['ANDROID', 'IOS']),
    user('carl', ['ANDROID']),
    user('dora', ['ANDROID']),
    user('eve', ['ANDROID'], true),
    user('김민준', ['ANDROID']),
  ]
}

const application: PushApplication = {
  application_id,
  android: {
    package_name: 'com.example.rooms',
    fcm_server_key: `AAAAsandbox:${'server-key-of-the-demonstration_'.repeat(5).slice(0, 140)}`,
  },
  ios: {bundle_id: 'com.example.rooms', team_id: 'TEAM123456', key_id: 'KEY1234567', ios_apns_type: 'TOKEN'},
}

function requests(now: Date): PushRequest[] {
  const base = {application_id, dispatch_type: 'SCHEDULED' as const, destination: ['ANDROID' as const]}
  const sentAt = wholeSecond(now, -day)
  return [
    {
      ...base,
      request_uuid: sentUuid,
      title: 'Town hall tomorrow',
      body: 'Everybody is welcome',
      dispatch_at: sentAt,
      status: 'SENT',
      sent_at: sentAt,
    },
    {
      ...base,
      request_uuid: scheduledUuid,
      title: '점검 안내',
      body: 'The service rests for an hour',
      dispatch_at: wholeSecond(now, day),
      status: 'SCHEDULED',
    },
  ]
}

/** All users received the sent request, except one whose device is gone. */
function transactions(now: Date): PushTransaction[] {
  return users().map(({user_id: recipient_id, tokens}, n) => ({
    request_id: sentUuid,
    transaction_at: zoned(new Date(wholeSecond(now, -day))),
    recipient_id,
    transaction_id: `c9bf9e57-1685-4c89-bafb-ff5af830be0${n + 1}`,
    status: tokens.every((token) => token.is_gone) ? 'FAILED' : 'SUCCESS',
    application_id,
  }))
}

/** Adds the demonstration, replacing objects with the same ids. */
export function seedPush({push}: World, now: Date): void {
  push.users = mergeByKey(users(), push.users, (user) => user.user_id)
  push.requests = mergeByKey(requests(now), push.requests, (request) => request.request_uuid)
  const uuids = [scheduledUuid, sentUuid]
  push.transactions = [
    ...transactions(now),
    ...push.transactions.filter((transaction) => !uuids.includes(transaction.request_id)),
  ]
  push.applications = mergeByKey([application], push.applications, (application) => application.application_id)
}
