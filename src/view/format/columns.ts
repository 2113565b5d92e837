import type {Style} from '../../text/style.js'
import {capped, safeText} from '../../text/text.js'
import {toTheMinute} from '../../text/time.js'

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

/**
 * How a column gives way where a terminal is too narrow: a `name` is cut at its end, a `path` in its middle, `prose` wraps, these
 * three first. `whole` (a time, a uuid) is left out rather than cut; so is `digest`, of which a table on a terminal shows the
 * first 12 characters.
 */
export type Fit = 'name' | 'path' | 'prose' | 'whole' | 'digest'

/** One column of a list, or one field of a card. */
export interface Column<Row> {
  /** The name on the wire: what `--columns` and `--sort` take, and the heading in CSV. */
  readonly name: string
  /** A shorter heading for people, taken by `--columns` and `--sort` as well. */
  readonly label?: string
  /** The exact value: what CSV holds and what sorting compares. */
  readonly value: (row: Row, context: ViewContext) => unknown
  /** The value for people, without colour; whatever it gives is made safe before it is shown. */
  readonly show?: (row: Row, context: ViewContext) => string
  /** A time: shown as the reader wants it; in the table of a terminal short, or to the minute where a zone is asked for. */
  readonly time?: 'second' | 'minute'
  /** Colours the text that is shown, after it was cut to its width. */
  readonly paint?: (text: string, row: Row, style: Style) => string
  /** An id, which is never cut and never left out. */
  readonly id?: true
  /** Numbers stand on the right. */
  readonly right?: true
  /** Shown only when it is asked for. */
  readonly extra?: true
  /** Shown by default in tables alone, or in CSV and TSV alone. */
  readonly only?: 'table' | 'csv'
  /** By default in a table where a row has a value: what a list may know and need not. */
  readonly ifKnown?: true
  /** Never left out of a table: what tells its rows apart beside the id, or what a flag asked for. */
  readonly kept?: true
  readonly fit?: Fit
}

/** A column of a few words, each of which has its colour. */
export function colouredColumn<const Name extends string, Word extends string>(
  name: Name,
  colours: Readonly<Record<Word, keyof Style>>,
): Column<Readonly<Record<Name, Word>>> {
  return {name, value: (row) => row[name], paint: (text, row, style) => style[colours[row[name]]](text)}
}

/** The view of other rows, each of which is drawn as the row of the view that it stands for. */
export function viewBy<Other, Row>({columns, id, empty}: ListView<Row>, rowOf: (other: Other) => Row): ListView<Other> {
  return {
    id: (other) => id(rowOf(other)),
    empty,
    columns: columns.map(({value, show, paint, ...column}) => ({
      ...column,
      value: (other, context) => value(rowOf(other), context),
      ...(show ? {show: (other: Other, context: ViewContext) => show(rowOf(other), context)} : {}),
      ...(paint ? {paint: (text: string, other: Other, style: Style) => paint(text, rowOf(other), style)} : {}),
    })),
  }
}

/** What a view must know of the place it is drawn for. */
export interface ViewContext {
  readonly style: Style
  /** The width of the terminal; undefined off a terminal and for a screen reader, where nothing is cut. */
  readonly columns: number | undefined
  /** A screen reader reads: no sign stands for a word. */
  readonly plain: boolean
  /** Shows a time of the service as the reader wants it (see time.ts); other values come out as safe text. */
  readonly time: (value: unknown) => string
  /** The same in the table of a terminal, where nobody asked for a zone: as short as today allows. */
  readonly shortTime?: ((value: unknown) => string) | undefined
  /** The same for CSV, exact and with its offset; absent where nobody asked for a zone, and the service's own text stays. */
  readonly exactTime?: ((value: unknown) => string) | undefined
  readonly now: Date
  /** Takes a sentence about the drawing (an empty list, columns left out) that must not stand in the result; it goes to stderr. */
  readonly note?: (text: string) => void
}

/** What stands where nothing is to be shown. */
const nothing = '-'

/** What people see of a column in one row: one line of safe text without colour, capped, `-` for nothing. */
export function cellText<Row>(column: Column<Row>, row: Row, context: ViewContext): string {
  const value = column.show ? column.show(row, context) : forPeople(column, row, context)
  return capped(safeText(typeof value === 'string' ? capped(value) : value)) || nothing
}

function forPeople<Row>(column: Column<Row>, row: Row, context: ViewContext): unknown {
  const value = column.value(row, context)
  if (column.time) return column.time === 'minute' ? toTheMinute(context.time(value)) : context.time(value)
  if (value === true) return 'yes'
  return value === false ? 'no' : value
}

/** Few enough rows that the first piece appears at once, enough that a long list is written in few pieces. */
const pageSize = 500

/** A list that is too long to be held: how it begins, and all of its rows, which can be read once. */
export interface StreamedRows<Row> {
  readonly sample: readonly Row[]
  readonly parts: AsyncIterable<readonly Row[]>
}

/** What a list is drawn of. */
export type Rows<Row> = readonly Row[] | StreamedRows<Row>

/** Rows that are looked at to find the columns of a table and their widths. */
export const sampleSize = 1000

/** The rows that come in parts: as an array where they are few, so that what is wrong with them is raised here. */
export async function rowsInParts<Row>(parts: AsyncIterable<readonly Row[]>): Promise<Rows<Row>> {
  const iterator = parts[Symbol.asyncIterator]()
  const begun: (readonly Row[])[] = []
  // Beyond the sample one more part is asked for: mostly the first is all.
  for (let seen = 0; seen <= sampleSize || begun.length < 2; ) {
    const {value, done} = await iterator.next()
    if (done) return begun.length === 1 ? (begun[0] ?? []) : begun.flat()
    begun.push(value)
    seen += value.length
  }
  async function* all(): AsyncGenerator<readonly Row[]> {
    yield* begun.splice(0)
    yield* {[Symbol.asyncIterator]: () => iterator}
  }
  return {sample: begun.flat().slice(0, sampleSize), parts: all()}
}

/** All rows at once. */
export async function heldRows<Row>(rows: Rows<Row>): Promise<readonly Row[]> {
  if (!('parts' in rows)) return rows
  const held: Row[] = []
  for await (const page of pages(rows)) held.push(...page)
  return held
}

/** The rows of a list, some hundreds at a time. */
export async function* pages<Row>(rows: Rows<Row>): AsyncGenerator<readonly Row[]> {
  for await (const part of 'parts' in rows ? rows.parts : [rows]) {
    for (let start = 0; start < part.length; start += pageSize) yield part.slice(start, start + pageSize)
  }
}
