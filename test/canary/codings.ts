/** The whole request. */
export interface Told {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly authorization: string
  /** A body that is no text has a character for each byte. */
  readonly body: string
}

/** How a service may echo a request in a result: plain, or percent-encoded. */
export const inResults = ['raw', 'percent'] as const

/** The same in its words, that is in errors and warnings: in JSON and in base64, too. */
export const inWords = [...inResults, 'form', 'JSON', 'base64', 'base64url of a part'] as const

type Coding = (typeof inWords)[number]

const repeating: Readonly<Record<Coding, (request: Told) => string>> = {
  raw: told,
  percent: (request) => encodeURIComponent(told(request)),
  form: (request) => new URLSearchParams({q: told(request)}).toString(),
  JSON: (request) => JSON.stringify({q: told(request)}),
  base64: (request) => bytesOf(request).toString('base64'),
  'base64url of a part': (request) => bytesOf(request).subarray(1).toString('base64url'),
}

/** The request in a coding. */
export function repeated(coding: Coding, request: Told): string {
  return repeating[coding](request)
}

/** The coding of the answer with a number, each in its turn. */
export function codingAt(codings: readonly Coding[], number: number): Coding {
  return codings[number % codings.length] ?? 'raw'
}

/** The secret that a request carries: of its query, its body, its file, else the token. */
export function carried({url, body, authorization}: Told): string {
  const password = new URL(url, 'http://service').searchParams.get('apns_certificate_password')
  const member = /"(?:push_token|fcm_server_key)":("(?:[^"\\]|\\.)*")/.exec(body)?.[1]
  const key = /-----BEGIN PRIVATE KEY-----\n[^\n]*\n([^-]*)/.exec(body)?.[1]
  return password ?? (member === undefined ? undefined : String(JSON.parse(member))) ?? key ?? authorization
}

/** All that a request holds, one after the other; of a file that is no text a service repeats no more than base64. */
function told(request: Told): string {
  return `${isText(request) ? request.body : ''} ${rest(request)}`
}

function bytesOf(request: Told): Buffer {
  const body = Buffer.from(request.body, isText(request) ? 'utf8' : 'latin1')
  return Buffer.concat([body, Buffer.from(` ${rest(request)}`)])
}

function rest({method, url, authorization}: Told): string {
  return `${method} ${url} Authorization: ${authorization}`
}

/** Bytes that are no text have characters that no text of the tests has. */
function isText({body}: Told): boolean {
  return !/[\u0080-\u009f]/.test(body)
}
