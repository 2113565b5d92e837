import {Failure, type FailureJson, failureJson} from '../../api/contract/failure.js'
import type {Transaction} from '../../api/contract/push.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {shortly} from '../../text/text.js'
import type {SentRow} from '../../view/push/requests.js'
import {hasFailed} from '../../view/push/requests.js'

/** What a batch came to: a row or more for each of its recipients, and those of people who were not among them. */
export interface BatchRows {
  readonly rows: readonly SentRow[]
  readonly others: readonly SentRow[]
}

/** Puts the transactions of an answer to the recipients of its request, in the order of the recipients. */
export function rowsOf(recipients: readonly string[], transactions: readonly Transaction[]): BatchRows {
  const byRecipient = new Map<string, SentRow[]>(recipients.map((id) => [id, []]))
  const others: SentRow[] = []
  for (const transaction of transactions) {
    const own = byRecipient.get(transaction.recipient_id ?? '') ?? others
    own.push(rowOf(transaction))
  }
  return {rows: [...byRecipient].flatMap(([id, rows]) => (rows.length > 0 ? rows : unmentioned(id))), others}
}

/** What the journal says of a batch: done where one recipient was, with the code of what failed beside it. */
export function whatBecameOf({rows}: BatchRows): Pick<JournalEntry, 'outcome' | 'code'> {
  const best =
    (['done', 'unknown', 'failed'] as const).find((one) => rows.some(({outcome}) => outcome === one)) ?? 'done'
  return {outcome: best, code: rows.find(({error}) => error)?.error?.code}
}

/** Rows of recipients whose batch came to nothing that is known of each of them. */
export function rowsWithout(
  recipients: readonly string[],
  outcome: Exclude<SentRow['outcome'], 'done'>,
  error?: FailureJson,
): SentRow[] {
  return recipients.map((id) => ({
    recipient_id: id,
    transaction_id: null,
    transaction_type: null,
    status: null,
    outcome,
    ...(error ? {error} : {}),
  }))
}

function rowOf({recipient_id, transaction_id, transaction_type, status}: Transaction): SentRow {
  const whole = {
    recipient_id: recipient_id ?? null,
    transaction_id: transaction_id ?? null,
    transaction_type: transaction_type ?? null,
    status: status ?? null,
  }
  if (!hasFailed(status)) return {...whole, outcome: 'done'}
  return {...whole, outcome: 'failed', error: failureJson(failed(status ?? ''))}
}

function failed(status: string): Failure {
  return new Failure({
    exit: 'refused',
    code: 'transaction-failed',
    message: `the service reports the transaction as ${shortly(status)}`,
    try: 'roomctl push records shows what the service knows about it',
  })
}

/** An answer tells of the others only; whether this one gets the push, nobody knows. */
function unmentioned(id: string): SentRow[] {
  const facts = {
    exit: 'network',
    code: 'not-mentioned',
    message: 'the answer does not mention this recipient',
    why: 'the service accepted the request but shows no transaction for this recipient',
    try: 'roomctl push records may show it; check before you send it again',
    outcome: 'unknown',
  } as const
  return rowsWithout([id], 'unknown', failureJson(new Failure(facts)))
}
