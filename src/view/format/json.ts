import {exactJson} from '../../text/json.js'
import {revealInJson} from '../../text/text.js'
import {pages} from './columns.js'

/** Indented JSON with a final line break. What JSON cannot hold becomes null. */
export function jsonText(value: unknown): string {
  return `${revealInJson(exactJson(value, 2))}\n`
}

export function jsonLine(value: unknown): string {
  return `${revealInJson(exactJson(value))}\n`
}

/** A list as a JSON array in pieces that add up to the text of `jsonText`. */
export async function* jsonList(rows: readonly unknown[]): AsyncGenerator<string> {
  let before = '['
  for (const page of pages(rows)) {
    const inside = exactJson(page, 2).slice('['.length, -'\n]'.length)
    yield before + revealInJson(inside)
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}
