import {type FailureJson, failureKey} from '../../failure.js'
import type {FileItem, RunItem} from '../../selection/run.js'
import {notStarted, tally} from '../../text/text.js'
import {type Column, colouredColumn} from './columns.js'

const colours = {done: 'green', failed: 'red', unknown: 'red', skipped: 'yellow', 'not-tried': 'yellow'} as const

type Ended = Pick<RunItem, 'outcome' | 'reason'>
type Skipped = Ended & Pick<FileItem, 'proven_by' | 'percent'>

/** The codes among the reasons of `skipped`, with what the table says beside them. */
const skippedAs = new Map([
  ['unchanged', ''],
  ['unfinished', 'interrupted'],
])

const proofs: Readonly<Record<NonNullable<FileItem['proven_by']>, string>> = {
  ledger: 'proven by ledger and listing',
  metadata: 'proven by ledger and metadata',
  stamp: 'proven by its stamp',
  content: 'proven by its content',
  'other-run': 'uploaded by another run',
}

/** The outcome for people: for `skipped` its kind, if the reason is a code. */
export function outcomeWords({outcome, reason = '', percent}: Skipped): string {
  if (outcome === 'not-tried') return 'not started'
  if (outcome !== 'skipped' || !skippedAs.has(reason)) return outcome
  return percent === undefined ? reason : `${reason} ${percent} %`
}

/** The reason without what `outcomeWords` says. */
export function reasonWords({outcome, reason = '', proven_by: proof}: Partial<Skipped>): string {
  if (outcome === 'not-tried') return reason.slice(notStarted.length)
  return (proof && proofs[proof]) ?? skippedAs.get(reason) ?? reason
}

export const outcomeColumn: Column<Ended> = {
  ...colouredColumn('outcome', colours),
  show: outcomeWords,
}

/** For people the code is part of the cause. */
export const errorCodeColumn: Column<Pick<RunItem, 'error'>> = {
  name: 'code',
  value: ({error}) => error?.code,
  only: 'csv',
}

type Unsuccessful = Partial<Skipped> & Pick<RunItem, 'error'>

/** Why it failed or was skipped: the whole message for programs, the cause for people. */
export const errorColumn = {
  name: 'error',
  value: ({error, reason}) => error?.message ?? reason,
  show: causeWords,
  fit: 'prose',
} satisfies Column<Unsuccessful>

/** Why a target failed or was skipped: `it does not exist (CE002)`. */
export function causeWords(row: Unsuccessful): string {
  const {error} = row
  if (!error) return reasonWords(row)
  const {facts} = error[failureKey]
  // What the system says of a file, such as a full disk, is the cause.
  const system = error.code === 'file' && error.why !== null ? `: ${error.why}` : ''
  return `${withMark(facts.cause ?? facts.message, error)}${system}`
}

/** The failure followed by the service's code; if it has no codes, its words by the status. */
function withMark(text: string, {code, http_status: status, service_message: words}: FailureJson): string {
  if (/^[A-Z]/u.test(code)) return `${text} (${code})`
  return words !== null && status !== null ? `${text} (HTTP ${status})` : text
}

/** The error codes in brackets: ` (ER001)`, ` (2 ER001, 1 CE002)`; empty without a failure. */
export function failureCodes(rows: readonly Pick<RunItem, 'error'>[]): string {
  const codes = rows.flatMap(({error}) => (error ? [error.code] : []))
  const [only] = codes
  if (only === undefined) return ''
  return ` (${codes.every((code) => code === only) ? only : tally(codes).join(', ')})`
}
