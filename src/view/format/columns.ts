import type {Column} from './column.js'
import type {ViewContext} from './context.js'
import {listText} from './table.js'

export type {Column} from './column.js'

/** How rows of one kind are listed. */
export interface ListView<Row> {
  readonly columns: readonly Column<Row>[]
  readonly id: (row: Row) => string
  /** The sentence for a list without rows. */
  readonly empty: string
}

/** How one object is shown. */
export interface CardView<T> {
  readonly title: (value: T) => string
  /** The name of the column that the title already shows; the card does not repeat it, CSV has it. */
  readonly titleColumn?: string
  readonly columns: readonly Column<T>[]
  readonly id: (value: T) => string
  readonly sections?: (value: T) => Section[]
  /** Sentences below everything else. */
  readonly notes?: (value: T, context: ViewContext) => string[]
}

/** A list that belongs to a card. */
export interface Section {
  readonly heading: string
  readonly draw: (context: ViewContext) => string
}

/** A section that lists rows by the view's ordinary columns, or says that there are none. */
export function section<Row>(heading: string, rows: readonly Row[], view: ListView<Row>): Section {
  const columns = view.columns.filter((column) => !column.extra)
  return {
    heading,
    draw: (context) => (rows.length === 0 ? `${view.empty}\n` : listText(rows, columns, context)),
  }
}
