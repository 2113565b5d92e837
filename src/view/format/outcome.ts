import type {FailureJson} from '../../api/contract/failure.js'
import type {Outcome} from '../../selection/run.js'
import {tally} from '../../text/text.js'
import {type Column, colouredColumn} from './columns.js'

export interface BulkRow {
  readonly outcome: Outcome<unknown>['outcome']
  /** Why it was skipped or not tried, beginning with a phrase of `skippedAs` if one fits; `error` has the reason of a failure. */
  readonly reason?: string
  readonly error?: FailureJson
}

const colours = {done: 'green', failed: 'red', unknown: 'red', skipped: 'yellow', 'not-tried': 'yellow'} as const

interface Told {
  readonly outcome: keyof typeof colours
  readonly reason?: string | undefined
}

/** Phrases that name a kind of `skipped` or `not-tried`: `not started: interrupted`. */
const skippedAs = /^(?:not started|already there|unfinished(?: \d+ %)?)(?=$|: )/u

/** The outcome for people: for `skipped` its kind, if the reason names it. */
export function outcomeWords({outcome, reason = ''}: Told): string {
  if (outcome === 'not-tried') return 'not started'
  return outcome === 'skipped' ? (skippedAs.exec(reason)?.[0] ?? outcome) : outcome
}

/** The reason without what `outcomeWords` says. */
export function reasonWords(reason = ''): string {
  return reason.replace(skippedAs, '').replace(/^: /u, '')
}

export const outcomeColumn: Column<Told> = {
  ...colouredColumn('outcome', colours),
  show: outcomeWords,
}

/** In the table of a terminal the code is part of the message. */
export const errorCodeColumn: Column<Pick<BulkRow, 'error'>> = {
  name: 'code',
  value: ({error}) => error?.code,
  only: 'csv',
}

/** Why it failed or was skipped. On a terminal the service's code comes first. */
export const errorColumn: Column<Pick<BulkRow, 'error' | 'reason'>> = {
  name: 'error',
  value: ({error, reason}) => error?.message ?? reason,
  show: ({error, reason}, {columns}) => {
    if (!error) return reasonWords(reason)
    const isOwn = /^[a-z]/u.test(error.code)
    return columns === undefined || isOwn ? error.message : `${error.code}: ${error.message}`
  },
  fit: 'prose',
}

/** The error codes in brackets: ` (ER001)`, ` (2 ER001, 1 CE002)`; empty without a failure. */
export function failureCodes(rows: readonly Pick<BulkRow, 'error'>[]): string {
  const codes = rows.flatMap(({error}) => (error ? [error.code] : []))
  const [only] = codes
  if (only === undefined) return ''
  return ` (${codes.every((code) => code === only) ? only : tally(codes).join(', ')})`
}
