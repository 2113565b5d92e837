import {endOfText, parseExactJson} from '../../../text/json.js'
import type {Exit} from '../../contract/failure.js'
import {type Answers, type Code, isCode} from '../../contract/operation.js'
import type {WireError} from '../../http/wire/transport.js'
import {type ErrorBody, readErrorBody, truncateMessage} from './errorBody.js'

/** An answer read to its end. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The outcome of a call: what the answer says, or the error that lost the answer. */
export type CallResult<T = unknown> =
  | {readonly kind: 'success'; readonly data: T; readonly status: number}
  | CallFailure

/** The outcome of a call that did not succeed. */
export type CallFailure = (
  | {readonly kind: 'refused'; readonly refusal: Refusal}
  | {readonly kind: 'broken'; readonly what: string; readonly status: number}
  /** `status`: the answer had begun, and its body was lost. */
  | {readonly kind: 'lost'; readonly error: WireError; readonly status?: number}
) & {
  /** What an earlier attempt of the same call was answered, which asked for this one. */
  readonly earlier?: Refusal
}

/** A service's `no`, as it came. */
export interface Refusal extends ErrorBody {
  readonly status: number
  readonly code?: string | undefined
  /** What the answer was instead of an envelope, where it was none. */
  readonly broken?: string | undefined
  /** Something in front of the service may have answered in its place. */
  readonly isForeign?: boolean | undefined
  /** How long the service asks to wait before the next request, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/** What an answer of the envelope services says (room, Response envelope). */
type ParsedEnvelope =
  | {readonly kind: 'success'; readonly data: unknown}
  | {readonly kind: 'fail'; readonly code: string | undefined; readonly message: string | undefined}
  /** Not an envelope; `what` says what came instead, in words fit for a sentence. */
  | {readonly kind: 'broken'; readonly what: string}

/**
 * Reads an answer's body as an envelope. Success is decided by its `status`, whatever the HTTP status
 * (product §3). Never throws, and never repeats the body: a parser's error would quote it.
 */
export function readEnvelope(text: string, contentType: string | undefined): ParsedEnvelope {
  if (text.trim() === '') return {kind: 'broken', what: 'is empty'}
  const json = parseResponseJson(text)
  if (json === undefined) return {kind: 'broken', what: notJson(text, contentType)}
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return {kind: 'broken', what: 'is JSON but not an envelope with a status'}
  }
  const {status, data, message, error_code: code} = json as Record<string, unknown>
  if (status === 'SUCCESS') return {kind: 'success', data}
  if (status === 'FAIL') return {kind: 'fail', code: textMember(code), message: textMember(message)}
  return {kind: 'broken', what: 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'}
}

/**
 * Parses JSON; undefined when it is none, or more than can be shown (`excessOf`). A byte order mark is passed over, as JSON
 * allows (RFC 8259 §8.1). A member called `__proto__` is dropped, so nothing can inherit from it.
 */
export function parseResponseJson(given: string): unknown {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  if (jsonExcess(text) !== undefined) return undefined
  // Any letter of the name may be escaped.
  const suspicious = text.includes('__proto__') || /\\u00[5-7]/i.test(text)
  try {
    return parseExactJson(text, suspicious ? (key, value) => (key === '__proto__' ? undefined : value) : undefined)
  } catch {
    return undefined
  }
}

function textMember(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? truncateMessage(value) : undefined
}

/** The warning of an envelope of SUCCESS under a status of failure. `what`: the operation, or the request. */
export function successUnderFailure(what: string, status: number): string {
  return `warning: ${what} was answered with SUCCESS and HTTP ${status}; the envelope decides, so it counts as done`
}

/** Whether an answer is a page for people, as a proxy or a login in front of a service sends. */
export function isPage(text: string): boolean {
  return /^<(?:!doctype|!--|html|head|body|h\d|\?xml)/i.test(text.trimStart())
}

/** The statuses by which a service without an envelope refuses a request itself (product §11, Outcome). */
const ownRefusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422])

/**
 * Whether a refusal by 4xx may be that of something in front of the service, as far as its status and text show. 429 is temporary
 * whoever answers it. `own`: a status by which the service refuses this kind of request beside the usual ones.
 */
export function isForeignRefusal(status: number, text: string, own?: number): boolean {
  return isClientError(status) && (isPage(text) || !(ownRefusals.has(status) || status === own))
}

/** The same of an answer that is no envelope, though the service answers with envelopes alone. */
export function isClientError(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}

/** How `what` of an answer begins that has more levels or values than are read. */
export const isTooMuch = 'is JSON of more than'

/** What an answer is instead of JSON, in words fit for a sentence that never repeat it. */
function notJson(text: string, contentType: string | undefined): string {
  if (isPage(text)) return 'is an HTML page, not JSON: check for a proxy or a wrong address'
  if (/^[[{"]/.test(text.trimStart())) {
    const excess = jsonExcess(text)
    return excess === undefined ? 'is truncated or invalid JSON' : `${isTooMuch} ${excess}`
  }
  return `is not JSON (content type ${contentType?.slice(0, 60) ?? 'not given'})`
}

/**
 * Reads an answer without an envelope: the status decides, and the result stands where the operation has it (contract
 * `Answers`). Redirects have been refused before. Never throws.
 */
export function readBareResponse(answer: ApiResponse, answers: Exclude<Answers, 'envelope'>): CallResult {
  const {status, text} = answer
  if (status < 200 || status >= 300) return bareRefusal(answer)
  if (answers === 'headers') return {kind: 'success', data: headersAndBody(answer), status}
  if (answers === 'nothing') return isPage(text) ? notAnswered(answer) : {kind: 'success', data: undefined, status}
  if (text.trim() === '') return answers === 'json' ? {kind: 'broken', what: 'is empty', status} : none(status)
  const data = parseResponseJson(text)
  if (data !== undefined) return {kind: 'success', data, status}
  return answers === 'unshown' && !isPage(text) ? none(status) : notAnswered(answer)
}

/** The headers, and as `body` the body where there is one: as JSON, if it is. */
function headersAndBody({headers, text}: ApiResponse): object {
  return text.trim() === '' ? headers : {...headers, body: parseResponseJson(text) ?? text}
}

/** Success without a body, or with one that says nothing. */
function none(status: number): CallResult {
  return {kind: 'success', data: null, status}
}

/** An answer whose status does not say that the request was carried out. */
export function bareRefusal({status, text}: ApiResponse): CallFailure {
  if (status >= 400) {
    return {kind: 'refused', refusal: {status, isForeign: isForeignRefusal(status, text), ...errorBodyOf(text)}}
  }
  return {kind: 'broken', what: `has the status ${status}`, status}
}

/** What an answer says that refuses without an envelope. */
export function errorBodyOf(text: string): ErrorBody {
  return readErrorBody(text, parseResponseJson(text))
}

/** A page of a proxy, or of a login, can come with any status. */
function notAnswered({status, headers, text}: ApiResponse): CallFailure {
  return {kind: 'broken', what: notJson(text, headers['content-type']), status}
}

/** No document has anything near it; what is deeper would overflow the stack of whoever draws it. */
const mostLevels = 500

/** 64 MiB of a list of rooms hold fewer; 64 MiB of the smallest values hold 32 million, which take gigabytes once they are read. */
const mostValues = 4_000_000

const [quote, comma] = [0x22, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * What a text of JSON has more of than can be read in a bounded time and memory, in words fit for a sentence; undefined where
 * it has not. It is one pass over the text, before anything is made of it. Whether it is JSON at all is not looked at.
 */
function jsonExcess(text: string): string | undefined {
  let [levels, values] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at)
        break
      case comma:
        values += 1
        break
      case openList:
      case openObject:
        levels += 1
        values += 1
        if (levels > mostLevels) return `${mostLevels} levels`
        break
      case closeList:
      case closeObject:
        levels -= 1
    }
  }
  return values > mostValues ? `${mostValues.toLocaleString('en')} values` : undefined
}

/** The exit that an HTTP status stands for, where no known code says more (product §3). */
export function exitOfStatus(status: number): Exit {
  if (status === 401) return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 405 || status === 410) return 'missing'
  if (status === 409 || status === 412) return 'state'
  if (status === 407 || status === 408 || status === 460) return 'network'
  if (status === 423 || status === 425 || status === 429 || status >= 500) return 'temporary'
  return 'refused'
}

/**
 * Whether the request may be sent again whatever it changes (product §11): CE101, 429, or 503 with Retry-After. A 503 without it is
 * also what a proxy answers for a service whose connection broke. A code of the documents decides before the status.
 */
export function isTemporary({code, status, retryAfterMs}: Refusal): boolean {
  if (isDocumented(code)) return code === 'CE101'
  return status === 429 || (status === 503 && retryAfterMs !== undefined)
}

/** Whether a gateway answered for a service that may have carried the request out. */
export function isGatewayFault({code, status}: Refusal): boolean {
  return !isDocumented(code) && (status === 502 || status === 503 || status === 504)
}

/**
 * Whether the answer leaves it open that the request was carried out: a server error which no code of the documents explains, and
 * what something in front of the service answers, can come after the change was made.
 */
export function isUncertain({code, status, isForeign}: Refusal): boolean {
  return !isDocumented(code) && (status >= 500 || isForeign === true)
}

function isDocumented(code: string | undefined): code is Code {
  return code !== undefined && isCode(code)
}
