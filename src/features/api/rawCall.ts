import type {PreparedRequest} from '../../api/client/request/request.js'
import {interpretRaw} from '../../api/client/response/rawAnswer.js'
import {type ApiResponse, errorBodyOf, parseResponseJson} from '../../api/client/response/response.js'
import {readingMethods, type Service} from '../../api/contract/operation.js'
import {appendPath} from '../../api/http/network/address.js'
import {afterChange, presentOne} from '../../cli/output/present.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, wrongUsage} from '../../failure.js'
import {exactJson, parseExactJson} from '../../text/json.js'
import {safeText} from '../../text/text.js'
import {jsonText} from '../../view/format/json.js'
import {checkOutput, type Format, type OutputOptions} from '../../view/format/output.js'
import {maskedRequest, type RequestPreview} from '../mutation/dryRun.js'
import {journaled, writeJournal} from '../mutation/journal.js'

export interface OwnCall {
  readonly service: Service
  readonly method: string
  /** Appended to the service's address; may carry a query. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: string | undefined
  readonly include: boolean
}

export async function planRaw(session: Session, call: OwnCall): Promise<RequestPreview> {
  return {dry_run: true, operation: 'api', ...maskedRequest(session, await requestOf(session, call))}
}

/** Sends it once and prints the answer; one that is no success goes to stderr, and the error ends with its own exit code. */
export async function callRaw(session: Session, call: OwnCall): Promise<void> {
  const answer = await send(session, call)
  // The head was printed before a query that does not fit.
  const present = (shown: Session) => printResponse(shown, answer, call.include && shown === session)
  await (readingMethods.has(call.method) ? present(session) : afterChange(session, present))
}

async function send(session: Session, call: OwnCall): Promise<ApiResponse> {
  const {method, path} = call
  const name = `${method} ${path}`
  const request = await requestOf(session, call)
  const isMachine = isMachineFormat(session.output.format)
  let answer: ApiResponse | undefined
  const judge = (response: ApiResponse) => {
    answer = response
    return interpretRaw(response, {...call, isJson: isMachine})
  }
  const make = () => session.api.raw(request, name, judge)
  try {
    if (readingMethods.has(method)) return await make()
    return await journaled(session, {
      describe: () => `call ${name}`,
      make,
      write: (verdict) =>
        writeJournal(session, {operation: 'api', targets: {method, path: path.replace(/\?.*$/su, '')}, ...verdict}),
    })
  } catch (error) {
    if (!(error instanceof Failure) || answer === undefined) throw error
    // Stdout stays empty: for programs the answer is a member of the error.
    if (!isMachine) await session.runtime.stderr.write(answerText(session, answer, call.include))
    throw new Failure({...error.facts, body: errorBodyOf(answer.text).body}, {cause: error})
  }
}

async function requestOf(session: Session, {service, method, path, query, body}: OwnCall): Promise<PreparedRequest> {
  const {base} = await session.api.access(service)
  const [plain = '/', search = ''] = path.split(/\?(.*)/su)
  const textOf = (value: unknown) => (typeof value === 'string' ? value : exactJson(value))
  const fields = Object.entries(query).map(([name, value]) => [name, textOf(value)])
  // A service may echo a secret field, which only its name identifies.
  session.secrets.addNamed([
    body === undefined ? {} : parseResponseJson(body),
    Object.fromEntries(new URLSearchParams(search)),
    query,
  ])
  const url = appendPath(base, plain, Object.fromEntries(fields))
  // Keep the user's own query as typed: a name may occur in it twice.
  url.search = [search, url.search.slice(1)].filter((part) => part !== '').join('&')
  return {
    service,
    method,
    url,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      ...(body === undefined ? {} : {'content-type': 'application/json'}),
    },
    body,
  }
}

/** Reads `-f key=value` and `-F key:=json` into one object, in their order. Throws Failure (usage). */
export function fieldsOf(texts: readonly string[], jsons: readonly string[]): Record<string, unknown> {
  return Object.fromEntries([...texts.map(textField), ...jsons.map(jsonField)])
}

function textField(typed: string): [string, unknown] {
  const at = typed.indexOf('=')
  return [keyOf('-f', typed.slice(0, Math.max(at, 0)), 'key=value'), typed.slice(at + 1)]
}

function jsonField(typed: string): [string, unknown] {
  const at = typed.indexOf(':=')
  const key = keyOf('-F', typed.slice(0, Math.max(at, 0)), 'key:=json')
  try {
    return [key, parseExactJson(typed.slice(at + 2))]
  } catch (error) {
    const advice = `write text in double quotes, or use -f for text`
    throw wrongUsage(`-F ${key}: the value is not JSON`, {try: advice}, {cause: error})
  }
}

function keyOf(flag: string, key: string, form: string): string {
  if (key !== '') return key
  throw wrongUsage(`${flag} takes ${form}`)
}

const formats: ReadonlySet<Format> = new Set(['table', 'json', 'ndjson', 'yaml'])

/** Refuses, before anything is sent, what an answer of unknown form cannot be drawn as. Throws Failure. */
export async function checkResponseOutput(options: OutputOptions): Promise<void> {
  if (!formats.has(options.format)) {
    const why = 'an answer of any form has no fixed columns or ids'
    throw wrongUsage(`api cannot print its answer as ${options.format}: ${why}`, {try: 'add -o json, ndjson or yaml'})
  }
  await checkOutput([], options)
}

/** Prints an answer: JSON in the format asked for, anything else made safe, line by line. A repeated credential is masked. */
async function printResponse(session: Session, answer: ApiResponse, include: boolean): Promise<void> {
  const {stdout} = session.runtime
  if (session.output.format === 'table') return stdout.write(answerText(session, answer, include))
  if (include) await stdout.write(session.secrets.maskKnown(headText(answer)))
  // Only an empty answer is no JSON here.
  const json = session.secrets.maskResultIn(parseResponseJson(answer.text)) ?? null
  await presentOne(session, json, {title: () => '', id: () => '', columns: []})
}

function answerText({secrets}: Session, answer: ApiResponse, include: boolean): string {
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
