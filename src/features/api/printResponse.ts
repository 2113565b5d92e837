import type {ApiResponse} from '../../api/client/response/response.js'
import {parseResponseJson} from '../../api/client/response/response.js'
import {presentOne} from '../../cli/output/present.js'
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
 * Prints an answer: JSON laid out anew or in the format asked for; anything else made safe, line by line. A service that
 * repeats the credential it was sent does not get it onto the screen.
 */
export async function printResponse(session: Session, answer: ApiResponse, include: boolean): Promise<void> {
  const {stdout} = session.runtime
  const {secrets} = session
  if (include) await stdout.write(secrets.maskKnown(headText(answer)))
  if (answer.text === '') return
  const json = secrets.maskResultIn(parseResponseJson(answer.text))
  if (json === undefined) {
    const lines = secrets.maskResult(answer.text).split(/\r?\n/u)
    return stdout.write(`${lines.map(safeText).join('\n').replace(/\n$/u, '')}\n`)
  }
  if (session.output.format === 'table') return stdout.write(jsonText(json))
  await presentOne(session, json, {title: () => '', id: () => '', columns: []})
}

function headText({status, headers}: ApiResponse): string {
  const lines = Object.entries(headers).map(([name, value]) => `${safeText(name)}: ${safeText(value)}\n`)
  return `HTTP ${status}\n${lines.join('')}\n`
}
