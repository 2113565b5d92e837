import type {ApiResponse} from '../../api/client/response/response.js'
import {parseResponseJson} from '../../api/client/response/response.js'
import {presentOne} from '../../cli/output/present.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {safeText, ViewProblem} from '../../text/text.js'
import {jsonText} from '../../view/format/json.js'
import {checkOutput, type Format, type OutputOptions} from '../../view/format/output.js'

const formats: ReadonlySet<Format> = new Set(['table', 'json', 'ndjson', 'yaml'])

/** Refuses, before anything is sent, what an answer of unknown form cannot be drawn as. Raises a ViewProblem. */
export async function checkResponseOutput(options: OutputOptions): Promise<void> {
  if (!formats.has(options.format)) {
    const why = 'nobody knows the columns or ids of an answer of any form'
    throw new ViewProblem(`api cannot print its answer as ${options.format}: ${why}`, 'add -o json, ndjson or yaml')
  }
  if (options.columns !== undefined || options.sort !== undefined) {
    throw new ViewProblem('api takes neither --columns nor --sort', "choose with -o json --query 'data[].name'")
  }
  await checkOutput([], options)
}

/**
 * Prints an answer: JSON laid out again or in the format asked for; anything else made safe, line by line. A service that
 * repeats the credential it was sent does not get it onto the screen.
 */
export async function printResponse(session: Session, answer: ApiResponse, include: boolean): Promise<void> {
  const {stdout} = session.runtime
  const json = session.secrets.maskResultIn(parseResponseJson(answer.text))
  if (json === undefined || session.output.format === 'table') return stdout.write(textOf(session, answer, include))
  if (include) await stdout.write(session.secrets.maskKnown(headText(answer)))
  await presentOne(session, json, {title: () => '', id: () => '', columns: []})
}

/** Prints a refusal where it leaves stdout empty (product §3): for people; for programs it is a member of the error. */
export async function printRefusal(session: Session, answer: ApiResponse, include: boolean): Promise<void> {
  if (!isMachineFormat(session.output.format)) await session.runtime.stderr.write(textOf(session, answer, include))
}

function textOf({secrets}: Session, answer: ApiResponse, include: boolean): string {
  const head = include ? secrets.maskKnown(headText(answer)) : ''
  if (answer.text === '') return head
  const json = secrets.maskResultIn(parseResponseJson(answer.text))
  if (json !== undefined) return head + jsonText(json)
  const lines = secrets.maskResult(answer.text).split(/\r?\n/u)
  return `${head}${lines.map(safeText).join('\n').replace(/\n$/u, '')}\n`
}

function headText({status, headers}: ApiResponse): string {
  const lines = Object.entries(headers).map(([name, value]) => `${safeText(name)}: ${safeText(value)}\n`)
  return `HTTP ${status}\n${lines.join('')}\n`
}
