/** What a service was sent, whole. */
export interface Told {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly authorization: string
  readonly body: string
}

/** All that a request holds, one after the other. */
function told({method, url, authorization, body}: Told): string {
  return `${body} ${method} ${url} Authorization: ${authorization}`
}

/** How a service repeats what it was sent: as it came, coded, escaped, in lines. */
const repeating: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  base64,
  'base64url of a part': (text) => bytesOf(text.slice(1)).toString('base64url'),
  'base64 in lines': (text) => base64(text).replace(/.{64}/g, '$&\r\n'),
  hex: hex,
  'HEX in lines': (text) => hex(text).toUpperCase().replace(/.{60}/g, '$&\n'),
  percent: (text) => encodeURIComponent(text),
  'all of it in percent': (text) => hex(text).replace(/../g, '%$&'),
  'form, with a plus': (text) => new URLSearchParams({q: text}).toString(),
  'percent twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'JSON in JSON': (text) => JSON.stringify({q: JSON.stringify(text)}),
  'JSON in ASCII': (text) =>
    text.replace(/[^\w ]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  HTML: (text) =>
    text.replace(/[&<>"'+=/]/g, (character) =>
      character === '"' ? '&quot;' : `&#${character === '+' ? 'x2B' : character.charCodeAt(0)};`,
    ),
}

/** The names of the codings. */
export const codings = Object.keys(repeating)

/** What was sent, in a coding. */
export function repeated(coding: string, request: Told): string {
  return repeating[coding]?.(told(request)) ?? ''
}

/** The secret that a request carries: of its query, its body, its file, else the token. */
export function carried({url, body, authorization}: Told): string {
  const password = new URL(url, 'http://service').searchParams.get('apns_certificate_password')
  const member = /"(?:push_token|fcm_server_key)":("(?:[^"\\]|\\.)*")/.exec(body)?.[1]
  const key = /-----BEGIN PRIVATE KEY-----\n[^\n]*\n([^-]*)/.exec(body)?.[1]
  return password ?? (member === undefined ? undefined : String(JSON.parse(member))) ?? key ?? authorization
}

function base64(text: string): string {
  return bytesOf(text).toString('base64')
}

function hex(text: string): string {
  return bytesOf(text).toString('hex')
}

/** The bytes of a text, or of what stands for bytes itself. */
function bytesOf(text: string): Buffer {
  const isBytes = !/[\u0100-\uffff]/.test(text)
  return Buffer.from(text, isBytes ? 'latin1' : 'utf8')
}
