import {wrongUsage} from '../../failure.js'
import {hasCiCommand} from '../../text/ciCommands.js'
import {hidesSomething, revealInYaml, safeText, whenUsed} from '../../text/text.js'
import {drawCard} from './card.js'
import {
  askedColumns,
  type CardView,
  type Column,
  chosenColumns,
  columnValue,
  isKnown,
  type ListView,
  pages,
  sortKeys,
  type ViewContext,
} from './columns.js'
import {jsonLine, jsonList, jsonText} from './json.js'
import {applyQuery, checkQuery, sortRows} from './query.js'
import {drawTable} from './table.js'

export type Format = 'table' | 'json' | 'ndjson' | 'yaml' | 'csv' | 'tsv' | 'ids'

export interface OutputOptions {
  readonly format: Format
  /** Names or labels of columns, for table, csv and tsv. */
  readonly columns?: readonly string[] | undefined
  /** `-age,name`, for lists. */
  readonly sort?: string | undefined
  readonly header: boolean
  /** Whether csv begins with a byte order mark. */
  readonly bom?: boolean
  readonly query?: string | undefined
  readonly pager?: boolean
  /** Print the strings that the query finds without JSON: exactly, or made safe for a terminal. */
  readonly raw?: 'exact' | 'safe' | undefined
}

type Pieces = AsyncIterable<string>

/** Throws Failure before anything is sent: unknown columns, options that the format does not take, an invalid query. */
export async function checkOutput<Row>(columns: readonly Column<Row>[], options: OutputOptions): Promise<void> {
  const {format, query, sort} = options
  if (query !== undefined && format !== 'json' && format !== 'yaml') {
    throw wrongUsage(`--query cannot be used with -o ${format}`, {try: 'add -o json or -o yaml'})
  }
  if (options.raw && format !== 'json') throw wrongUsage(`--raw cannot be used with -o ${format}`, {try: 'omit -o'})
  if (options.columns !== undefined && format !== 'table' && format !== 'csv' && format !== 'tsv') {
    throw wrongUsage(`--columns cannot be used with -o ${format}`, {
      try:
        format === 'json' || format === 'yaml'
          ? "choose fields with --query, for example --query '[].{id: room_id, name: name}'"
          : 'add -o table, -o csv or -o tsv',
    })
  }
  if (options.columns !== undefined || sort !== undefined) askedColumns(columns, options)
  if (query !== undefined) await checkQuery(query)
}

/**
 * A list in the requested format, in pieces for stdout. JSON and YAML hold the rows unchanged; csv and tsv have a heading even
 * without rows; a table without rows is empty, and `context.note` gets the view's message. Throws Failure before the first
 * piece.
 */
export async function* drawList<Row>(
  listed: readonly Row[],
  view: ListView<Row>,
  options: OutputOptions,
  context: ViewContext,
): AsyncGenerator<string> {
  await checkOutput(view.columns, options)
  const {format, sort, query, header} = options
  const rows = sort === undefined ? listed : sortRows(listed, sortKeys(view.columns, sort), context)
  if (format === 'table' && rows.length === 0) context.note?.(view.empty)
  if (query !== undefined) yield* drawFound(await applyQuery(rows, query), options)
  else if (format === 'table') yield* drawTable(rows, tableColumns(rows, view, options, context), header, context)
  else if (format === 'csv' || format === 'tsv') yield* drawCells(rows, view.columns, options, context)
  else if (format === 'ids') yield* drawLines(rows, (row) => idLine(view.id(row), context))
  else yield* drawItems(rows, format)
}

function tableColumns<Row>(
  rows: readonly Row[],
  {columns}: ListView<Row>,
  {columns: asked, sort}: OutputOptions,
  context: ViewContext,
): readonly Column<Row>[] {
  const named = new Set(askedColumns(columns, {columns: asked, sort}))
  return chosenColumns(columns, asked)
    .filter((column) => named.has(column) || isKnown(column, rows, context))
    .map((column) => (named.has(column) ? {...column, kept: true} : column))
}

/** One object in the requested format. */
export async function* drawOne<T>(
  value: T,
  view: CardView<T>,
  options: OutputOptions,
  context: ViewContext,
): AsyncGenerator<string> {
  await checkOutput(view.columns, options)
  const {format, query} = options
  const columns = chosenColumns(view.columns, options.columns)
  if (query !== undefined) yield* drawFound(await applyQuery(value, query), options)
  else if (format === 'table') yield await drawCard(value, view, columns, options.columns === undefined, context)
  else if (format === 'csv' || format === 'tsv') yield* drawCells([value], view.columns, options, context)
  else if (format === 'ids') yield idLine(view.id(value), context)
  else if (format === 'ndjson') yield jsonLine(value)
  else yield* drawPlain(value, format)
}

/** The result of a query; with `raw` each string on its own line, and other values as one line of JSON. */
async function* drawFound(value: unknown, {format, raw}: OutputOptions): AsyncGenerator<string> {
  if (!raw) return yield* drawPlain(value, format)
  const shown = (text: string) => `${raw === 'safe' ? safeText(text) : text}\n`
  const rows: readonly unknown[] = Array.isArray(value) ? value : [value]
  yield* drawLines(rows, (row) => (typeof row === 'string' ? shown(row) : jsonLine(row)))
}

async function* drawPlain(value: unknown, format: Format): AsyncGenerator<string> {
  if (Array.isArray(value)) yield* drawItems(value, format)
  else yield format === 'yaml' ? (await yamlWriter())(value) : jsonText(value)
}

function drawItems(rows: readonly unknown[], format: Format): Pieces {
  if (format === 'yaml') return yamlList(rows)
  return format === 'ndjson' ? drawLines(rows, jsonLine) : jsonList(rows)
}

/** Without this mark Excel on Windows reads CSV in the code page of the system. */
const byteOrderMark = '\ufeff'

async function* drawCells<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: OutputOptions,
  context: ViewContext,
): AsyncGenerator<string> {
  const separator = options.format === 'csv' ? ',' : '\t'
  if (options.bom) yield byteOrderMark
  yield* drawCsv(rows, chosenColumns(columns, options.columns, 'csv'), {separator, header: options.header}, context)
}

async function* drawLines<Row>(rows: readonly Row[], draw: (row: Row) => string): AsyncGenerator<string> {
  for (const page of pages(rows)) yield page.map(draw).join('')
}

/** Control characters could move the cursor, and a line break or a byte order mark would be lost: JSON has such an id whole. */
const unlistable = whenUsed(() => /[^\P{Cc}\t]|\p{Cs}|^\u{feff}/u)

/** The line of an id for `-q`, which `-` of another command reads; empty for an id that fits no line. */
export function idLine(id: string, {unlisted}: Pick<ViewContext, 'unlisted'>): string {
  if (!unlisted) return `${safeText(id)}\n`
  if (!unlistable().test(id)) return `${id}\n`
  unlisted(id)
  return ''
}

export type WriteYaml = (value: unknown) => string

/** A block scalar would lose the spaces of this text. */
const blank = /^[ \n]+$/
/** The value key of YAML 1.1, and what Ruby reads as a number or a symbol. */
const isTyped = /^(?:=|:.*|[-+.,:_\d]+)$/u

/**
 * Loads the writer of YAML 1.2. Strings with hidden or control characters are double-quoted and escaped, and so are strings
 * that YAML 1.1 reads as another type (`no`, a date). No folding and no anchors, for line-based tools.
 */
export async function yamlWriter(): Promise<WriteYaml> {
  const {Document, visit} = await import('yaml')
  return (value) => {
    const document = new Document(value ?? null, {version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false})
    visit(document, {
      Scalar: (key, node) => {
        const {value: text} = node
        if (typeof text !== 'string') return
        // A block that is the whole document has no indentation, which readers of YAML 1.1 refuse.
        const isBlock = key === null && text.includes('\n')
        if (isBlock || hidesSomething(text) || blank.test(text) || isTyped.test(text) || hasCiCommand(text))
          node.type = 'QUOTE_DOUBLE'
      },
    })
    return revealInYaml(document.toString({lineWidth: 0, doubleQuotedAsJSON: true}))
  }
}

export async function* yamlList(rows: readonly unknown[]): AsyncGenerator<string> {
  const write = await yamlWriter()
  if (rows.length === 0) yield '[]\n'
  for (const page of pages(rows)) yield page.map((row) => plainItem(row) ?? write([row])).join('')
}

/** A name or one-line text that every reader of YAML takes as a string, except `ambiguous` words. */
const plainText = whenUsed(() => /^\p{L}[\p{L}\p{N}_.,/()@+ -]*$/u)
/** An id such as a UUID: one of its letters occurs in no number of YAML 1.1, which allows those of 0x1F, 0b1 and 1e3. */
const plainId = /^\d(?![xbo])[\w-]*[a-df-z][\w-]*$/iu
const ambiguous = /^(?:y|n|yes|no|on|off|true|false|null|e[\d+-].*)$/iu
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u

/** A flat object as the item of a list, in the words of the library, which takes ten times as long; undefined for any other value. */
function plainItem(row: unknown): string | undefined {
  if (
    typeof row !== 'object' ||
    row === null ||
    Array.isArray(row) ||
    Object.getPrototypeOf(row) !== Object.prototype
  ) {
    return undefined
  }
  let lines = ''
  for (const name in row) {
    const value = plainValue(Reflect.get(row, name))
    if (value === undefined || !/^[a-z][a-z_]+$/iu.test(name) || ambiguous.test(name)) return undefined
    lines += `${lines === '' ? '-' : ' '} ${name}: ${value}\n`
  }
  return lines === '' ? undefined : lines
}

function plainValue(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || (Number.isSafeInteger(value) && !Object.is(value, -0)))
    return String(value)
  if (typeof value !== 'string') return undefined
  if (time.test(value)) return `"${value}"`
  if (plainId.test(value)) return value
  return plainText().test(value) && !value.endsWith(' ') && !ambiguous.test(value) && !hidesSomething(value)
    ? value
    : undefined
}

/** The first characters of a formula, also full-width. */
const sign = '[-=+@\uff0d\uff1d\uff0b\uff20]'

/**
 * Where a spreadsheet starts to evaluate a cell: at a formula, also after spaces or a quotation mark, which some strip; after
 * a semicolon, which separates cells where the comma is the decimal separator (but not at `;-)`); and at the magic word of a
 * SYLK file.
 */
const formula = `^(?=[\\p{Z}"]*${sign}|ID;)|(?<=;)(?=[\\p{Z}"]*${sign})(?!-\\))`
const runs = {
  ',': whenUsed(() => new RegExp(formula, 'gu')),
  // Tab-separated cells are not quoted, but a reader would take a leading quotation mark for the start of a quoted cell.
  '\t': whenUsed(() => new RegExp(`${formula}|^(?=\\p{Z}*")`, 'gu')),
}

/**
 * A list as CSV (RFC 4180, but with LF) or as tab-separated values without quotes. Cells are exact: `true` and `false`, empty
 * for null, JSON for objects, texts made safe. What a spreadsheet would evaluate gets a `'` in front, and so does a leading
 * quotation mark in tab-separated values.
 */
export async function* drawCsv<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: {readonly separator: ',' | '\t'; readonly header: boolean},
  context: ViewContext,
): AsyncGenerator<string> {
  const {stringify} = await import('csv-stringify/sync')
  const write = (cells: (string | number)[][]) =>
    stringify(cells, {
      delimiter: options.separator,
      quote: options.separator === ',' ? '"' : '',
      record_delimiter: '\n',
    })
  const {exactTime = (value: unknown) => value} = context
  const cell = (column: Column<Row>, row: Row) => {
    const value = columnValue(column, row, context)
    return csvCell(column.time ? exactTime(value) : value, runs[options.separator]())
  }
  if (options.header) yield write([columns.map(({name}) => name)])
  for (const page of pages(rows)) {
    yield write(page.map((row) => columns.map((column) => cell(column, row))))
  }
}

/** Numbers stay numbers: -5 is not a formula, but a spreadsheet reads -Infinity as one. */
function csvCell(value: unknown, run: RegExp): string | number {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : safeText(value).replace(run, "'")
}
