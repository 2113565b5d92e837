import type {Output} from '../../api/contract/operation.js'
import {records, type TransactionRecord} from '../../api/contract/push.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {applicationFlags, commandExamples, rowFlags, switchFlag, timeFlags, valueFlag} from '../../cli/flags/flags.js'
import {presentList} from '../../cli/output/present.js'
import {notARecord} from '../../features/push/configuration.js'
import {hasFailed, transactionRecordList} from '../../view/push/requests.js'

export default class PushRecords extends RoomctlCommand {
  static override summary = 'List push delivery records'
  static override rows = transactionRecordList
  static override description =
    `Lists the transaction records of the service. The operation is undocumented, so its method, path and filter names are
assumed; change them with config set route.push.records. Filters are sent only if given, and the application if known.
--failed filters locally.`
  static override flags = {
    ...rowFlags,
    ...timeFlags,
    ...applicationFlags,
    'request-id': valueFlag('ID', 'only this request'),
    'transaction-id': valueFlag('ID', 'only this one'),
    'recipient-id': valueFlag('USER', 'only this recipient'),
    failed: switchFlag('only failures'),
  }
  static override examples = commandExamples({
    'The results of a push to all users':
      'roomctl push records --application-id app-1 --request-id 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    'Recipients it did not reach': "roomctl push records --failed -o json --query '[].recipient_id'",
  })

  async run(): Promise<void> {
    const {flags, session} = await this.start(PushRecords)
    const filters = {
      application_id: session.resolved.values.applicationId,
      request_id: flags['request-id'],
      transaction_id: flags['transaction-id'],
      recipient_id: flags['recipient-id'],
    }
    const transactions = transactionsOf(await session.api.call(records, {query: filters}))
    await presentList(
      session,
      flags.failed ? transactions.filter(({status}) => hasFailed(status)) : transactions,
      transactionRecordList,
    )
  }
}

/** Members of a record alone: a gateway's answer may have a status, too. */
const recordMembers = ['request_id', 'transaction_at', 'recipient_id', 'transaction_id']

/** The records of an answer of undocumented form: none (204), a list, a list in `transactions`, or one alone. Throws Failure (network). */
export function transactionsOf(reply: Output<typeof records>): readonly TransactionRecord[] {
  if (reply === null) return []
  if (Array.isArray(reply)) return reply
  const {transactions} = reply
  if (Array.isArray(transactions)) return transactions
  if (transactions === null) return []
  const names = Object.keys(reply)
  if (names.some((name) => recordMembers.includes(name))) return [reply]
  throw notARecord(records, records.action, 'a transaction record', names)
}
