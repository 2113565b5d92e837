import {headerOf} from './message.js'
import type {WireAnswer, WireRequest} from './transport.js'

/** How much of a body is looked at, and how much of it is shown after masking. */
export const LOOK_BYTES = 64 * 1024
const SHOW_CHARACTERS = 2 * 1024

/** Headers whose value is never shown, whatever the mask knows. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])

type Headers = Readonly<Record<string, string>>
type Mask = (text: string) => string

/** `> METHOD URL | name: value | body`. */
export function requestLine(request: WireRequest, mask: Mask): string {
  return (
    safe(`> ${request.method} ${request.url.href}${headerText(request.headers)}`, mask) + requestBody(request, mask)
  )
}

/** `< STATUS in 12 ms | name: value`. */
export function answerLine(answer: WireAnswer, ms: number, mask: Mask): string {
  return safe(`< ${answer.status} in ${Math.round(ms)} ms${headerText(answer.headers)}`, mask)
}

/** What was read of a body. */
export interface Overheard {
  readonly size: number
  readonly beginning: Buffer
  /** Whether it was read to its end. */
  readonly whole: boolean
}

/** `< body, 123 bytes: text`, from the beginning of a body; only the size where the body is no text. */
export function bodyLine(answer: WireAnswer, {size, beginning, whole}: Overheard, mask: Mask): string {
  const line = `< body, ${size} bytes`
  if (!isText(answer.headers)) return line
  // The mask takes the beginning of a secret for one before an ellipsis.
  return `${line}: ${shown(`${beginning.toString()}${whole && size === beginning.length ? '' : '…'}`, mask)}`
}

/** `! after 12 ms: sentence`. */
export function failureLine(error: unknown, ms: number, mask: Mask): string {
  return safe(`! after ${Math.round(ms)} ms: ${error instanceof Error ? error.message : 'the exchange failed'}`, mask)
}

function headerText(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => ` | ${name}: ${SECRET_HEADERS.has(name.toLowerCase()) ? '***' : value}`)
    .join('')
}

function requestBody(request: WireRequest, mask: Mask): string {
  const {body} = request
  if (body === undefined) return ''
  if (typeof body === 'string') return ` | ${shown(body.slice(0, LOOK_BYTES), mask)}`
  if (!(body instanceof Uint8Array)) return ' | a streamed body'
  if (!isText(request.headers)) return ` | ${body.length} bytes`
  return ` | ${shown(Buffer.from(body.subarray(0, LOOK_BYTES)).toString(), mask)}`
}

function isText(headers: Headers): boolean {
  const coding = headerOf(headers, 'content-encoding') ?? 'identity'
  return coding === 'identity' && /json|^text\/|urlencoded|xml/.test(headerOf(headers, 'content-type') ?? '')
}

/** Masked before it is cut, so that no half of a secret is left at the end. */
function shown(text: string, mask: Mask): string {
  const masked = safe(text, mask)
  return masked.length > SHOW_CHARACTERS ? `${masked.slice(0, SHOW_CHARACTERS)}…` : masked
}

/** Masked, and control, formatting and unassigned characters as `\u{…}`: what a service sends must not steer the terminal. */
function safe(text: string, mask: Mask): string {
  return mask(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)
}
