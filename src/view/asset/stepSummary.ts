import {fileSize, safeText, shortly} from '../../text/text.js'
import {causeWords, outcomeWords, reasonWords} from '../format/outcome.js'
import type {UploadRow} from './transfers.js'

type StepSummary = Readonly<Record<'title' | 'counts', string>> & {readonly rows: readonly UploadRow[]}

const mostRows = 200
const cutLine = '\nThe rest does not fit into the summary of the step.\n'

/**
 * A run in Markdown, of at most `room` bytes of UTF-8: counts, failures, and the first 200 files. Empty if there is not even room
 * to say that it was cut.
 */
export function drawStepSummary(summary: StepSummary, room: number): string {
  const kept: string[] = []
  let left = room
  for (const line of summaryLines(summary)) {
    kept.push(line)
    left -= Buffer.byteLength(line)
    if (left >= 0) continue
    // Stop here: drawing many thousands of failures would take seconds.
    for (left -= Buffer.byteLength(cutLine); left < 0 && kept.length > 0; ) left += Buffer.byteLength(kept.pop() ?? '')
    return left < 0 ? '' : kept.join('') + cutLine
  }
  return kept.join('')
}

function* summaryLines({title, counts, rows}: StepSummary): Generator<string> {
  const failed = rows.filter(({error}) => error !== undefined)
  const listed = rows.filter((row) => outcomeWords(row) !== 'unchanged')
  const more = listed.length - mostRows
  yield `\n### ${markdownText(title)}\n`
  yield `\n${markdownText(counts)}\n`
  if (failed.length > 0) yield '\n| Failed | Error |\n| --- | --- |\n'
  for (const row of failed) yield tableRow([row.file, shortly(causeWords(row, row.file))])
  if (listed.length > 0) yield '\n| File | Outcome | Size | SHA256 |\n| --- | --- | ---: | --- |\n'
  for (const row of listed.slice(0, mostRows)) yield fileRow(row)
  if (more > 0) yield `\n${more} more ${more === 1 ? 'file' : 'files'} not shown.\n`
}

function fileRow(row: UploadRow): string {
  const {file, bytes, sha256} = row
  const outcome = [outcomeWords(row), reasonWords(row.reason)].filter((words) => words !== '').join(': ')
  return tableRow([file, outcome, bytes === null ? '' : fileSize(bytes), sha256?.slice(0, 12) ?? ''])
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(markdownText).join(' | ')} |\n`
}

/**
 * Any text as Markdown that shows it: all that could be markup, a link or HTML is written as a character reference (CommonMark 0.31,
 * Entity references), which is never markup.
 */
function markdownText(text: string): string {
  return safeText(text)
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic} ./,+=-]/gu, (character) => `&#${character.codePointAt(0)};`)
    .replaceAll(/(www)\./giu, '$1&#46;')
}
