import type {FailureJson} from '../../api/contract/failure.js'
import type {Column} from './columns.js'

/** What came of one of several targets (product §2). */
export interface BulkRow {
  readonly outcome: 'done' | 'skipped' | 'failed'
  /** Why it was skipped, a clause without a stop; `error` says why it failed. */
  readonly reason?: string
  readonly error?: FailureJson
}

const colours = {done: 'green', failed: 'red', unknown: 'red', skipped: 'yellow'} as const

export const outcomeColumn: Column<{readonly outcome: keyof typeof colours}> = {
  name: 'outcome',
  value: ({outcome}) => outcome,
  paint: (text, {outcome}, style) => style[colours[outcome]](text),
}

/** The code of what failed, which people read in the sentence about it. */
export const errorCodeColumn: Column<Pick<BulkRow, 'error'>> = {
  name: 'code',
  value: ({error}) => error?.code,
  exact: true,
}

/** Why something failed, or was not tried. */
export const errorColumn: Column<Pick<BulkRow, 'error' | 'reason'>> = {
  name: 'error',
  value: ({error, reason}) => error?.message ?? reason,
  flex: true,
}
