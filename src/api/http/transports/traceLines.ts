import {headerOf} from '../wire/message.js'
import type {WireRequest, WireResponse} from '../wire/transport.js'

/** How much of a body is looked at, and how much of it is shown after masking. */
export const LOOK_BYTES = 64 * 1024
const SHOW_CHARACTERS = 2 * 1024

/** Headers whose value is never shown, whatever the mask knows. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])

type Headers = Readonly<Record<string, string>>
/** Makes a text fit to be shown: secrets are masked, and nothing in it steers the terminal. */
export type Shown = (text: string) => string

/** `> METHOD URL | name: value | body`. */
export function requestLine(request: WireRequest, shown: Shown): string {
  return shown(`> ${request.method} ${request.url.href}${headerText(request.headers)}`) + requestBody(request, shown)
}

/** `< STATUS in 12 ms | name: value`. */
export function responseLine(answer: WireResponse, ms: number, shown: Shown): string {
  return shown(`< ${answer.status} in ${Math.round(ms)} ms${headerText(answer.headers)}`)
}

/** What was read of a body. */
export interface TappedBody {
  readonly size: number
  readonly beginning: Buffer
  /** Whether it was read to its end. */
  readonly whole: boolean
}

/** `< body, 123 bytes: text`, from the beginning of a body; only the size where the body is no text. */
export function bodyLine(answer: WireResponse, {size, beginning, whole}: TappedBody, shown: Shown): string {
  const line = `< body, ${size} bytes`
  if (!isText(answer.headers)) return line
  // The mask takes the beginning of a secret for one before an ellipsis.
  return `${line}: ${beginningOf(`${beginning.toString()}${whole && size === beginning.length ? '' : '…'}`, shown)}`
}

/** `! after 12 ms: sentence`. */
export function tracedFailureLine(error: unknown, ms: number, shown: Shown): string {
  return shown(`! after ${Math.round(ms)} ms: ${error instanceof Error ? error.message : 'the exchange failed'}`)
}

function headerText(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => ` | ${name}: ${SECRET_HEADERS.has(name.toLowerCase()) ? '***' : value}`)
    .join('')
}

function requestBody(request: WireRequest, shown: Shown): string {
  const {body} = request
  if (body === undefined) return ''
  if (typeof body === 'string') return ` | ${beginningOf(body.slice(0, LOOK_BYTES), shown)}`
  if (!(body instanceof Uint8Array)) return ' | a streamed body'
  if (!isText(request.headers)) return ` | ${body.length} bytes`
  return ` | ${beginningOf(Buffer.from(body.subarray(0, LOOK_BYTES)).toString(), shown)}`
}

function isText(headers: Headers): boolean {
  const coding = headerOf(headers, 'content-encoding') ?? 'identity'
  return coding === 'identity' && /json|^text\/|urlencoded|xml/.test(headerOf(headers, 'content-type') ?? '')
}

/** Masked before it is cut, so that no half of a secret is left at the end. */
function beginningOf(text: string, shown: Shown): string {
  const whole = shown(text)
  return whole.length > SHOW_CHARACTERS ? `${whole.slice(0, SHOW_CHARACTERS)}…` : whole
}
