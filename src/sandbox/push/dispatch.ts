import {randomUUID} from 'node:crypto'
import {utc} from '../room/time.js'
import {
  type PushRequest,
  type PushTransaction,
  type PushType,
  type PushUser,
  type PushWorld,
  pushUserOf,
} from '../world/pushWorld.js'
import type {WorldStore} from '../world/store.js'
import {remember, type World} from '../world/world.js'

/** What is the same for every recipient of one sending. */
interface Sending {
  readonly requestId: string
  readonly applicationId?: string
  readonly at: Date
}

/** Sends to one user, who may not be known; what came of it is remembered. */
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
    at: utc(at),
  }
  remember(push.transactions, transaction)
  return transaction
}

/**
 * Sends a request to every user with an Android device (sending to iOS is not supported at present). Which users an
 * application has is not shown: here all are users of every application.
 */
export function dispatch(push: PushWorld, request: PushRequest, at: Date): PushRequest {
  const {uuid: requestId, applicationId} = request
  for (const {userId} of push.users.filter(hasAndroid)) {
    sendTo(push, userId, 'ANDROID', {requestId, applicationId, at})
  }
  return {...request, status: 'SENT', sentAt: utc(at)}
}

function hasAndroid({tokens}: PushUser): boolean {
  return tokens.some(({type}) => type === 'ANDROID')
}

/** Sends every scheduled request whose time has come, as of its own time, and keeps that it is sent. */
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
