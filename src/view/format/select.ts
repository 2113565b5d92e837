import {ViewProblem} from '../../text/problem.js'
import {safeText} from '../../text/text.js'
import type {Column} from './column.js'

/** The columns to show: those asked for, in that order, or all that are not extra. Raises ViewProblem for an unknown name. */
export function chosenColumns<Row>(
  columns: readonly Column<Row>[],
  asked: readonly string[] | undefined,
): readonly Column<Row>[] {
  if (asked === undefined || asked.length === 0) return columns.filter((column) => !column.extra)
  return asked.map((name) => columnNamed(columns, name))
}

/** The column of a name or a label, whatever its case. Raises ViewProblem that lists what there is. */
export function columnNamed<Row>(columns: readonly Column<Row>[], name: string): Column<Row> {
  const wanted = name.trim().toLowerCase()
  const found =
    columns.find((column) => column.name.toLowerCase() === wanted) ??
    columns.find((column) => column.label?.toLowerCase() === wanted)
  if (found) return found
  throw new ViewProblem(
    `there is no column ${safeText(name.trim()) || "''"}`,
    `columns: ${columns.map((column) => column.name).join(', ')}`,
  )
}
