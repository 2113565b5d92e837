import {randomUUID} from 'node:crypto'
import type {Input} from '../../api/contract/operation.js'
import type {broadcast, PushType} from '../../api/contract/push.js'
import {emptyResponse, jsonResponse, refusePlain} from '../wire/service.js'
import type {WorldStore} from '../world/store.js'
import {
  type Choices,
  isoUtc,
  type PushRequest,
  type PushTransaction,
  type PushWorld,
  pushUserOf,
  type World,
} from '../world/world.js'
import type {PushHandlers} from './operations.js'

type Body = Input<typeof broadcast>['body']
type PushNotification = Omit<Body, 'dispatch_date'> & Pick<PushRequest, 'dispatch_at'>

const hour = 3_600_000

/** A dispatch_date is UTC without saying so (push, Rules 1). Refuses with 422 an impossible and a past one. */
function dispatchMoment(text: string, now: Date): string {
  const [, ...parts] = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)$/.exec(text) ?? []
  const [year = 0, month = 0, ...rest] = parts.map(Number)
  const moment = new Date(Date.UTC(year, month - 1, ...rest))
  const written = moment.toISOString().replaceAll(/[-:]|\.\d+Z$/g, '')
  if (written !== text.replaceAll(/[-:]/g, '')) refusePlain(422, `dispatch_date: no calendar has ${text}`)
  if (moment <= now) refusePlain(422, `dispatch_date: ${text} (UTC) is past`)
  return isoUtc(moment)
}

/** Refuses unsupported values with 422, and a date without its type or the reverse. */
function notificationOf(body: Body, now: Date, {pushAll}: Pick<Choices, 'pushAll'>): PushNotification {
  const {dispatch_date: date, ...notification} = body
  const {dispatch_type: type, destination} = body
  if (type === 'RECURRING') refusePlain(422, 'dispatch_type: RECURRING is not supported')
  if (destination.every((entry) => entry === 'IOS')) {
    refusePlain(422, 'destination: sending to IOS is not supported at present')
  }
  if (pushAll === 'refuse' && destination.includes('ALL')) {
    refusePlain(422, 'destination: expected ANDROID or IOS, got "ALL"')
  }
  if (type === 'IMMEDIATE') {
    if (date !== undefined) refusePlain(422, 'dispatch_date: applies to SCHEDULED dispatch only')
    return notification
  }
  if (date === undefined) return refusePlain(422, 'dispatch_date: SCHEDULED dispatch needs it')
  return {...notification, dispatch_at: dispatchMoment(date, now)}
}

/** Adds a request or replaces the one with its uuid; an immediate one is sent at once. */
function placeRequest(push: PushWorld, request: PushRequest, now: Date): void {
  const placed = request.dispatch_at === undefined ? dispatch(push, request, now) : request
  const index = push.requests.findIndex((stored) => stored.request_uuid === request.request_uuid)
  if (index < 0) push.requests.push(placed)
  else push.requests[index] = placed
}

/** A request that is not yet sent. Refuses with 403 one that is (push, Rules 2), with 422 one that is not there. */
function unsent({requests}: PushWorld, applicationId: string, uuid: string): PushRequest {
  const request = requests.find((stored) => stored.request_uuid === uuid && stored.application_id === applicationId)
  if (request === undefined) return refusePlain(422, `application ${applicationId} has no request ${uuid}`)
  if (request.status === 'SENT') refusePlain(403, `request ${uuid} is sent already`)
  if (request.status === 'CANCELLED') refusePlain(422, `request ${uuid} is cancelled`)
  return request
}

/** Pushes to all users of an application (push §3 to §5). */
export const notificationHandlers: PushHandlers<'push.broadcast' | 'push.modify' | 'push.cancel'> = {
  async 'push.broadcast'({input, options, world}) {
    const now = options.now()
    const ids = {request_uuid: randomUUID(), ...input.query}
    const notification = notificationOf(input.body, now, world.choices)
    await options.store.change(({push}) => placeRequest(push, {...ids, status: 'SCHEDULED', ...notification}, now))
    return jsonResponse(200, {request_uuid: ids.request_uuid}, now)
  },

  async 'push.modify'({input, options, world}) {
    const now = options.now()
    await options.store.change(({push}) => {
      unsent(push, input.query.application_id, input.query.request_uuid)
      const notification = notificationOf(input.body, now, world.choices)
      placeRequest(push, {...input.query, status: 'SCHEDULED', ...notification}, now)
    })
    return emptyResponse(204, {}, now)
  },

  async 'push.cancel'({input, options}) {
    const uuids = input.body.request_uuids
    await options.store.change(({push}) => {
      for (const uuid of uuids) unsent(push, input.query.application_id, uuid)
      push.requests = push.requests.map((stored) =>
        uuids.includes(stored.request_uuid) ? {...stored, status: 'CANCELLED'} : stored,
      )
    })
    return emptyResponse(204, {}, options.now())
  },
}

interface Sending extends Pick<PushTransaction, 'request_id' | 'application_id'> {
  readonly at: Date
}

/** ISO 8601 with offset and zone id (push, Transaction record). Which zone is not shown; Seoul has no summer time. */
export function zoned(moment: Date): string {
  const local = new Date(moment.getTime() + 9 * hour).toISOString()
  return `${local.replace(/(?:\.000)?Z$/, '')}+09:00[Asia/Seoul]`
}

/** The user may be unknown; the outcome is kept. */
export function sendTo(
  push: PushWorld,
  recipientId: string,
  type: PushType,
  {at, ...request}: Sending,
): PushTransaction {
  const user = pushUserOf(push, recipientId)
  const transaction: PushTransaction = {
    ...request,
    transaction_at: zoned(at),
    recipient_id: recipientId,
    transaction_id: randomUUID(),
    status: user?.tokens.some((token) => token.push_type === type && !token.is_gone) ? 'SUCCESS' : 'FAILED',
  }
  push.transactions.push(transaction)
  return transaction
}

/** Sends a request to all users with an Android device: which users an application has is not shown. */
export function dispatch(push: PushWorld, request: PushRequest, at: Date): PushRequest {
  const {request_uuid: request_id, application_id} = request
  for (const {user_id: user, tokens} of push.users) {
    if (tokens.some((token) => token.push_type === 'ANDROID'))
      sendTo(push, user, 'ANDROID', {request_id, application_id, at})
  }
  return {...request, status: 'SENT', sent_at: isoUtc(at)}
}

/** Sends the scheduled requests that are due, with their own time. */
export async function sendDue(store: WorldStore, now: Date): Promise<void> {
  const isThere = await store.read(({push}: World) => push.requests.some((request) => isDue(request, now)))
  if (!isThere) return
  await store.change(({push}) => {
    push.requests = push.requests.map((request) =>
      isDue(request, now) ? dispatch(push, request, new Date(request.dispatch_at ?? now)) : request,
    )
  })
}

function isDue({status, dispatch_at: at}: PushRequest, now: Date): boolean {
  return status === 'SCHEDULED' && at !== undefined && Date.parse(at) <= now.getTime()
}
