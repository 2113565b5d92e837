import {exactJson} from '../../text/json.js'
import {revealInJson} from '../../text/text.js'
import {pages} from './columns.js'

/** One value as JSON, indented by two, with a line break at the end. What cannot be JSON comes out as null. */
export function jsonText(value: unknown): string {
  return `${revealInJson(exactJson(value, 2))}\n`
}

/** One value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return `${revealInJson(exactJson(value))}\n`
}

/** A list as a JSON array in pieces, the same text that `jsonText` would make of the whole: `[]` without rows. */
export function* jsonList(rows: readonly unknown[]): Generator<string> {
  let before = '['
  for (const page of pages(rows)) {
    const inside = exactJson(page, 2).slice('['.length, -'\n]'.length)
    yield before + revealInJson(inside)
    before = ','
  }
  yield rows.length === 0 ? '[]\n' : '\n]\n'
}

/** A list as one line of JSON for each row. */
export function* jsonLines(rows: readonly unknown[]): Generator<string> {
  for (const page of pages(rows)) yield page.map(jsonLine).join('')
}
