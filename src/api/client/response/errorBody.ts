import {shortly} from '../../../text/text.js'
import {type Operation, replyMembers} from '../../contract/operation.js'

/** Why a service refuses, without an envelope. */
export interface ErrorBody {
  /** Its message, if one is found. */
  readonly message?: string | undefined
  /** The body in one truncated line without tags. */
  readonly body?: string | undefined
}

/**
 * Reads the body of an error, whose shape no document shows (asset, Errors; push, Errors). `json`: the body as JSON, undefined for
 * any other text.
 */
export function readErrorBody(text: string, json: unknown): ErrorBody {
  const isMarkup = text.trimStart().startsWith('<')
  const shown = text.slice(0, readLength)
  const body = (isMarkup ? withoutTags(shown) : shown).replace(/\s+/gu, ' ').trim()
  if (/^(?:\{\}|\[\]|null|"")?$/u.test(body)) return {}
  const isLine = json === undefined && !isMarkup && !text.trim().includes('\n')
  const message = isLine ? body : errorWordsIn(json)
  return {message: message && shortly(message), body: shortly(body, bodyLength)}
}

/** A longer body is cut first; much of it may be tags. */
const readLength = 16 * 1024
const bodyLength = 1000

/** The title is repeated in the text, as pages of gateways do. */
const title = /<title>([^<]{1,200})<\/title>(?=[\s\S]*\1)/iu

function withoutTags(page: string): string {
  return page.replace(title, ' ').replace(/<(script|style)\b[^>]*>[^<]*<\/\1>|<[^>]*>?/giu, ' ')
}

/** Members that hold words, as services name them in any case; the first with words is taken. */
const messageMembers = [
  'message',
  'errordescription',
  'errormessage',
  'msg',
  'detail',
  'title',
  'reason',
  'description',
  'faultstring',
  'error',
  'fault',
  'errors',
  'data',
  'result',
  'response',
]

/** Errors within errors. */
const mostLevels = 5
/** Errors of a list. */
const mostWords = 5

/** The words of an object that came in place of the documented answer, cut; a list or a text may be data. */
export function objectWords(value: unknown): string | undefined {
  const text = typeof value === 'object' && !Array.isArray(value) ? errorWordsIn(value) : undefined
  return text && shortly(text)
}

function errorWordsIn(value: unknown, level = 0): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined
  if (typeof value !== 'object' || value === null || level > mostLevels) return undefined
  if (Array.isArray(value)) return joined(value.slice(0, mostWords).map((entry) => errorWordsIn(entry, level + 1)))
  const members = new Map(
    Object.entries(value).map(([name, member]) => [name.toLowerCase().replace(/[_-]/gu, ''), member]),
  )
  const main = messageMembers
    .map((name) => errorWordsIn(members.get(name), level + 1))
    .find((text) => text !== undefined)
  const more = errorWords(members.get('errors'), level + 1)
  return joined([main, ...(main === more ? [] : [more])])
}

/** The errors of an answer, also by the names of the fields. */
function errorWords(errors: unknown, level: number): string | undefined {
  const text = errorWordsIn(errors, level)
  if (text !== undefined || typeof errors !== 'object' || errors === null) return text
  const fields = Object.entries(errors).slice(0, mostWords)
  return joined(
    fields.map(([name, detail]) => {
      const said = errorWordsIn(detail, level)
      return said && `${name}: ${said}`
    }),
  )
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((text) => text !== undefined && text !== '').join('; ') || undefined
}

/** Members that name an error. */
const errorMembers = ['error', 'error_code', 'errors'] as const

/** Members that are the words of a gateway if there is nothing else. */
const loneWords: ReadonlySet<string> = new Set(['message', 'detail'])

/** The answer says that it was not done, or has no member of the documented one. */
export type Denial = 'said' | 'lacking'

/**
 * How the JSON of a 2xx denies the change, as gateways do: by a `status` other
 * than SUCCESS, an error, `success: false` or a lone message, or it lacks all members that the document shows for this answer.
 */
export function denialIn(
  json: unknown,
  {responseFormat, ...operation}: Pick<Operation, 'reply' | 'responseFormat'>,
): Denial | undefined {
  const documented = responseFormat === 'headers' ? [] : replyMembers(operation)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return documented.length > 0 ? 'lacking' : undefined
  const {status} = json as Readonly<Record<string, unknown>>
  const names = Object.keys(json)
  const isAlone = names.length > 0 && names.every((name) => loneWords.has(name))
  if ((status !== undefined && status !== 'SUCCESS') || isAlone || errorIn(json)) return 'said'
  return documented.length > 0 && !documented.some((name) => names.includes(name)) ? 'lacking' : undefined
}

/** How the JSON of an answer to a read denies it: by an error, or by `success: false`. */
export function errorIn(json: unknown): Denial | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const {success, ...others} = json as Readonly<Record<string, unknown>>
  return success === false || errorMembers.some((name) => isSaid(others[name])) ? 'said' : undefined
}

/** `error: null` and `errors: []` name none. */
function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
