import {cut, displayWidth, fitTo, loadWidthsFor, pad, widthUpTo} from '../../text/width.js'
import {cellText} from './cell.js'
import type {Column} from './column.js'
import type {ViewContext} from './context.js'
import {type Fitted, fitColumns, gap} from './layout.js'
import {pages} from './pages.js'

/** Rows that are looked at to find the widths; a later, longer cell is cut on a terminal and stands out off it. */
const sampleSize = 1000

/**
 * Off a terminal a column is filled up to no more than this; a longer cell stands out. Else one cell of 100,000 characters would
 * send as many spaces with every other row.
 */
const widestFilled = 300

/** The texts of one row, one for each column. */
type Cells = readonly string[]

/**
 * A list as a table, page by page: a heading in capitals, two spaces between columns. On a terminal it is as wide as the
 * terminal, and a note says which columns were left out; off a terminal nothing is cut and no line ends in spaces. No
 * rows draw nothing at all. `header` false leaves the heading out.
 */
export async function* drawTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  header: boolean,
  context: ViewContext,
): AsyncGenerator<string> {
  if (rows.length === 0) return
  const sample = rows.slice(0, sampleSize).map((row) => cellsOf(row, columns, context))
  await loadWidthsFor(sample)
  const fitted = sized(columns, sample, header, context)
  if (header) yield heading(columns, fitted, context)
  for (const page of pages(rows)) {
    const cells = page.map((row) => cellsOf(row, columns, context))
    await loadWidthsFor(cells)
    yield page.map((row, i) => line(row, cells[i] ?? [], columns, fitted, context)).join('')
  }
  noteLeftOut(columns, fitted, context)
}

/** A short list as one text, for a card. The widths of unusual text must have been loaded. */
export function listText<Row>(rows: readonly Row[], columns: readonly Column<Row>[], context: ViewContext): string {
  const cells = rows.map((row) => cellsOf(row, columns, context))
  const fitted = sized(columns, cells, true, context)
  noteLeftOut(columns, fitted, context)
  const lines = rows.map((row, i) => line(row, cells[i] ?? [], columns, fitted, context))
  return heading(columns, fitted, context) + lines.join('')
}

function cellsOf<Row>(row: Row, columns: readonly Column<Row>[], context: ViewContext): Cells {
  return columns.map((column) => cellText(column, row, context))
}

function sized<Row>(
  columns: readonly Column<Row>[],
  sample: readonly Cells[],
  header: boolean,
  context: ViewContext,
): readonly Fitted[] {
  const most = context.columns ?? widestFilled
  const natural = columns.map((column, i) => {
    const widest = sample.reduce((width, cells) => Math.max(width, widthUpTo(cells[i] ?? '', most)), 0)
    return {
      width: Math.min(most, header ? Math.max(widest, displayWidth(title(column))) : widest),
      id: column.id,
      flex: column.flex,
      whole: column.whole,
    }
  })
  return fitColumns(natural, context.columns)
}

function title<Row>({label, name}: Column<Row>): string {
  return (label ?? name).toUpperCase()
}

function heading<Row>(columns: readonly Column<Row>[], fitted: readonly Fitted[], context: ViewContext): string {
  const titles = fitted.map(({index, width}, place) => {
    const column = columns[index]
    return column ? placed(title(column), width, column, place === fitted.length - 1, context) : ''
  })
  return `${context.style.bold(titles.join(gap).trimEnd())}\n`
}

function line<Row>(
  row: Row,
  cells: Cells,
  columns: readonly Column<Row>[],
  fitted: readonly Fitted[],
  context: ViewContext,
): string {
  let text = ''
  for (const [place, {index, width}] of fitted.entries()) {
    const column = columns[index]
    if (!column) continue
    const cell = placed(cells[index] ?? '', width, column, place === fitted.length - 1, context)
    text += (place === 0 ? '' : gap) + (column.paint ? column.paint(cell, row, context.style) : cell)
  }
  return `${text.trimEnd()}\n`
}

/** A text cut (only on a terminal, never an id) and filled to its column; the last column needs no filling. */
function placed<Row>(text: string, width: number, column: Column<Row>, last: boolean, context: ViewContext): string {
  const whole = context.columns === undefined || column.id
  if (last && !column.right) return whole ? text : cut(text, width)
  return whole ? pad(text, width, column.right) : fitTo(text, width, column.right)
}

function noteLeftOut<Row>(columns: readonly Column<Row>[], fitted: readonly Fitted[], context: ViewContext): void {
  const shown = new Set(fitted.map(({index}) => index))
  const missing = columns.filter((_, index) => !shown.has(index)).map(({label, name}) => (label ?? name).toLowerCase())
  if (missing.length > 0) context.note?.(`not shown: ${missing.join(', ')}; widen the window or use --columns`)
}
