import {safeText} from '../../text/text.js'
import type {Column, Rows, ViewContext} from './columns.js'
import {pages} from './columns.js'

/** The signs with which a formula begins, in full width too. */
const sign = '[-=+@\uff0d\uff1d\uff0b\uff20]'

/**
 * Where a spreadsheet would begin to run what a cell holds: at a formula, also one behind spaces or a quotation mark, which some
 * of them take off; behind a semicolon, which separates cells where the comma is the decimal sign (but at no `;-)`); and at the
 * first word of a file of the format SYLK, which Excel knows by its beginning alone.
 */
const formula = `^(?=[\\p{Z}"]*${sign}|ID;)|(?<=;)(?=[\\p{Z}"]*${sign})(?!-\\))`
const runs = {
  ',': new RegExp(formula, 'gu'),
  // Nothing is quoted there; a cell that begins with a quotation mark would be read as if it were, to whatever ends it.
  '\t': new RegExp(`${formula}|^(?=\\p{Z}*")`, 'gu'),
}

/**
 * A list as CSV (RFC 4180, but with LF at the end of a line, as the tools of Unix expect) or as tab-separated values,
 * where nothing is quoted and no cell can hold a tab or a line break. Cells are exact: booleans `true` and `false`,
 * nothing for null, objects as JSON, texts made safe. What a spreadsheet would run gets a `'` in front, and so does the quotation
 * mark at the beginning of a tab-separated cell. The heading stays when there are no rows; `header` false leaves it out.
 */
export async function* drawCsv<Row>(
  rows: Rows<Row>,
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
  const cell = ({time, value}: Column<Row>, row: Row) => {
    const given = value(row, context)
    return csvCell(time ? exactTime(given) : given, runs[options.separator])
  }
  if (options.header) yield write([columns.map(({name}) => name)])
  for await (const page of pages(rows)) {
    yield write(page.map((row) => columns.map((column) => cell(column, row))))
  }
}

/** Numbers stay numbers: -5 is no formula, but -Infinity, which a spreadsheet does not know as a number, is one to it. */
function csvCell(value: unknown, run: RegExp): string | number {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : safeText(value).replace(run, "'")
}
