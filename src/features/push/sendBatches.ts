import type {Input} from '../../api/contract/operation.js'
import {sendToUsers, type Transaction} from '../../api/contract/push.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {errorJson} from '../../cli/output/failures.js'
import type {Session} from '../../cli/session/session.js'
import {type Exit, type FailureJson, failureJson, failureWith} from '../../failure.js'
import {interruptedRun, type Outcome, runAll, SkipTarget} from '../../selection/run.js'
import type {JournalEntry} from '../../storage/journal.js'
import {counted, shortly, tally} from '../../text/text.js'
import {hasFailed, type SentRow} from '../../view/push/requests.js'
import {sendJournaled} from '../mutation/journal.js'

export interface Push {
  readonly batches: readonly (readonly string[])[]
  readonly message: Omit<Input<typeof sendToUsers>['body'], 'recipient_ids'>
}

export function batchRequest({message}: Push, recipients: readonly string[]): Input<typeof sendToUsers> {
  return {body: {recipient_ids: [...recipients], ...message}}
}

/** Failures of one batch that would repeat in all others, besides those of every run. */
const alsoShared: ReadonlySet<Exit> = new Set(['usage', 'forbidden', 'missing', 'unconfirmed'])

/**
 * Sends the batches in turn; a row for each recipient, in their order, then for others in the answers. A batch whose answer was
 * lost is never sent again. The failure of a single batch is thrown.
 */
export async function sendBatches(session: Session, push: Push, failFast: boolean): Promise<SentRow[]> {
  const {batches} = push
  const {signal} = session.runtime
  const [only] = batches
  if (batches.length === 1 && only) {
    const {rows, others} = await sendBatch(session, push, only)
    return [...rows, ...others]
  }
  let [tried, rest] = [0, 0]
  const kept = (recipients: readonly string[], batch: Outcome<BatchRows>): BatchRows => {
    const sent = batch.result ?? rowsAfter(session, recipients, batch)
    if (batch.outcome === 'not-tried') rest += recipients.length
    else {
      // In the order done, failed, unknown; users with several devices count for each.
      const outcomes = tally(sent.rows.map(({outcome}) => outcome).sort())
      session.progress(`batch ${++tried} of ${batches.length}: ${outcomes.join(', ')}`)
    }
    return sent
  }
  const work = (recipients: readonly string[]) => attempt(session, push, recipients)
  const options = {concurrency: 1, failFast, signal, what: 'batch', alsoShared, failureOf: toFailure, kept}
  const sent = await runAll(batches, work, options)
  if (rest > 0) session.warn(`note: nothing was sent to ${counted(rest, 'user')}`)
  return [...sent.flatMap(({rows}) => rows), ...sent.flatMap(({others}) => others)]
}

async function sendBatch(session: Session, push: Push, recipients: readonly string[]): Promise<BatchRows> {
  const {transactions} = await sendJournaled(session, sendToUsers, batchRequest(push, recipients), {
    judge: (reply) => whatBecameOf(rowsOf(recipients, reply.transactions)),
  })
  return rowsOf(recipients, transactions)
}

/** A batch has failed if one of its users has; its rows say more. */
async function attempt(session: Session, push: Push, recipients: readonly string[]): Promise<Outcome<BatchRows>> {
  try {
    const result = await sendBatch(session, push, recipients)
    if (result.rows.every(({outcome}) => outcome === 'done')) return {outcome: 'done', result}
    return {outcome: 'failed', result, failure: failureWith('partial', 'not all users were reached')}
  } catch (error) {
    const {exit, outcome = 'none'} = toFailure(error).facts
    throw exit === 'interrupted' && outcome === 'none' ? new SkipTarget('not-tried', interruptedRun) : error
  }
}

/** The rows of a batch without an answer that names the outcome of each user. */
function rowsAfter(session: Session, recipients: readonly string[], batch: Outcome<BatchRows>): BatchRows {
  if (batch.outcome !== 'failed') return {rows: rowsWithout(recipients, 'not-tried'), others: []}
  const {failure} = batch
  // A push with an unreadable success was made, for unknown recipients.
  const outcome = (failure.facts.outcome ?? 'none') === 'none' ? 'failed' : 'unknown'
  return {rows: rowsWithout(recipients, outcome, errorJson(session, failure)), others: []}
}

export function inBatches(ids: readonly string[], size: number): string[][] {
  const count = Math.ceil(ids.length / size)
  return Array.from({length: count}, (_, at) => ids.slice(at * size, (at + 1) * size))
}

/** The result of a batch: a row or more for each recipient, and rows of other users. */
export type BatchRows = Readonly<Record<'rows' | 'others', readonly SentRow[]>>

/** Puts the transactions of an answer to the recipients of its request, in the order of the recipients. */
export function rowsOf(recipients: readonly string[], transactions: readonly Transaction[]): BatchRows {
  const byRecipient = new Map<string, SentRow[]>(recipients.map((id) => [id, []]))
  const others: SentRow[] = []
  for (const transaction of transactions) {
    const own = byRecipient.get(transaction.recipient_id ?? '') ?? others
    own.push(sentRow(transaction))
  }
  return {rows: [...byRecipient].flatMap(([id, rows]) => (rows.length > 0 ? rows : unmentioned(id))), others}
}

/** The journal's outcome of a batch: done if one recipient was, with the code of a failure. */
export function whatBecameOf({rows}: BatchRows): Pick<JournalEntry, 'outcome' | 'code'> {
  const best =
    (['done', 'unknown', 'failed'] as const).find((kind) => rows.some(({outcome}) => outcome === kind)) ?? 'done'
  return {outcome: best, code: rows.find(({error}) => error)?.error?.code}
}

/** Rows of recipients whose batch has no result for each. */
export function rowsWithout(
  recipients: readonly string[],
  outcome: Exclude<SentRow['outcome'], 'done'>,
  error?: FailureJson,
): SentRow[] {
  return recipients.map((id) => ({...membersOf({recipient_id: id}), outcome, ...(error ? {error} : {})}))
}

function membersOf({recipient_id = null, transaction_id = null, transaction_type = null, status = null}: Transaction) {
  return {recipient_id, transaction_id, transaction_type, status}
}

function sentRow(transaction: Transaction): SentRow {
  const {status} = transaction
  const whole = membersOf(transaction)
  if (status === 'SUCCESS') return {...whole, outcome: 'done'}
  // The document shows no other status (push, Transaction record), so any other word proves nothing.
  const outcome = hasFailed(status) ? 'failed' : 'unknown'
  const failure = failureWith(outcome === 'failed' ? 'refused' : 'network', `the service reports ${wordOf(status)}`, {
    code: outcome === 'failed' ? 'transaction-failed' : 'transaction-open',
    try: {command: ['push records']},
    outcome: outcome === 'failed' ? 'none' : 'unknown',
  })
  return {...whole, outcome, error: failureJson(failure)}
}

function wordOf(status: string | null | undefined): string {
  return status === null || status === undefined || status.trim() === '' ? 'no status' : shortly(status)
}

/** The answer names only others, so the outcome is unknown. */
function unmentioned(id: string): SentRow[] {
  const failure = failureWith('network', 'the answer does not mention this recipient', {
    code: 'not-mentioned',
    why: 'the service accepted the request but shows no transaction for this recipient',
    try: {sentence: 'before you send it again', command: ['push records']},
    outcome: 'unknown',
  })
  return rowsWithout([id], 'unknown', failureJson(failure))
}
