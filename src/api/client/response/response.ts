import {isAscii, isUtf8} from 'node:buffer'
import {outlineJson, parseExactJson} from '../../../text/json.js'
import {shortly} from '../../../text/text.js'
import type {Operation, ResponseFormat} from '../../contract/operation.js'
import {fixHeapSize} from '../../http/transports/heapSize.js'
import {readBody} from '../../http/wire/message.js'
import type {WireError, WireResponse} from '../../http/wire/transport.js'
import type {PreparedRequest} from '../request/request.js'
import {type Denial, denialIn, type ErrorBody, objectWords, readErrorBody} from './errorBody.js'
import {isClientError, isDocumented, type Refusal} from './refusalKind.js'

/** The largest answer, after decompression. */
export const maxAnswerBytes = 64 * 1024 * 1024

/** What a larger answer holds is many. */
const largeAnswerBytes = 4 * 1024 * 1024

/** Reads an answer. Throws a `WireError` if it is incomplete. */
export type ResponseReader<T> = (
  head: WireResponse,
  request: PreparedRequest,
  signal: AbortSignal,
) => Promise<CallResult<T>>

/** An answer with its whole body, after decompression. Throws a WireError. */
export async function readWhole(
  answer: WireResponse,
  {method}: PreparedRequest,
  signal: AbortSignal,
): Promise<ApiResponse> {
  // An answer to HEAD announces the length and the coding of a body that does not come.
  if (method === 'HEAD') {
    // A connection that is not released keeps the program from ending.
    answer.discard()
    return {status: answer.status, headers: answer.headers, text: ''}
  }
  const bytes = await readBody(answer, {maxBytes: maxAnswerBytes, signal})
  if (bytes.length > largeAnswerBytes) await fixHeapSize()
  const {status, headers} = answer
  return {status, headers, text: bytes.toString('utf8'), otherCharset: otherCharset(bytes, headers)}
}

type Head = Omit<ApiResponse, 'text'>

/** The failure of an answer that is read no further: a redirect, or a success in another charset. */
export function unreadFailure(head: Head): CallFailure | undefined {
  const {status, otherCharset: charset} = head
  if (status < 300 && charset !== undefined) return {kind: 'broken', status, what: notUtf8(charset)}
  if (status < 300 || status >= 400) return undefined
  const target = redirectTarget(head)
  const to = target === undefined ? '' : ` to ${target}`
  return {kind: 'broken', status, what: `is a redirect${to} (HTTP ${status}), which is not followed with a credential`}
}

/** The address of a redirect, without its query and a password, which may be secret. */
export function redirectTarget({status, headers: {location = ''}}: Head): string | undefined {
  if (status < 300 || status >= 400 || location === '') return undefined
  if (!URL.canParse(location)) return shortly(location.replace(/[?#].*$/su, ''))
  const {protocol, host, pathname} = new URL(location)
  return shortly(`${protocol}//${host}${pathname}`)
}

/** The charset of a text that is not UTF-8, as JSON must be (RFC 8259 §8.1). Short texts in it may look like UTF-8. */
export function otherCharset(bytes: Uint8Array, headers: ApiResponse['headers']): string | undefined {
  const [, charset = 'not given'] = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/iu.exec(headers['content-type'] ?? '') ?? []
  if (!isUtf8(bytes) || sevenBits.test(charset)) return charset
  return isAscii(bytes) || nearUtf8.test(charset) ? undefined : charset
}

/** Their bytes may all be those of ASCII. */
const sevenBits = /^(?:utf-?(?:7|16|32)|ucs-|iso-2022|hz-|ibm|cp037)/iu
/** Names that are given to UTF-8, too. */
const nearUtf8 = /^(?:not given|utf-?8|us-ascii|ascii|iso-8859-1|latin1|windows-1252)$/iu

function notUtf8(charset: string): string {
  return `is not UTF-8 (charset ${charset})`
}

/** `change`: the operation, if it changes something. */
export function interpret(
  answer: ApiResponse,
  responseFormat: ResponseFormat = 'envelope',
  change?: Pick<Operation, 'reply' | 'responseFormat'>,
): CallResult {
  const {status, headers, text} = answer
  const unread = unreadFailure(responseFormat === 'headers' ? {status, headers} : answer)
  if (unread) return unread
  if (responseFormat !== 'envelope') {
    const refused = change && (denied(answer, (json) => denialIn(json, change)) ?? brokenJson(answer))
    return refused ?? readBareResponse(answer, responseFormat)
  }
  const {otherCharset: charset} = answer
  const envelope: ParsedEnvelope =
    charset === undefined ? readEnvelope(text, headers['content-type']) : {kind: 'broken', what: notUtf8(charset)}
  if (envelope.kind === 'success') return {kind: 'success', data: envelope.data, status}
  if (envelope.kind === 'fail') {
    const {code, message = errorBodyOf(text).message} = envelope
    return {kind: 'refused', refusal: {status, code, message, isUndocumented: !isDocumented(code)}}
  }
  if (status >= 400) {
    const isForeign = isClientError(status) || isStrangersLimit(answer)
    const refusal = {status, broken: envelope.what, isForeign, ...errorBodyOf(text)}
    return {kind: 'refused', refusal}
  }
  return {...envelope, status, message: objectWords(parseResponseJson(text))}
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Its charset, if that is not UTF-8: then `text` has replacement characters. */
  readonly otherCharset?: string | undefined
}

export type CallResult<T = unknown> =
  | {readonly kind: 'success'; readonly data: T; readonly status: number}
  | CallFailure

export type CallFailure = (
  | {readonly kind: 'refused'; readonly refusal: Refusal}
  /** `message`: its words, if it is JSON of another form. `why`: unless its form is to blame. */
  | ({
      readonly kind: 'broken'
      readonly status: number
      readonly message?: string | undefined
      readonly why?: string
    } & Unreadable)
  /** `status`: the answer began, but its body was lost. */
  | {readonly kind: 'lost'; readonly error: WireError; readonly status?: number}
) & {
  readonly earlier?: Refusal
  /** When the request was first sent, by the own clock in milliseconds. */
  readonly sentAtMs?: number
}

/** room, Response envelope. */
type ParsedEnvelope =
  | {readonly kind: 'success'; readonly data: unknown}
  | {readonly kind: 'fail'; readonly code: string | undefined; readonly message: string | undefined}
  | ({readonly kind: 'broken'} & Unreadable)

/**
 * Reads an envelope, whose `status` decides success, whatever the HTTP status. Never repeats the body: a parser's error
 * would quote it.
 */
export function readEnvelope(text: string, contentType: string | undefined): ParsedEnvelope {
  if (text.trim() === '') return {kind: 'broken', what: 'is empty'}
  const json = parseResponseJson(text)
  if (json === undefined) return {kind: 'broken', ...notJson(text, contentType)}
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return {kind: 'broken', what: 'is JSON but not an envelope with a status'}
  }
  const {status, data, message, error_code: code} = json as Record<string, unknown>
  if (status === 'SUCCESS') return {kind: 'success', data}
  if (status === 'FAIL') return {kind: 'fail', code: textMember(code), message: textMember(message)}
  return {kind: 'broken', what: 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'}
}

/** Undefined for other text, or too large JSON (`jsonExcess`). A byte order mark is skipped (RFC 8259 §8.1). */
export function parseResponseJson(source: string): unknown {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source
  const outline = outlineJson(text)
  if (jsonExcess(outline) !== undefined) return undefined
  try {
    return parseExactJson(text, outline)
  } catch {
    return undefined
  }
}

function textMember(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? shortly(value) : undefined
}

/** `what`: the operation, or the request. */
export function successUnderFailure(what: string, status: number): string {
  return `warning: ${what} was answered with SUCCESS and HTTP ${status}; the envelope decides, so it counts as done`
}

/** A page for people, as a proxy or a login in front of a service sends. */
export function isPage(text: string): boolean {
  return /^<(?:!doctype|!--|html|head|body|h\d|\?xml)/i.test(text.trimStart())
}

/** The statuses by which a service without an envelope refuses a request itself. */
const ownRefusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422])

/**
 * Whether a 4xx may come from a proxy in front of the service. 429 is temporary in any case.
 * `own`: another status by which the service refuses this kind of request.
 */
export function isForeignRefusal(status: number, text: string, own?: number): boolean {
  return isClientError(status) && (isPage(text) || !(ownRefusals.has(status) || status === own))
}

/** A 429 as a page that names no time is a proxy's: unlike the service's own it does not say that nothing was done. */
function isStrangersLimit({status, text, headers}: ApiResponse): boolean {
  return status === 429 && isPage(text) && headers['retry-after'] === undefined
}

interface Unreadable {
  /** Describes the answer in a sentence, without quoting it. */
  readonly what: string
  /** It has too many levels or values. */
  readonly isTooMuch?: boolean
}

function notJson(text: string, contentType: string | undefined): Unreadable {
  if (isPage(text)) return {what: 'is an HTML page, not JSON: check for a proxy or a wrong address'}
  if (/^[[{"]/.test(text.trimStart())) {
    const excess = jsonExcess(outlineJson(text))
    if (excess !== undefined) return {what: `is JSON of more than ${excess}`, isTooMuch: true}
    return {what: 'is truncated or invalid JSON'}
  }
  return {what: `is not JSON (content type ${contentType?.slice(0, 60) ?? 'not given'})`}
}

/** Reads an answer without an envelope: the status decides. Redirects have been refused before. */
export function readBareResponse(answer: ApiResponse, responseFormat: Exclude<ResponseFormat, 'envelope'>): CallResult {
  const {status, text} = answer
  if (status < 200 || status >= 300) return bareRefusal(answer)
  if (responseFormat === 'headers') return {kind: 'success', data: headersAndBody(answer), status}
  if (responseFormat === 'nothing')
    return isPage(text) ? notAnswered(answer) : {kind: 'success', data: undefined, status}
  if (text.trim() === '')
    return mayBeEmpty(responseFormat, status) ? emptyResult(status) : {kind: 'broken', what: 'is empty', status}
  const data = parseResponseJson(text)
  if (data !== undefined) return {kind: 'success', data, status}
  return responseFormat === 'unshown' && !isPage(text) ? emptyResult(status) : notAnswered(answer)
}

/** The failure of a request that was answered with 2xx and JSON that denies it. */
export function denied(
  {status, text}: ApiResponse,
  denialOf: (json: unknown) => Denial | undefined,
): CallFailure | undefined {
  if (!isSuccess(status)) return undefined
  const json = parseResponseJson(text)
  const denial = json === undefined ? undefined : denialOf(json)
  if (denial === undefined) return undefined
  const {message, body = ''} = readErrorBody(text, json)
  const reason = message ?? (denial === 'said' ? shortly(body) : undefined)
  const what = reason === undefined ? 'has none of the documented members' : `says otherwise: ${reason}`
  return {kind: 'broken', what, status, message: reason}
}

/**
 * The failure of a 2xx whose JSON cannot be read, where JSON is asked for, its content type announces it, or it begins as JSON and is not
 * one value per line.
 */
export function brokenJson({status, headers, text}: ApiResponse, isAskedFor = false): CallFailure | undefined {
  if (!isSuccess(status) || text.trim() === '' || parseResponseJson(text) !== undefined) return undefined
  const contentType = headers['content-type']
  const [first = ''] = text.trimStart().split('\n', 1)
  const isBegun = /^(?:[[{]\s*$|\{\s*"|\[\s*[[{"])/u.test(first) && parseResponseJson(first) === undefined
  if (!isAskedFor && !isBegun && !announcesJson(contentType)) return undefined
  return {kind: 'broken', ...notJson(text, contentType), status}
}

/** Whether a content type is that of one JSON value. */
export function announcesJson(contentType = ''): boolean {
  return /[/+]json\s*(?:;|$)/iu.test(contentType)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function mayBeEmpty(responseFormat: ResponseFormat, status: number): boolean {
  return responseFormat === 'unshown' || (responseFormat === 'json-or-none' && status === 204)
}

/** The headers, with the body as `body`, as JSON if it is. */
function headersAndBody({headers, text, otherCharset: charset}: ApiResponse): object {
  return text.trim() === '' || charset !== undefined ? headers : {...headers, body: parseResponseJson(text) ?? text}
}

export function emptyResult(status: number): CallResult {
  return {kind: 'success', data: null, status}
}

export function bareRefusal(answer: ApiResponse): CallFailure {
  const {status, text} = answer
  if (status >= 400) {
    const isForeign = isForeignRefusal(status, text) || isStrangersLimit(answer)
    return {kind: 'refused', refusal: {status, isForeign, ...errorBodyOf(text)}}
  }
  return {kind: 'broken', what: `has the status ${status}`, status}
}

export function errorBodyOf(text: string): ErrorBody {
  return readErrorBody(text, parseResponseJson(text))
}

/** A page of a proxy, or of a login, can come with any status. */
function notAnswered({status, headers, text}: ApiResponse): CallFailure {
  return {kind: 'broken', ...notJson(text, headers['content-type']), status}
}

/** More would overflow the stack of the renderer. */
const mostLevels = 500

/** 64 MiB of a list of rooms hold fewer; 64 MiB of the smallest values hold 32 million, which take gigabytes. */
const mostValues = 4_000_000

/** Too many levels or values for a bounded time and memory, in words for a sentence; else undefined. */
function jsonExcess({levels, values}: ReturnType<typeof outlineJson>): string | undefined {
  if (levels > mostLevels) return `${mostLevels} levels`
  return values > mostValues ? `${mostValues.toLocaleString('en')} values` : undefined
}
