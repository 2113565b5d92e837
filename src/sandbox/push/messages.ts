import {randomUUID} from 'node:crypto'
import * as push from '../../api/contract/push.js'
import {contractResponse, emptyResponse, refusePlain} from '../wire/service.js'
import {type PushTransaction, pushUserOf} from '../world/world.js'
import {sendTo} from './notifications.js'
import {type PushHandlers, undocumentedResponse} from './operations.js'

const hour = 3_600_000

/** ISO 8601 with offset and zone id (push, Transaction record). Which zone is not shown; Seoul has no summer time. */
function zoned(utc: string): string {
  const local = new Date(Date.parse(utc) + 9 * hour).toISOString()
  return `${local.replace(/(?:\.000)?Z$/, '')}+09:00[Asia/Seoul]`
}

/** push, Transaction record. */
function transactionRecord({id, requestId, recipientId, status, at}: PushTransaction) {
  return {request_id: requestId, transaction_at: zoned(at), recipient_id: recipientId, transaction_id: id, status}
}

/** Device tokens, pushes to named users, and their outcomes (push §1, §2 and Rules 4). */
export const messageHandlers: PushHandlers<'push.register' | 'push.send' | 'push.records'> = {
  async 'push.register'(call) {
    const {user_id: userId, push_type: type, push_token: token} = call.input.body
    await call.options.store.change(({push: {users}, push: known}) => {
      // "Registering for a user not yet known creates the user. Registering for a known user adds the token."
      const user = pushUserOf(known, userId) ?? {userId, tokens: []}
      if (!users.includes(user)) users.push(user)
      const others = user.tokens.filter((one) => one.type !== type || one.token !== token)
      user.tokens = [...others, {type, token}]
    })
    return undocumentedResponse(201, {}, call)
  },

  async 'push.send'({input, options}) {
    const {recipient_ids: recipients, push_type: type} = input.body
    if (type === 'IOS') refusePlain(422, 'push_type: sending to IOS is not supported at present')
    const sending = {requestId: randomUUID(), at: options.now()}
    const transactions = await options.store.change((world) =>
      recipients.map((recipient) => sendTo(world.push, recipient, type, sending)),
    )
    const reply = {
      transactions: transactions.map(({id, recipientId, status}) => ({
        recipient_id: recipientId,
        transaction_id: id,
        transaction_type: 'PUSH',
        status,
      })),
    }
    return contractResponse(push.sendToUsers, 202, reply, options.now())
  },

  async 'push.records'({input, world, options}) {
    const {query = {}} = input
    const found = world.push.transactions.filter(
      (one) =>
        isAsked(query.application_id, one.applicationId) &&
        isAsked(query.request_id, one.requestId) &&
        isAsked(query.transaction_id, one.id) &&
        isAsked(query.recipient_id, one.recipientId),
    )
    if (found.length === 0) return emptyResponse(204, {}, options.now())
    return contractResponse(push.records, 200, found.map(transactionRecord), options.now())
  },
}

function isAsked(wanted: string | undefined, own: string | undefined): boolean {
  return wanted === undefined || wanted === own
}
