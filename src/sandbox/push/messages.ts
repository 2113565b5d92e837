import {randomUUID} from 'node:crypto'
import * as push from '../../api/contract/push.js'
import {contractResponse, emptyResponse, jsonResponse, refusePlain} from '../wire/service.js'
import {pushUserOf} from '../world/world.js'
import {sendTo} from './notifications.js'
import type {PushHandlers} from './operations.js'

/** Device tokens, pushes to named users, and their outcomes (push §1, §2 and Rules 4). */
export const messageHandlers: PushHandlers<'push.register' | 'push.send' | 'push.records'> = {
  async 'push.register'(call) {
    const {user_id, push_type, push_token} = call.input.body
    await call.options.store.change(({push: {users}, push: known}) => {
      // "Registering for a user not yet known creates the user. Registering for a known user adds the token."
      const user = pushUserOf(known, user_id) ?? {user_id, tokens: []}
      if (!users.includes(user)) users.push(user)
      const others = user.tokens.filter((token) => token.push_type !== push_type || token.push_token !== push_token)
      user.tokens = [...others, {push_type, push_token, is_gone: false}]
    })
    return jsonResponse(201, {}, call.options.now())
  },

  async 'push.send'({input, options}) {
    const {recipient_ids: recipients, push_type: type} = input.body
    if (type === 'IOS') refusePlain(422, 'push_type: sending to IOS is not supported at present')
    const sending = {request_id: randomUUID(), at: options.now()}
    const transactions = await options.store.change((world) =>
      recipients.map((recipient) => sendTo(world.push, recipient, type, sending)),
    )
    const reply = {
      transactions: transactions.map(({recipient_id, transaction_id, status}) => ({
        recipient_id,
        transaction_id,
        transaction_type: 'PUSH',
        status,
      })),
    }
    return contractResponse(push.sendToUsers, 202, reply, options.now())
  },

  async 'push.records'({input, world, options}) {
    const {query = {}} = input
    const wanted = Object.entries(query).filter(([, value]) => value !== undefined)
    const transactions = world.push.transactions.filter((transaction) =>
      wanted.every(([name, value]) => Reflect.get(transaction, name) === value),
    )
    if (transactions.length === 0) return emptyResponse(204, {}, options.now())
    // The application is not among the fields (push, Transaction record).
    const shown = transactions.map(({application_id: _, ...record}) => record)
    return contractResponse(push.records, 200, shown, options.now())
  },
}
