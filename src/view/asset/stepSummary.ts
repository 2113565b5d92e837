import {fileSize} from '../../text/bytes.js'
import {safeText, shortly} from '../../text/text.js'
import type {UploadRow} from './transfers.js'

/** A run as the summary of a CI step shows it. */
export interface StepSummary {
  readonly title: string
  /** A sentence that counts the files, without a full stop. */
  readonly counts: string
  readonly rows: readonly UploadRow[]
}

const mostRows = 200
const cutLine = '\nThe rest does not fit into the summary of the step.\n'

/**
 * A run in Markdown, of at most `room` bytes of UTF-8: counts, failures, and the first 200 files. Empty where there is not even room
 * to say that it was cut.
 */
export function drawStepSummary({title, counts, rows}: StepSummary, room: number): string {
  const failed = rows.filter(({error}) => error !== undefined)
  const more = rows.length - mostRows
  return fitLines(
    [
      `\n### ${markdownText(title)}\n`,
      `\n${markdownText(counts)}\n`,
      ...(failed.length === 0 ? [] : ['\n| Failed | Error |\n| --- | --- |\n']),
      ...failed.map(({file, error}) => tableRow([file, shortly(error?.message ?? '')])),
      ...(rows.length === 0 ? [] : ['\n| File | Outcome | Size | SHA256 |\n| --- | --- | ---: | --- |\n']),
      ...rows.slice(0, mostRows).map(fileRow),
      ...(more > 0 ? [`\n${more} more ${more === 1 ? 'file' : 'files'} not shown.\n`] : []),
    ],
    room,
  )
}

function fitLines(lines: readonly string[], room: number): string {
  const whole = lines.join('')
  if (Buffer.byteLength(whole) <= room) return whole
  let left = room - Buffer.byteLength(cutLine)
  if (left < 0) return ''
  const fitting: string[] = []
  for (const line of lines) {
    left -= Buffer.byteLength(line)
    if (left < 0) break
    fitting.push(line)
  }
  return fitting.join('') + cutLine
}

function fileRow({file, outcome, reason, bytes, sha256}: UploadRow): string {
  const size = bytes === null ? '' : fileSize(bytes)
  return tableRow([file, reason === undefined ? outcome : `${outcome}: ${reason}`, size, sha256?.slice(0, 12) ?? ''])
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
