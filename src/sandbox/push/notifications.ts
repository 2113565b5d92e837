import {randomUUID} from 'node:crypto'
import type {Input} from '../../api/contract/operation.js'
import type {broadcast, PushType} from '../../api/contract/push.js'
import {emptyResponse, refusePlain} from '../wire/service.js'
import type {Choices} from '../world/choices.js'
import type {WorldStore} from '../world/store.js'
import {
  appendRecent,
  isoUtc,
  type PushNotification,
  type PushRequest,
  type PushTransaction,
  type PushWorld,
  pushUserOf,
  type World,
} from '../world/world.js'
import {type PushHandlers, undocumentedResponse} from './operations.js'

type Body = Input<typeof broadcast>['body']

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

/** Refuses with 422 what is not supported, and a date without its type or the reverse. */
function notificationOf(body: Body, now: Date, {pushAll}: Pick<Choices, 'pushAll'>): PushNotification {
  const {title, body: text, dispatch_type: dispatchType, destination, dispatch_date: date} = body
  if (dispatchType === 'RECURRING') refusePlain(422, 'dispatch_type: RECURRING is not supported')
  if (destination.every((entry) => entry === 'IOS')) {
    refusePlain(422, 'destination: sending to IOS is not supported at present')
  }
  if (pushAll === 'refuse' && destination.includes('ALL')) {
    refusePlain(422, 'destination: expected ANDROID or IOS, got "ALL"')
  }
  const notification = {title, body: text, dispatchType, destination}
  if (dispatchType === 'IMMEDIATE') {
    if (date !== undefined) refusePlain(422, 'dispatch_date: applies to SCHEDULED dispatch only')
    return notification
  }
  if (date === undefined) return refusePlain(422, 'dispatch_date: SCHEDULED dispatch needs it')
  return {...notification, dispatchAt: dispatchMoment(date, now)}
}

/** Adds a request or replaces the one with its uuid; an immediate one is sent at once. */
function placeRequest(push: PushWorld, request: PushRequest, now: Date): void {
  const placed = request.dispatchAt === undefined ? dispatch(push, request, now) : request
  const index = push.requests.findIndex(({uuid}) => uuid === request.uuid)
  if (index < 0) appendRecent(push.requests, placed)
  else push.requests[index] = placed
}

/** A request that is not yet sent. Refuses with 403 one that is (push, Rules 2), with 422 one that is not there. */
function unsent({requests}: PushWorld, applicationId: string, uuid: string): PushRequest {
  const request = requests.find((one) => one.uuid === uuid && one.applicationId === applicationId)
  if (request === undefined) return refusePlain(422, `application ${applicationId} has no request ${uuid}`)
  if (request.status === 'SENT') refusePlain(403, `request ${uuid} is sent already`)
  if (request.status === 'CANCELLED') refusePlain(422, `request ${uuid} is cancelled`)
  return request
}

/** Pushes to all users of an application (push §3 to §5). */
export const notificationHandlers: PushHandlers<'push.broadcast' | 'push.modify' | 'push.cancel'> = {
  async 'push.broadcast'(call) {
    const {input, options, world} = call
    const now = options.now()
    const uuid = randomUUID()
    const notification = notificationOf(input.body, now, world.choices)
    const request: PushRequest = {
      ...notification,
      uuid,
      applicationId: input.query.application_id,
      status: 'SCHEDULED',
    }
    await options.store.change(({push}) => placeRequest(push, request, now))
    return undocumentedResponse(200, {request_uuid: uuid}, call)
  },

  async 'push.modify'({input, options, world}) {
    const {application_id: applicationId, request_uuid: uuid} = input.query
    const now = options.now()
    await options.store.change(({push}) => {
      unsent(push, applicationId, uuid)
      const notification = notificationOf(input.body, now, world.choices)
      placeRequest(push, {...notification, uuid, applicationId, status: 'SCHEDULED'}, now)
    })
    return emptyResponse(204, {}, now)
  },

  async 'push.cancel'({input, options}) {
    const uuids = input.body.request_uuids
    await options.store.change(({push}) => {
      for (const uuid of uuids) unsent(push, input.query.application_id, uuid)
      push.requests = push.requests.map((one) => (uuids.includes(one.uuid) ? {...one, status: 'CANCELLED'} : one))
    })
    return emptyResponse(204, {}, options.now())
  },
}

interface Sending {
  readonly requestId: string
  readonly applicationId?: string
  readonly at: Date
}

/** The user may be unknown; the outcome is kept. */
export function sendTo(
  push: PushWorld,
  recipientId: string,
  type: PushType,
  {requestId, applicationId, at}: Sending,
): PushTransaction {
  const user = pushUserOf(push, recipientId)
  const transaction: PushTransaction = {
    id: randomUUID(),
    requestId,
    ...(applicationId === undefined ? {} : {applicationId}),
    recipientId,
    status: user?.tokens.some((token) => token.type === type && !token.isGone) ? 'SUCCESS' : 'FAILED',
    at: isoUtc(at),
  }
  appendRecent(push.transactions, transaction)
  return transaction
}

/** Sends a request to all users with an Android device: which users an application has is not shown. */
export function dispatch(push: PushWorld, request: PushRequest, at: Date): PushRequest {
  const {uuid: requestId, applicationId} = request
  for (const {userId, tokens} of push.users) {
    if (tokens.some(({type}) => type === 'ANDROID')) sendTo(push, userId, 'ANDROID', {requestId, applicationId, at})
  }
  return {...request, status: 'SENT', sentAt: isoUtc(at)}
}

/** Sends the scheduled requests that are due, with their own time. */
export async function sendDue(store: WorldStore, now: Date): Promise<void> {
  const isThere = await store.read(({push}: World) => push.requests.some((request) => isDue(request, now)))
  if (!isThere) return
  await store.change(({push}) => {
    push.requests = push.requests.map((request) =>
      isDue(request, now) ? dispatch(push, request, new Date(request.dispatchAt ?? now)) : request,
    )
  })
}

function isDue({status, dispatchAt}: PushRequest, now: Date): boolean {
  return status === 'SCHEDULED' && dispatchAt !== undefined && Date.parse(dispatchAt) <= now.getTime()
}
