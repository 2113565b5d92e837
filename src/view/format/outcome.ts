import type {FailureJson} from '../../failure.js'
import type {RunItem} from '../../selection/run.js'
import {tally} from '../../text/text.js'
import {type Column, colouredColumn} from './columns.js'

const colours = {done: 'green', failed: 'red', unknown: 'red', skipped: 'yellow', 'not-tried': 'yellow'} as const

/** Phrases that name a kind of `skipped` or `not-tried`: `not started: interrupted`. */
const skippedAs = /^(?:not started|unchanged|unfinished(?: \d+ %)?)(?=$|: )/u

/** The outcome for people: for `skipped` its kind, if the reason names it. */
export function outcomeWords({outcome, reason = ''}: Pick<RunItem, 'outcome' | 'reason'>): string {
  if (outcome === 'not-tried') return 'not started'
  return outcome === 'skipped' ? (skippedAs.exec(reason)?.[0] ?? outcome) : outcome
}

/** The reason without what `outcomeWords` says. */
export function reasonWords(reason = ''): string {
  return reason.replace(skippedAs, '').replace(/^: /u, '')
}

export const outcomeColumn: Column<Pick<RunItem, 'outcome' | 'reason'>> = {
  ...colouredColumn('outcome', colours),
  show: outcomeWords,
}

/** For people the code is part of the cause. */
export const errorCodeColumn: Column<Pick<RunItem, 'error'>> = {
  name: 'code',
  value: ({error}) => error?.code,
  only: 'csv',
}

type Unsuccessful = Pick<RunItem, 'error' | 'reason'>

/** Why it failed or was skipped: the whole message for programs, the cause for people. */
export function errorColumn<Row extends Unsuccessful>(idOf: (row: Row) => string, inWords = (cause: string) => cause) {
  return {
    name: 'error',
    value: ({error, reason}) => error?.message ?? reason,
    show: (row) => causeWords(row, idOf(row), inWords),
    fit: 'prose',
  } satisfies Column<Row>
}

/** Why a target failed or was skipped, without its id, which its row has: `it does not exist (CE002)`. */
export function causeWords({error, reason}: Unsuccessful, id: string, inWords = (cause: string) => cause): string {
  if (!error) return reasonWords(reason)
  const {message} = error
  const at = id === '' || !message.startsWith('cannot ') ? -1 : message.indexOf(id)
  const colon = at < 0 ? -1 : message.indexOf(': ', at + id.length)
  const named = [`room ${id}`, `request ${id}`].reduce(
    (text, name) => text.replaceAll(name, 'it'),
    colon < 0 ? message : message.slice(colon + 2),
  )
  const near = error.why?.startsWith('did you mean ') ? `; ${error.why}` : ''
  // What the system says of a file, such as a full disk, is the cause.
  const system = error.code === 'file' && error.why !== null ? `: ${error.why}` : ''
  return `${withMark(inWords(named), error)}${system}${near}`
}

/** The failure followed by the service's code, or the status if it has no codes, unless the text names it. */
export function withMark(text: string, {code, http_status: status}: FailureJson): string {
  const mark = /^[a-z]/u.test(code) ? status && `HTTP ${status}` : code
  return mark && !text.includes(mark) ? `${text} (${mark})` : text
}

/** The error codes in brackets: ` (ER001)`, ` (2 ER001, 1 CE002)`; empty without a failure. */
export function failureCodes(rows: readonly Pick<RunItem, 'error'>[]): string {
  const codes = rows.flatMap(({error}) => (error ? [error.code] : []))
  const [only] = codes
  if (only === undefined) return ''
  return ` (${codes.every((code) => code === only) ? only : tally(codes).join(', ')})`
}
