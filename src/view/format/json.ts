import {exactJson} from '../../text/json.js'
import {revealInJson} from '../../text/text.js'
import {pages, type Rows} from './columns.js'

/** One value as JSON, indented by two, with a line break at the end. What cannot be JSON comes out as null. */
export function jsonText(value: unknown): string {
  return `${revealInJson(exactJson(value, 2))}\n`
}

/** One value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return `${revealInJson(exactJson(value))}\n`
}

/** A list as a JSON array in pieces, the same text that `jsonText` would make of the whole: `[]` without rows. */
export async function* jsonList(rows: Rows<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const page of pages(rows)) {
    const inside = exactJson(page, 2).slice('['.length, -'\n]'.length)
    yield before + revealInJson(inside)
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** A list as one line of JSON for each row. */
export async function* jsonLines(rows: Rows<unknown>): AsyncGenerator<string> {
  for await (const page of pages(rows)) yield page.map(jsonLine).join('')
}
