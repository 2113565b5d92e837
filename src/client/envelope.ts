/** What an answer of the envelope services says (room, Response envelope). */
export type Envelope =
  | {readonly kind: 'success'; readonly data: unknown}
  | {readonly kind: 'fail'; readonly code: string | undefined; readonly message: string | undefined}
  /** Not an envelope; `what` says what came instead, in words fit for a sentence. */
  | {readonly kind: 'broken'; readonly what: string}

/**
 * Reads an answer's body as an envelope. Success is decided by its `status`, whatever the HTTP status
 * (product §3). Never throws, and never repeats the body: a parser's error would quote it.
 */
export function readEnvelope(text: string, contentType: string | undefined): Envelope {
  if (text.trim() === '') return {kind: 'broken', what: 'is empty'}
  const json = parseJson(text)
  if (json === undefined) return {kind: 'broken', what: notJson(text, contentType)}
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return {kind: 'broken', what: 'is JSON but not an envelope with a status'}
  }
  const {status, data, message, error_code: code} = json as Record<string, unknown>
  if (status === 'SUCCESS') return {kind: 'success', data}
  if (status === 'FAIL') return {kind: 'fail', code: textOf(code), message: textOf(message)}
  return {kind: 'broken', what: 'is JSON but not an envelope: its status is neither SUCCESS nor FAIL'}
}

/** No document has anything near it; what is deeper would overflow the stack of whoever draws it. */
const deepest = 500

/**
 * Parses JSON; undefined when it is none, or nested too deep to be shown. A byte order mark is passed over, as JSON allows (RFC 8259 §8.1). A member called
 * `__proto__` is dropped, so nothing can inherit from it.
 */
export function parseJson(given: string): unknown {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  try {
    const whole = JSON.parse(text)
    if (isTooDeep(whole)) return undefined
    const suspicious = text.includes('__proto__') || text.includes('\\u005f') || text.includes('\\u005F')
    return suspicious ? JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value)) : whole
  } catch {
    return undefined
  }
}

/** Level by level: a recursion could itself go too deep. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === deepest) return true
    level = level.flatMap((one) => Object.values(one).filter(isNested))
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Whether an answer is a page for people, as a proxy or a login in front of a service sends. */
export function isPage(text: string): boolean {
  return /^<(!doctype|html|\?xml)/i.test(text.trimStart())
}

/** What an answer is instead of JSON, in words fit for a sentence that never repeat it. */
export function notJson(text: string, contentType: string | undefined): string {
  const start = text.trimStart()
  if (isPage(text)) return 'is an HTML page, not JSON: a proxy or a wrong address may be answering'
  if (/^[[{"]/.test(start)) {
    return isJson(start) ? `is JSON of more than ${deepest} levels` : 'is JSON that breaks off or is damaged'
  }
  return `is not JSON (content type ${contentType?.slice(0, 60) ?? 'not given'})`
}
