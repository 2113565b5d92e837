import {jsonExcess} from './excess.js'
import {truncateMessage} from './quoted.js'

/** What an answer of the envelope services says (room, Response envelope). */
export type ParsedEnvelope =
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
  if (status === 'FAIL') return {kind: 'fail', code: textOf(code), message: textOf(message)}
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
    return suspicious ? JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value)) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? truncateMessage(value) : undefined
}

/** Whether an answer is a page for people, as a proxy or a login in front of a service sends. */
export function isPage(text: string): boolean {
  return /^<(!doctype|html|\?xml)/i.test(text.trimStart())
}

/** What an answer is instead of JSON, in words fit for a sentence that never repeat it. */
export function notJson(text: string, contentType: string | undefined): string {
  if (isPage(text)) return 'is an HTML page, not JSON: a proxy or a wrong address may be answering'
  if (/^[[{"]/.test(text.trimStart())) {
    const excess = jsonExcess(text)
    return excess === undefined ? 'is JSON that breaks off or is damaged' : `is JSON of more than ${excess}`
  }
  return `is not JSON (content type ${contentType?.slice(0, 60) ?? 'not given'})`
}
