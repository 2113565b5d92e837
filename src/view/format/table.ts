import {cut, displayWidth, fitTo, loadWidthsFor, pad, widthUpTo} from '../../text/width.js'
import {type Column, cellText, type ListView, pages, type Section, type ViewContext} from './columns.js'

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

/** A section that lists rows by the view's ordinary columns, or says that there are none. */
export function section<Row>(heading: string, rows: readonly Row[], view: ListView<Row>): Section {
  const columns = view.columns.filter((column) => !column.extra)
  return {
    heading,
    draw: (context) => (rows.length === 0 ? `${view.empty}\n` : listText(rows, columns, context)),
  }
}

/** Two spaces between columns. */
export const gap = '  '

/** A name that is cut keeps this much, so that it can still be told from others, while anything can be left out for it… */
const flexFloor = 16
/** …and at least this much before it is left out itself. */
const leastFlex = 8
/** Anything else keeps at least this much. */
const otherFloor = 17

/** What the layout must know of a column; `width` is that of its widest cell. */
export interface Natural {
  readonly width: number
  readonly id?: true | undefined
  readonly flex?: true | undefined
  readonly whole?: true | undefined
}

/** A column that is shown: its place among all of them, and its width. */
export interface Fitted {
  readonly index: number
  readonly width: number
}

interface Candidate {
  readonly index: number
  width: number
  readonly floor: number
  readonly flex: boolean
}

/**
 * Fits columns into a terminal: flex columns are cut first, then the others, and when that is not enough the last ones
 * are left out. Whole columns are left out rather than cut; ids are neither, even when they alone are too wide. Without
 * `total` (off a terminal) every column keeps its width.
 */
export function fitColumns(columns: readonly Natural[], total: number | undefined): readonly Fitted[] {
  const all = columns.map(({width}, index) => ({index, width}))
  if (total === undefined) return all
  let shown = all
  for (;;) {
    const last = shown.findLast(({index}) => !columns[index]?.id)
    const floor = last && columns[last.index]?.flex ? leastFlex : flexFloor
    const candidates = shown.map(({index}) => candidate(columns, index, total, floor))
    const fits = shrink(candidates, total)
    if (fits || last === undefined) return candidates.map(({index, width}) => ({index, width}))
    shown = shown.filter((column) => column !== last)
  }
}

function candidate(columns: readonly Natural[], index: number, total: number, flexLeast: number): Candidate {
  const {width = 0, id, flex, whole} = columns[index] ?? {}
  if (id || whole) return {index, width, floor: width, flex: false}
  const most = Math.min(width, total)
  return {index, width: most, floor: Math.min(most, flex ? flexLeast : otherFloor), flex: flex ?? false}
}

/** Takes width from the widest column, the flex ones first, until all fit; false when they cannot. */
function shrink(columns: readonly Candidate[], total: number): boolean {
  const gaps = gap.length * (columns.length - 1)
  let excess = columns.reduce((sum, {width}) => sum + width, gaps) - total
  while (excess > 0) {
    const cuttable = columns.filter(({width, floor}) => width > floor)
    const flexible = cuttable.filter(({flex}) => flex)
    const [first, ...others] = flexible.length > 0 ? flexible : cuttable
    if (first === undefined) return false
    const widest = others.reduce((best, column) => (column.width > best.width ? column : best), first)
    widest.width -= 1
    excess -= 1
  }
  return true
}
