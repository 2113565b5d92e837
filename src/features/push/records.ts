import {Failure} from '../../api/contract/failure.js'
import type {Output} from '../../api/contract/operation.js'
import {records} from '../../api/contract/push.js'
import type {TransactionRecord} from '../../api/contract/pushShapes.js'
import {shortly} from '../../text/shortly.js'

/** push, Transaction record. */
const members = ['request_id', 'transaction_at', 'recipient_id', 'transaction_id', 'status']

/**
 * The records of an answer, of which the document does not show how many it holds, nor what they stand in: none, a list, a list in
 * `transactions`, or one alone. Raises a Failure (network) for an object that is none of these.
 */
export function transactionsOf(reply: Output<typeof records>): readonly TransactionRecord[] {
  if (reply === null) return []
  if (Array.isArray(reply)) return reply
  const {transactions} = reply
  if (Array.isArray(transactions)) return transactions
  const names = Object.keys(reply)
  if (names.length === 0 || transactions === null) return []
  if (names.some((name) => members.includes(name))) return [reply]
  throw new Failure({
    exit: 'network',
    code: 'broken-answer',
    message: `cannot ${records.doing}: the answer is not what the document describes`,
    why: `it is an object without a member of a transaction record, with ${shortly(names.slice(0, 5).join(', '))} (${records.source})`,
    try: 'run the command again with --debug to see the answer',
  })
}
