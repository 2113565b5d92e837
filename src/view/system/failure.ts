import {type AdvisedCommand, adviceText, mapAdvice} from '../../advice.js'
import {type Failure, type FailureJson, failureJson, failureKey} from '../../failure.js'
import type {RunItem} from '../../selection/run.js'
import {getOrMake, type Style, safeText} from '../../text/text.js'
import {wrapWords} from '../../text/width.js'
import {jsonLine} from '../format/json.js'

/** Longer quotes of other people's text would push the advice off the screen. */
const longestSentence = 2000

/**
 * A failure for people (docs/output.md): what happened, why, what else the service says, and what to do, ending with a line
 * break. With `columns`, of a terminal, all but the advice wraps at blanks; a command line that wraps could not be pasted.
 *
 *     error: cannot end room r-42: it is IDLE, only a MEETING room can be ended (ER001)
 *       why: everybody has left; the service keeps the room until it is deleted or entered again
 *       service: room status is IDLE
 *       try: roomctl room delete r-42
 *
 * A cancelled question is no error, but a plain line.
 */
export function failureText(failure: Failure, style: Style, columns?: number): string {
  const {facts} = failure
  if (facts.isNotice) return `${safeText(facts.message)}\n`
  const wrapped = (text: string, label: string) => {
    const width = (columns ?? Number.POSITIVE_INFINITY) - label.length
    return wrapWords(text.split(' '), width).join(`\n${' '.repeat(label.length)}`)
  }
  const lines = [`${style.red('error:')} ${wrapped(`${sentence(facts.message)}${codeAfter(facts.code)}`, 'error: ')}`]
  if (facts.why) lines.push(`  ${style.dim('why:')} ${wrapped(sentence(facts.why), '  why: ')}`)
  const said = unsaidByUs(failureJson(failure))
  if (said) lines.push(`  ${style.dim('service:')} ${wrapped(sentence(said), '  service: ')}`)
  if (facts.try) {
    const isHelp = typeof facts.try === 'object' && facts.try.command.includes('--help')
    lines.push(`  ${style.cyan(isHelp ? 'see:' : 'try:')} ${safeText(adviceText(facts.try))}`)
  }
  for (const line of facts.lines ?? []) lines.push(`    ${safeText(line)}`)
  return lines.map((line) => `${line}\n`).join('')
}

/** The service's message, unless roomctl's own includes it; empty without a message. */
export function unsaidByUs({message, why, service_message: said}: FailureJson): string {
  const plain = (text: string | null) =>
    (text ?? '')
      .toLowerCase()
      .replace(/[\s.]+/gu, ' ')
      .trim()
  return [message, why].some((own) => plain(own).includes(plain(said))) ? '' : (said ?? '')
}

/** A run has at most this many different failures explained below its sum. */
const mostKinds = 3
/** A command line of more ids would not be read. */
const longestIds = 120
/** Commands that take several ids. */
const forSeveral: ReadonlySet<string> = new Set(['room end', 'room delete', 'record stop'])

/** The advice on the failures of a run, below its sum: each once, with all its ids if the command takes several. */
export function nextSteps<Row extends RunItem>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  style: Style,
): string[] {
  const kinds = new Map<string, {readonly error: FailureJson; readonly ids: string[]}>()
  for (const row of rows) {
    const {error} = row
    if (!error) continue
    const id = idOf(row)
    const {try: advice} = error[failureKey].facts
    const without = (text: string) => text.replaceAll(id, '\0')
    const kind = [error.code, advice && adviceText(mapAdvice(advice, without)), without(unsaidByUs(error))].join('\n')
    getOrMake(kinds, kind, () => ({error, ids: []})).ids.push(id)
  }
  const lines = [...kinds.values()].slice(0, mostKinds).flatMap(({error, ids}) => {
    const said = unsaidByUs(error)
    const {try: advice} = error[failureKey].facts
    const isForSeveral = typeof advice === 'object' && takesAll(advice, ids)
    const shown = isForSeveral ? mapAdvice(advice, String, (arg) => (arg === ids[0] ? ids : [arg])) : advice
    return [
      ...(error.why && !advice ? [`  ${style.dim('why:')} ${sentence(error.why)}`] : []),
      ...(said ? [`  ${style.dim('service:')} ${sentence(said)}`] : []),
      ...(shown ? [`  ${style.cyan('try:')} ${safeText(adviceText(shown))}`] : []),
    ]
  })
  return [...new Set(lines)]
}

function takesAll({command: [name, ...args]}: AdvisedCommand, ids: readonly string[]): boolean {
  return forSeveral.has(name) && args.at(-1) === ids[0] && ids.join(' ').length <= longestIds
}

function sentence(text: string): string {
  return safeText(text.length > longestSentence ? `${text.slice(0, longestSentence)}…` : text)
}

/**
 * A failure for machines: `{"error": {…}}` as one line of JSON. Earlier warnings are its `notes`, so that stderr is one
 * object.
 */
export function failureLine(failure: Failure, notes: readonly string[] = []): string {
  return jsonLine({error: failureJson(failure), ...(notes.length === 0 ? {} : {notes})})
}

/** The service's code in brackets; our own codes are lower-case words and are not shown. */
function codeAfter(code: string | undefined): string {
  return code === undefined || /^[a-z][a-z0-9-]*$/.test(code) ? '' : ` (${safeText(code)})`
}
