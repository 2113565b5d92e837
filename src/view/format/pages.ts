/** Few enough rows that the first piece appears at once, enough that a long list is written in few pieces. */
const pageSize = 500

/** The rows of a long list, some hundreds at a time. */
export function* pages<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += pageSize) yield rows.slice(start, start + pageSize)
}
