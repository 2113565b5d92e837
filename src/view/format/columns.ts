import {isUnreadable} from '../../api/contract/unreadable.js'
import {wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {capped, type Style, safeText} from '../../text/text.js'
import {toTheMinute, withTimes} from '../../text/time.js'

export interface ListView<Row> {
  readonly columns: readonly Column<Row>[]
  readonly id: (row: Row) => string
  readonly empty: string
}

export interface CardView<T> {
  readonly title: (value: T) => string
  /** The column that the title already shows: left out of the card, not of CSV. */
  readonly titleColumn?: string
  readonly columns: readonly Column<T>[]
  readonly id: (value: T) => string
  readonly sections?: (value: T) => Section[]
  readonly notes?: (value: T, context: ViewContext) => string[]
  /** Its lines for people, in place of all that. */
  readonly lines?: (value: T, context: ViewContext) => string[]
}

export interface Section {
  readonly heading: string | undefined
  readonly draw: (context: ViewContext) => string
}

/**
 * How a column shrinks on a narrow terminal: a `name` is cut at its end, a `path` in its middle, `prose` wraps, and `words` are cut on
 * a terminal and wrap off it; these shrink first. `whole` (a time, a uuid) and `digest` are hidden rather than cut; a table shows the first 12 characters of a digest.
 */
export type Fit = 'name' | 'path' | 'prose' | 'words' | 'whole' | 'digest'

export type Column<Row> = ColumnOptions<Row> &
  (
    | {readonly name: string; readonly value: (row: Row, context: ViewContext) => unknown}
    | {readonly name: keyof Row & string; readonly value?: undefined}
  )

interface ColumnOptions<Row> {
  /** The name on the wire, for `--columns`, `--sort` and the heading in CSV. */
  readonly name: string
  /** A shorter heading for people, also accepted by `--columns` and `--sort`. */
  readonly label?: string
  /** The exact value, for CSV and sorting; without it, the member of that name. */
  readonly value?: ((row: Row, context: ViewContext) => unknown) | undefined
  /** The value for people, without colour. It need not be safe text. */
  readonly show?: (row: Row, context: ViewContext) => string
  /** A time, shown in the reader's zone; short in the table of a terminal, or to the minute if a zone is requested. */
  readonly time?: 'second' | 'minute'
  /** Colours the text after it was cut to its width. */
  readonly paint?: (text: string, row: Row, style: Style) => string
  /** Never cut or hidden. */
  readonly id?: true
  readonly right?: true
  /** Shown only on request. */
  readonly extra?: true
  /** The formats that show it by default. */
  readonly only?: 'table' | 'csv'
  /** Shown in a table by default if a row has a value. */
  readonly ifKnown?: true
  /** Whether it is never hidden in a table, unless its name decides. */
  readonly kept?: boolean
  readonly fit?: Fit
}

/** A column of a few words with a colour each. */
export function colouredColumn<const Name extends string, Word extends string>(
  name: Name,
  colours: Readonly<Record<Word, keyof Style>>,
): Column<Readonly<Record<Name, Word>>> {
  return {name, paint: (text, row, style) => style[colours[row[name]]](text)}
}

/** The view for other rows, each drawn as the row that `rowOf` returns. */
export function viewBy<Other, Row>({columns, id, empty}: ListView<Row>, rowOf: (other: Other) => Row): ListView<Other> {
  return {
    id: (other) => id(rowOf(other)),
    empty,
    columns: columns.map(({show, paint, ...column}) => ({
      ...column,
      value: (other, context) => columnValue(column, rowOf(other), context),
      ...(show ? {show: (other: Other, context: ViewContext) => show(rowOf(other), context)} : {}),
      ...(paint ? {paint: (text: string, other: Other, style: Style) => paint(text, rowOf(other), style)} : {}),
    })),
  }
}

export interface ViewContext {
  readonly style: Style
  /** The width of the terminal; undefined off a terminal and for a screen reader: nothing is cut. */
  readonly columns: number | undefined
  /** For a screen reader: no symbols in place of words. */
  readonly plain: boolean
  /** Formats a time of the service for the reader (see time.ts); other values become safe text. */
  readonly time: (value: unknown) => string
  /** As short as today allows, for the table of a terminal without a requested zone. */
  readonly shortTime?: ((value: unknown) => string) | undefined
  /** Exact and with an offset, for CSV; absent without a requested zone, and the service's own text is kept. */
  readonly exactTime?: ((value: unknown) => string) | undefined
  readonly now: Date
  /** Off a terminal ids are as they are, for `-` to read; called for one that fits no line. Without it they are safe text. */
  readonly unlisted?: ((id: string) => void) | undefined
  /** Takes a message about the output (an empty list, hidden columns), which goes to stderr. */
  readonly note?: (text: string) => void
}

export function columnValue<Row>({name, value}: Column<Row>, row: Row, context: ViewContext): unknown {
  if (isUnreadable(row, name)) return unreadableCell
  return value ? value(row, context) : row[name]
}

/** Of a member that has another type than the document shows. */
export const unreadableCell = 'unreadable'

export const emptyCell = '-'

/** The cell of a column for people: one line of safe text without colour, capped, `-` if empty. */
export function cellText<Row>(column: Column<Row>, row: Row, context: ViewContext): string {
  const isShown = column.show !== undefined && !isUnreadable(row, column.name)
  const value = isShown ? column.show(row, context) : forPeople(column, row, context)
  return capped(safeText(typeof value === 'string' ? capped(value) : value)) || emptyCell
}

function forPeople<Row>(column: Column<Row>, row: Row, context: ViewContext): unknown {
  const value = columnValue(column, row, context)
  if (column.time) return column.time === 'minute' ? toTheMinute(context.time(value)) : context.time(value)
  if (column.fit === 'prose' && typeof value === 'string') return withTimes(value, context.time)
  if (value === true) return 'yes'
  return value === false ? 'no' : value
}

/** Small enough that the first page appears at once, large enough that a long list takes few writes. */
const pageSize = 500

export function* pages<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += pageSize) yield rows.slice(start, start + pageSize)
}

/**
 * The columns to show: those asked for, in that order, or all that a table (CSV and TSV: `kind`) shows by default. Throws
 * Failure for an unknown name.
 */
export function chosenColumns<Row>(
  columns: readonly Column<Row>[],
  asked: readonly string[] | undefined,
  kind: 'table' | 'csv' = 'table',
): readonly Column<Row>[] {
  if (asked === undefined || asked.length === 0) {
    return columns.filter(({extra, only = kind}) => !extra && only === kind)
  }
  return asked.map((name) => columnNamed(columns, name))
}

/** The columns that flags name, to show or to sort by. Throws Failure for an unknown name. */
export function askedColumns<Row>(
  columns: readonly Column<Row>[],
  {columns: shown = [], sort}: {readonly columns?: readonly string[] | undefined; readonly sort?: string | undefined},
): readonly Column<Row>[] {
  const sorted = sort === undefined ? [] : sortKeys(columns, sort).map(({column}) => column)
  return [...shown.map((name) => columnNamed(columns, name)), ...sorted]
}

/** The column of that name or label, case-insensitive. Throws Failure that lists all, the nearest first. */
export function columnNamed<Row>(columns: readonly Column<Row>[], name: string): Column<Row> {
  const wanted = name.trim().toLowerCase()
  const chosen =
    columns.find((column) => column.name.toLowerCase() === wanted) ??
    columns.find((column) => column.label?.toLowerCase() === wanted)
  if (chosen) return chosen
  const names = columns.map((column) => column.name)
  const guess = nearest(wanted, names)
  throw wrongUsage(`unknown column ${safeText(name.trim()) || "''"}`, {
    try: `${guess === undefined ? '' : `use ${guess}; `}columns: ${names.join(', ')}`,
  })
}

export interface SortKey<Row> {
  readonly column: Column<Row>
  readonly descending: boolean
}

/** Reads `-age,name`: the columns to sort by, `-` for descending. Throws Failure for an unknown name. */
export function sortKeys<Row>(columns: readonly Column<Row>[], order: string): readonly SortKey<Row>[] {
  return order.split(',').map((part) => {
    const name = part.trim()
    const descending = name.startsWith('-')
    return {column: columnNamed(columns, descending ? name.slice(1) : name), descending}
  })
}

/** Whether a column is one of a list of these rows, as far as it must be known. */
export function isKnown<Row>(column: Column<Row>, rows: readonly Row[], context: ViewContext): boolean {
  return !column.ifKnown || rows.some((row) => !isMissing(columnValue(column, row, context)))
}

export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number.isNaN(value)
}
