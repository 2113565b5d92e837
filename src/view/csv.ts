import type {Column} from './column.js'
import type {ViewContext} from './context.js'
import {pages} from './pages.js'
import {safeText} from './text.js'

/**
 * A list as CSV (RFC 4180, but with LF at the end of a line, as the tools of Unix expect) or as tab-separated values,
 * where nothing is quoted and no cell can hold a tab or a line break. Cells are exact: booleans `true` and `false`,
 * nothing for null, objects as JSON, texts made safe. A cell that a spreadsheet would run as a formula gets a `'` in
 * front. The heading stays when there are no rows; `header` false leaves it out.
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
      escape_formulas: true,
    })
  if (options.header) yield write([columns.map(({name}) => name)])
  for (const page of pages(rows)) {
    yield write(page.map((row) => columns.map((column) => csvCell(column.value(row, context)))))
  }
}

/** Numbers stay numbers, so that -5 is not taken for a formula. */
function csvCell(value: unknown): string | number {
  return typeof value === 'number' ? value : safeText(value)
}
