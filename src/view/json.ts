import {revealInJson} from './text.js'

const pageSize = 500

/** One value as JSON, indented by two, with a line break at the end. What cannot be JSON comes out as null. */
export function jsonText(value: unknown): string {
  return `${revealInJson(JSON.stringify(value, null, 2) ?? 'null')}\n`
}

/** One value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return `${revealInJson(JSON.stringify(value) ?? 'null')}\n`
}

/** A list as a JSON array in pieces, the same text that `jsonText` would make of the whole: `[]` without rows. */
export function* jsonList(rows: readonly unknown[]): Generator<string> {
  if (rows.length === 0) {
    yield '[]\n'
    return
  }
  for (let start = 0; start < rows.length; start += pageSize) {
    const page = JSON.stringify(rows.slice(start, start + pageSize), null, 2)
    const inside = page.slice('['.length, -'\n]'.length)
    yield (start === 0 ? '[' : ',') + revealInJson(inside)
  }
  yield '\n]\n'
}

/** A list as one line of JSON for each row. */
export function* jsonLines(rows: readonly unknown[]): Generator<string> {
  for (let start = 0; start < rows.length; start += pageSize) {
    yield rows
      .slice(start, start + pageSize)
      .map(jsonLine)
      .join('')
  }
}
