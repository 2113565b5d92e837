import type {FailureJson} from '../../api/contract/failure.js'
import type {Outcome} from '../../selection/run.js'
import {tally} from '../../text/text.js'
import {type Column, colouredColumn} from './columns.js'

/** The outcome of one of several targets (product §2). */
export interface BulkRow {
  readonly outcome: Outcome<unknown>['outcome']
  /** Why it was skipped or not tried, behind a word of `skippedAs` where one fits; `error` says why it failed. */
  readonly reason?: string
  readonly error?: FailureJson
}

const colours = {done: 'green', failed: 'red', unknown: 'red', skipped: 'yellow', 'not-tried': 'yellow'} as const

interface Told {
  readonly outcome: keyof typeof colours
  readonly reason?: string | undefined
}

/** How a reason begins that tells one kind of `skipped` or `not-tried` from another: `not started: interrupted`. */
const skippedAs = /^(?:not started|already there|unfinished(?: \d+ %)?)(?=$|: )/u

/** The outcome of a target, for people: the kind of `skipped` where its reason tells it. */
export function outcomeWords({outcome, reason = ''}: Told): string {
  if (outcome === 'not-tried') return 'not started'
  return outcome === 'skipped' ? (skippedAs.exec(reason)?.[0] ?? outcome) : outcome
}

/** A reason for people, which need not repeat what `outcomeWords` says. */
export function reasonWords(reason = ''): string {
  return reason.replace(skippedAs, '').replace(/^: /u, '')
}

export const outcomeColumn: Column<Told> = {
  ...colouredColumn('outcome', colours),
  show: outcomeWords,
}

/** The code of what failed; in the table of a terminal it stands in the sentence about it. */
export const errorCodeColumn: Column<Pick<BulkRow, 'error'>> = {
  name: 'code',
  value: ({error}) => error?.code,
  only: 'csv',
}

/** Why something failed, or was skipped. On a terminal a code of the service comes first. */
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

/** The codes of what failed, in brackets: ` (ER001)`, ` (2 ER001, 1 CE002)`; empty where nothing did. */
export function failureCodes(rows: readonly Pick<BulkRow, 'error'>[]): string {
  const codes = rows.flatMap(({error}) => (error ? [error.code] : []))
  const [only] = codes
  if (only === undefined) return ''
  return ` (${codes.every((code) => code === only) ? only : tally(codes).join(', ')})`
}
