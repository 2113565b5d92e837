import {safeText} from '../../text/text.js'
import type {Column} from './column.js'
import type {ViewContext} from './context.js'

/** What stands where there is nothing to show. */
const nothing = '-'

/** What people see of a column in one row: one line of safe text without colour, `-` for nothing. */
export function cellText<Row>(column: Column<Row>, row: Row, context: ViewContext): string {
  const shown = column.show ? column.show(row, context) : forPeople(column.value(row, context))
  return safeText(shown) || nothing
}

function forPeople(value: unknown): unknown {
  if (value === true) return 'yes'
  return value === false ? 'no' : value
}
