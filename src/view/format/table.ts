import {cut, cutMiddle, displayWidth, pad, wrap} from '../../text/width.js'
import {drawBlock} from './card.js'
import {
  type Column,
  cellText,
  type Fit,
  isKnown,
  type ListView,
  pages,
  type Section,
  type ViewContext,
} from './columns.js'

/**
 * The maximum padding off a terminal; a longer cell sticks out. Otherwise one cell of 4,096 characters would add as many
 * spaces to each row.
 */
const widestFilled = 300

/** Longer prose would push the other rows off the terminal. */
const mostLines = 10

/** How many rows determine the widths of the columns. */
const sampleSize = 1000

type Cells = readonly string[]

/** The heading and the renderer of the rows, which get their cells and their index. */
interface Drawing<Row> {
  readonly heading: string
  readonly draw: (row: Row, cells: Cells, place: number) => string
  readonly hidden: readonly string[]
}

/**
 * A list as a table, page by page: a heading in capitals, as a first piece, and two spaces between columns. On a terminal it
 * fits the width, and a note names hidden columns; if the necessary columns do not fit, each row becomes a block of labels and
 * values. For a screen reader, which reads line by line, each row is a block of `NAME: value`. Off a terminal a line has at
 * most 120 columns except for ids and texts, nothing is cut, and no line ends in spaces.
 */
export async function* drawTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  header: boolean,
  context: ViewContext,
): AsyncGenerator<string> {
  if (rows.length === 0) return
  const {heading, draw, hidden} = arrange(columns, rows, header, context)
  if (heading !== '') yield heading
  let place = 0
  for (const page of pages(rows)) {
    yield page.map((row) => draw(row, cellsOf(row, columns, context), place++)).join('')
  }
  noteHidden(hidden, context)
}

/** A list within a card, as wide as its first rows need: a room may have 300,000 attendees. */
export function listText<Row>(rows: readonly Row[], columns: readonly Column<Row>[], context: ViewContext): string {
  const {heading, draw, hidden} = arrange(columns, rows, true, context)
  noteHidden(hidden, context)
  return heading + rows.map((row, place) => draw(row, cellsOf(row, columns, context), place)).join('')
}

const shortDigest = 12

function cellsOf<Row>(row: Row, columns: readonly Column<Row>[], context: ViewContext): Cells {
  const {shortTime} = context
  const inTable = shortTime ? {...context, time: shortTime} : context
  return columns.map((column) => {
    const text = cellText(column, row, inTable)
    return column.fit === 'digest' ? text.slice(0, shortDigest) : text
  })
}

function arrange<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  header: boolean,
  context: ViewContext,
): Drawing<Row> {
  if (context.plain) {
    const draw: Drawing<Row>['draw'] = (row, cells, place) => {
      const lines = columns.map((column, i) => `${title(column)}: ${painted(cells[i] ?? '', column, row, context)}\n`)
      return `${place === 0 ? '' : '\n'}${lines.join('')}`
    }
    return {heading: '', hidden: [], draw}
  }
  const most = context.columns ?? widestFilled
  // Later, longer cells are cut on a terminal and stick out off it.
  const sample = rows.slice(0, sampleSize).map((row) => cellsOf(row, columns, context))
  const natural = columns.map((column, i): Natural => {
    const titleWidth = header ? displayWidth(title(column)) : 0
    const width = sample.reduce((widest, cells) => Math.max(widest, displayWidth(cells[i] ?? '')), titleWidth)
    return {width: Math.min(most, width), fit: column.id || column.right ? 'whole' : column.fit, isKept: isKept(column)}
  })
  const fitted = context.columns === undefined ? fitLines(natural) : fitColumns(natural, context.columns)
  if (fitted === undefined) {
    return {
      heading: '',
      hidden: [],
      draw: (row, cells, place) => `${place === 0 ? '' : '\n'}${drawBlock(row, columns, cells, context)}`,
    }
  }
  const shown = fitted.flatMap(({index, width}, place): Shown<Row>[] => {
    const column = columns[index]
    return column ? [{column, index, width, isLast: place === fitted.length - 1}] : []
  })
  const heading = tableLine(columns.map(title), shown, context)
  return {
    heading: header ? `${context.style.bold(heading.trimEnd())}\n` : '',
    hidden: columns.filter((_, i) => !fitted.some(({index}) => index === i)).map(title),
    draw: (row, cells) => tableLine(cells, shown, context, row),
  }
}

/** Columns about a failure, and the file of a row, are never hidden. */
const essential = new Set(['file', 'outcome', 'error', 'code', 'reason', 'why'])

function isKept<Row>({id, kept, name}: Column<Row>): boolean {
  return id === true || (kept ?? essential.has(name))
}

function title<Row>({label, name}: Column<Row>): string {
  return (label ?? name).toUpperCase()
}

function noteHidden(hidden: readonly string[], {note}: ViewContext): void {
  if (hidden.length > 0) note?.(`hidden columns: ${hidden.join(', ').toLowerCase()}`)
}

interface Shown<Row> extends Fitted {
  readonly column: Column<Row>
  readonly isLast: boolean
}

/** One row, or the heading without `row`: a line, and more if prose wraps. */
function tableLine<Row>(cells: Cells, shown: readonly Shown<Row>[], context: ViewContext, row?: Row): string {
  const lines = shown.map(({column, index, width}) => cellLines(cells[index] ?? '', column, width, context))
  const height = lines.reduce((most, {length}) => Math.max(most, length), 1)
  let text = ''
  for (let at = 0; at < height; at++) text += `${joined(lines, at, shown, context, row)}\n`
  return text
}

function joined<Row>(
  lines: readonly (readonly string[])[],
  at: number,
  shown: readonly Shown<Row>[],
  context: ViewContext,
  row: Row | undefined,
): string {
  const cells = shown.map(({column, width, isLast}, place) => {
    const text = lines[place]?.[at] ?? ''
    const cell = isLast && !column.right ? text : pad(text, width, column.right)
    return row !== undefined && text !== '' ? painted(cell, column, row, context) : cell
  })
  return cells.join(gap).trimEnd()
}

function painted<Row>(text: string, {paint}: Column<Row>, row: Row, {style}: ViewContext): string {
  return paint ? paint(text, row, style) : text
}

/** The text of a cell as lines: whole off a terminal, and in a column that is never cut. */
function cellLines<Row>(
  text: string,
  {id, fit}: Column<Row>,
  width: number,
  {columns}: ViewContext,
): readonly string[] {
  if (id || fit === 'whole' || fit === 'digest') return [text]
  const isLonger = displayWidth(text) > width
  if (columns === undefined) return isLonger && wraps(fit) ? wrap(text, width) : [text]
  if (isLonger && fit === 'prose') return wrap(cut(text, width * mostLines), width, {breaksAll: true})
  return [fit === 'path' ? cutMiddle(text, width) : cut(text, width)]
}

/** A list that is never shown alone, so that its rows need no ids. */
export type SectionList<Row> = Pick<ListView<Row>, 'columns' | 'empty'>

export function section<Row>(heading: string | undefined, rows: readonly Row[], view: SectionList<Row>): Section {
  const draw = (context: ViewContext) => {
    const columns = view.columns.filter((column) => !column.extra && isKnown(column, rows, context))
    return rows.length === 0 ? `${view.empty}\n` : listText(rows, columns, context)
  }
  return {heading, draw}
}

export const gap = '  '

/** The minimum width of a column that is cut or wrapped: less is unreadable. */
const least = 16

/** A column before the layout; `width` is that of its widest cell. */
export interface Natural {
  readonly width: number
  readonly fit?: Fit | undefined
  readonly isKept?: boolean
  /** Its width after shrinking. */
  readonly narrowest?: number
}

export interface Fitted {
  readonly index: number
  readonly width: number
}

/** The width of a line off a terminal, and the share of a column that is never cut: ids and texts may be longer. */
const pipeWidth = 120
const mostCounted = 40
const narrowestError = 30

/** The columns of a table off a terminal: prose wraps, and optional columns are hidden from the right; the rest may be too long. */
export function fitLines(columns: readonly Natural[]): readonly Fitted[] {
  const counted = columns.map((column, index) => {
    if (wraps(column.fit)) return {...column, index, ...(column.isKept ? {narrowest: narrowestError} : {})}
    return {...column, index, width: Math.min(column.width, mostCounted), fit: 'whole' as const}
  })
  const kept = counted.filter(({isKept}) => isKept)
  const fitted = fitColumns(counted, pipeWidth) ?? (kept.length > 0 ? kept : counted)
  return fitted.map(({index, width}) => {
    const {fit, width: natural = width} = columns[index] ?? {}
    return {index, width: wraps(fit) ? width : natural}
  })
}

/** Off a terminal. */
function wraps(fit: Fit | undefined): boolean {
  return fit === 'prose' || fit === 'words'
}

/**
 * Fits columns into a terminal. Names, paths and prose shrink first, down to `least`, then every other column that may be
 * cut; if that is not enough digests are hidden, then the last column that is not kept, until the rest fits; columns that still
 * fit after that are shown again, except digests. Undefined if the kept columns do not fit, or only one would remain: a table
 * cannot show them.
 */
export function fitColumns(columns: readonly Natural[], total: number): readonly Fitted[] | undefined {
  const all = columns.map((column, index) => ({...column, index}))
  if (columns.length === 1) return all
  let shown = all
  let fitted = shrink(shown, total)
  const left: (Natural & Fitted)[] = []
  while (!fitted) {
    const optional = shown.filter(({isKept}) => !isKept)
    const out = optional.findLast(({fit}) => fit === 'digest') ?? optional.at(-1)
    if (out === undefined || shown.length === 2) return undefined
    if (out.fit !== 'digest') left.unshift(out)
    shown = shown.filter((column) => column !== out)
    fitted = shrink(shown, total)
  }
  for (const column of left) {
    const more = all.filter((item) => item === column || shown.includes(item))
    const wider = shrink(more, total)
    if (wider) [shown, fitted] = [more, wider]
  }
  return fitted
}

const shrinkOrder = {name: 1, path: 1, prose: 1, words: 1, whole: 0, digest: 0} as const

/** Shrinks the widest of the columns that shrink first until all fit; undefined if they cannot. */
function shrink(columns: readonly (Natural & Fitted)[], total: number): readonly Fitted[] | undefined {
  const shrunk = columns.map(({index, width, fit, narrowest = least}) => {
    return {index, width, narrowest, order: fit === undefined ? 2 : shrinkOrder[fit]}
  })
  let excess = shrunk.reduce((sum, {width}) => sum + width, gap.length * (columns.length - 1)) - total
  while (excess > 0) {
    const cuttable = shrunk.filter(({width, narrowest, order}) => order > 0 && width > narrowest)
    const [first, ...others] = cuttable.some(({order}) => order === 1)
      ? cuttable.filter(({order}) => order === 1)
      : cuttable
    if (first === undefined) return undefined
    const widest = others.reduce((best, column) => (column.width > best.width ? column : best), first)
    widest.width -= 1
    excess -= 1
  }
  return shrunk
}
