import {failureAfter} from '../../api/client/failures/callFailure.js'
import {failureOf} from '../../api/client/failures/refusal.js'
import {assertStdinUnprinted} from '../../api/client/request/nodeDebug.js'
import type {PreparedRequest} from '../../api/client/request/request.js'
import {
  type ApiResponse,
  type CallFailure,
  errorBodyOf,
  isClientError,
  isForeignRefusal,
  isPage,
  isUncertain,
  parseResponseJson,
  type Refusal,
  readEnvelope,
  redirectFailure,
  successUnderFailure,
} from '../../api/client/response/response.js'
import {type Operation, readingMethods, type Service} from '../../api/contract/operation.js'
import {none, nothing} from '../../api/contract/shapes.js'
import {appendPath} from '../../api/http/network/address.js'
import {retryAfterMs} from '../../api/http/wire/retry.js'
import {WireError} from '../../api/http/wire/transport.js'
import {readTextInput} from '../../cli/input/readIds.js'
import {afterChange, presentOne} from '../../cli/output/present.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {type Effect, Failure, failureWith, wrongUsage} from '../../failure.js'
import {exactJson, parseExactJson} from '../../text/json.js'
import {safeText} from '../../text/text.js'
import {jsonText} from '../../view/format/json.js'
import {checkOutput, type Format, type OutputOptions} from '../../view/format/output.js'
import {maskedRequest, type RequestPreview} from '../mutation/dryRun.js'
import {underWay, verdictOn, writeJournal} from '../mutation/journal.js'

export interface RawCall {
  readonly service: Service
  readonly method: string
  /** Appended to the service's address; may carry a query. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: string | undefined
  readonly include: boolean
}

/** The body of a request from a file, or from stdin for `-`. Throws Failure, also if Node would print stdin. */
export function rawBody(session: Session, file: string): Promise<string> {
  if (file === '-') assertStdinUnprinted('body of the request', session.runtime.env.NODE_DEBUG)
  return readTextInput(session, file)
}

export async function planRaw(session: Session, call: RawCall): Promise<RequestPreview> {
  return {dry_run: true, operation: 'api', ...maskedRequest(session, await requestOf(session, call))}
}

/** Sends it once and prints the answer; a refusal goes to stderr and ends with its own exit code (product §3). */
export async function callRaw(session: Session, call: RawCall): Promise<void> {
  const own = asOperation(call)
  const answer = await send(session, call, own)
  const failure = await failureIn(session, answer, own)
  journal(session, call, own, failure)
  if (failure) {
    // Stdout stays empty (product §3): for programs the answer is a member of the error.
    if (!isMachineFormat(session.output.format)) {
      await session.runtime.stderr.write(answerText(session, answer, call.include))
    }
    throw failure
  }
  if (answer.status >= 400) session.warn(successUnderFailure(`${call.method} ${call.path}`, answer.status))
  const present = () => printResponse(session, answer, call.include)
  await (own.effect === 'read' ? present() : afterChange(present))
}

async function send(session: Session, call: RawCall, own: Operation): Promise<ApiResponse> {
  const request = await requestOf(session, call)
  const interrupted = failureWith('interrupted', '', {code: 'interrupted', outcome: 'unknown'})
  const {effect, action} = own
  const ended =
    effect === 'read'
      ? undefined
      : underWay(
          session,
          () => action,
          () => journal(session, call, own, interrupted),
        )
  try {
    return await session.api.raw(request)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const isOpen = own.effect !== 'read' && error.sent === 'maybe'
    const failure = await failureBy(session, own, {kind: 'lost', error}, isOpen ? 'unknown' : 'none')
    journal(session, call, own, failure)
    throw failure
  } finally {
    ended?.()
  }
}

/** The Failure of a call that was not answered, or by an answer that leaves its outcome open. */
function failureBy(session: Session, own: Operation, failed: CallFailure, outcome: Effect): Promise<Failure> {
  const interrupted = () =>
    session.runtime.signal.aborted || (failed.kind === 'lost' && failed.error.problem === 'aborted')
  const read = () => Promise.reject(new Error('a request of the user is settled by no read'))
  return failureAfter({operation: own, values: {}}, failed, {outcome}, {read, interrupted})
}

async function requestOf(session: Session, {service, method, path, query, body}: RawCall): Promise<PreparedRequest> {
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

/** An undocumented operation: explaining a refusal needs one. */
function asOperation({service, method, path}: RawCall): Operation {
  return {
    id: 'api',
    service,
    purpose: 'Call a service',
    action: `call ${method} ${path}`,
    source: 'a request of your own',
    method: 'GET',
    route: path,
    effect: readingMethods.has(method) ? 'read' : 'create',
    path: none,
    query: none,
    reply: nothing,
    fails: [],
    requester: 'none',
    states: 'any',
    change: {
      journal: [],
      isShown: false,
      mayHave: `${method} ${path} may have been carried out`,
      ifUnknown: 'see the response with --debug, or check the address: roomctl config list',
    },
  }
}

async function failureIn(session: Session, answer: ApiResponse, own: Operation): Promise<Failure | undefined> {
  const {status, headers, text} = answer
  const isChange = own.effect !== 'read'
  // Only after 307 and 308 no change was made.
  const broken = (failed: CallFailure) =>
    failureBy(session, own, failed, isChange && status !== 307 && status !== 308 ? 'unknown' : 'none')
  const redirect = redirectFailure(answer)
  if (redirect) return broken(redirect)
  const envelope = readEnvelope(text, headers['content-type'])
  if (envelope.kind === 'success') return undefined
  if (envelope.kind === 'fail' || status >= 400) {
    const refusal = refusalIn(answer, own, envelope, session.runtime.now())
    if (isChange && isUncertain(refusal)) return failureBy(session, own, {kind: 'refused', refusal}, 'unknown')
    const {facts} = failureOf(refusal, {operation: own, values: {}})
    // Without a code there is only advice about the routes of operations, and this request has one of its own.
    return new Failure(refusal.code === undefined ? {...facts, why: undefined, try: undefined} : facts)
  }
  // A change is done only if the answer shows it: SUCCESS in the envelope of a room, or a 2xx of another service.
  const isOpen = own.service === 'room' && isChange
  return isOpen || isPage(text) ? broken({kind: 'broken', status, what: envelope.what}) : undefined
}

function refusalIn(
  {status, headers, text}: ApiResponse,
  own: Operation,
  envelope: Exclude<ReturnType<typeof readEnvelope>, {kind: 'success'}>,
  now: Date,
): Refusal {
  const said = envelope.kind === 'fail' ? {code: envelope.code, message: envelope.message} : {broken: envelope.what}
  const isEnvelope = own.service === 'room' && envelope.kind === 'fail'
  const isForeign = own.service === 'room' ? isClientError(status) : isForeignRefusal(status, text)
  const retryAfter = retryAfterMs(headers['retry-after'], now)
  return {status, ...errorBodyOf(text), ...said, isForeign: !isEnvelope && isForeign, retryAfterMs: retryAfter}
}

function journal(session: Session, {method, path}: RawCall, {effect}: Operation, failure: Failure | undefined): void {
  if (effect === 'read') return
  const {outcome} = failure ? verdictOn(failure) : ({outcome: 'done'} as const)
  const target = path.replace(/\?.*$/su, '')
  writeJournal(session, {operation: 'api', targets: {method, path: target}, outcome, code: failure?.facts.code})
}

/** Reads `-f key=value` and `-F key:=json` into one object, in their order. Throws Failure (usage). */
export function fieldsOf(texts: readonly string[], jsons: readonly string[]): Record<string, unknown> {
  return Object.fromEntries([...texts.map(textField), ...jsons.map(jsonField)])
}

function textField(given: string): [string, unknown] {
  const at = given.indexOf('=')
  return [keyOf('-f', given.slice(0, Math.max(at, 0)), 'key=value'), given.slice(at + 1)]
}

function jsonField(given: string): [string, unknown] {
  const at = given.indexOf(':=')
  const key = keyOf('-F', given.slice(0, Math.max(at, 0)), 'key:=json')
  try {
    return [key, parseExactJson(given.slice(at + 2))]
  } catch (error) {
    const advice = `write text in double quotes, or use -f ${key}=TEXT`
    throw wrongUsage(`-F ${key}: the value is not JSON`, {try: advice}, {cause: error})
  }
}

function keyOf(flag: string, key: string, form: string): string {
  if (key !== '' && key !== '__proto__') return key
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
  const json = session.secrets.maskResultIn(parseResponseJson(answer.text))
  if (json === undefined || session.output.format === 'table') return stdout.write(answerText(session, answer, include))
  if (include) await stdout.write(session.secrets.maskKnown(headText(answer)))
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
