import {createHash} from 'node:crypto'
import type {PushType} from '../../api/contract/push.js'
import type {DeviceToken, PushApplication, PushRequest, PushTransaction, PushUser, World} from '../world/world.js'
import {renewed, wholeSecond} from '../world/world.js'

const day = 24 * 60 * 60_000

const applicationId = 'app-1'

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

function user(userId: string, types: readonly PushType[], marks: Pick<DeviceToken, 'isGone'> = {}): PushUser {
  return {userId, tokens: types.map((type) => ({type, token: tokenOf(userId, type), ...marks}))}
}

function users(): PushUser[] {
  return [
    user('ann', ['ANDROID']),
    user('ben', ['ANDROID', 'IOS']),
    user('carl', ['ANDROID']),
    user('dora', ['ANDROID']),
    user('eve', ['ANDROID'], {isGone: true}),
    user('김민준', ['ANDROID']),
  ]
}

const application: PushApplication = {
  applicationId,
  android: {
    packageName: 'com.example.rooms',
    serverKey: `AAAAsandbox:${'server-key-of-the-demonstration_'.repeat(5).slice(0, 140)}`,
  },
  ios: {type: 'TOKEN', bundleId: 'com.example.rooms', teamId: 'TEAM123456', keyId: 'KEY1234567'},
}

function requests(now: Date): PushRequest[] {
  const base = {applicationId, dispatchType: 'SCHEDULED', destination: ['ANDROID']} as const
  const sentAt = wholeSecond(now, -day)
  return [
    {
      ...base,
      uuid: sentUuid,
      title: 'Town hall tomorrow',
      body: 'Everybody is welcome',
      dispatchAt: sentAt,
      status: 'SENT',
      sentAt,
    },
    {
      ...base,
      uuid: scheduledUuid,
      title: '점검 안내',
      body: 'The service rests for an hour',
      dispatchAt: wholeSecond(now, day),
      status: 'SCHEDULED',
    },
  ]
}

/** Everybody received the request that is sent, but for a device that has gone. */
function transactions(now: Date): PushTransaction[] {
  return users().map(({userId, tokens}, n) => ({
    id: `c9bf9e57-1685-4c89-bafb-ff5af830be0${n + 1}`,
    requestId: sentUuid,
    applicationId,
    recipientId: userId,
    status: tokens.every(({isGone}) => isGone) ? 'FAILED' : 'SUCCESS',
    at: wholeSecond(now, -day),
  }))
}

/** Adds the demonstration, in place of what has the same ids. */
export function seedPush({push}: World, now: Date): void {
  push.users = renewed(users(), push.users, ({userId}) => userId)
  push.requests = renewed(requests(now), push.requests, ({uuid}) => uuid)
  const uuids = [scheduledUuid, sentUuid]
  push.transactions = [...transactions(now), ...push.transactions.filter(({requestId}) => !uuids.includes(requestId))]
  push.applications = renewed([application], push.applications, (one) => one.applicationId)
}
