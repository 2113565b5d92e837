import type http from 'node:http'
import path from 'node:path'
import {sendJson} from './service.js'

/** What a service was sent, whole. */
export interface Request {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly authorization: string
  readonly body: string
}

/** All that a request holds, one after the other. */
const told = ({method, url, authorization, body}: Request) => `${body} ${method} ${url} Authorization: ${authorization}`

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** How a service repeats what it was sent: as it came, coded, escaped, cut. */
const repeating: Readonly<Record<string, (request: Request) => string>> = {
  raw: told,
  base64: (request) => base64(told(request)),
  'base64url of a part': (request) => Buffer.from(told(request).slice(1)).toString('base64url'),
  'base64 in lines': (request) => base64(told(request)).replace(/.{64}/g, '$&\r\n'),
  hex: (request) => Buffer.from(told(request)).toString('hex'),
  'HEX in lines': (request) => Buffer.from(told(request)).toString('hex').toUpperCase().replace(/.{60}/g, '$&\n'),
  percent: (request) => encodeURIComponent(told(request)),
  'all of it in percent': (request) => Buffer.from(told(request)).toString('hex').replace(/../g, '%$&'),
  'form, with a plus': (request) => new URLSearchParams({q: told(request)}).toString(),
  'percent twice': (request) => encodeURIComponent(encodeURIComponent(told(request))),
  'JSON in JSON': (request) => JSON.stringify({q: JSON.stringify(told(request))}),
  'JSON in ASCII': (request) =>
    told(request).replace(/[^\w ]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  HTML: (request) =>
    told(request).replace(/[&<>"'+=/]/g, (character) =>
      character === '"' ? '&quot;' : `&#${character === '+' ? 'x2B' : character.charCodeAt(0)};`,
    ),
}

/** The ways of repeating, by their names. */
export const ways = Object.keys(repeating)

export function repeated(way: string, request: Request): string {
  return repeating[way]?.(request) ?? ''
}

type Answer = (response: http.ServerResponse, request: Request) => void

/** Headers repeat, too; a header holds ASCII. */
function echo(response: http.ServerResponse, request: Request): http.ServerResponse {
  return response
    .setHeader('x-url', request.url)
    .setHeader('x-authorization', request.authorization)
    .setHeader('x-request', base64(told(request)).slice(0, 6000))
    .setHeader('retry-after', '0')
}

/** A refusal that repeats in its own words what it was sent. */
export function refusing(status: number, way: string): Answer {
  return (response, request) => {
    sendJson(echo(response, request), {message: repeated(way, request), request: repeated(way, request)}, status)
  }
}

/** A refusal whose words a reader could cut in the middle of `secret`. */
export function cutting(status: number, secret: (request: Request) => string): Answer {
  return (response, request) => {
    sendJson(echo(response, request), {message: `${'n'.repeat(286)} ${secret(request)}`}, status)
  }
}

/** A page, as a proxy or a framework writes it. */
export function page(status: number, way: string): Answer {
  return (response, request) => {
    echo(response, request).writeHead(status, {'content-type': 'text/html'})
    response.end(`<!doctype html><pre>Cannot ${repeated(way, request)}</pre>`)
  }
}

/** An answer whose connection breaks off in the middle of it. */
export const truncated: Answer = (response, request) => {
  const body = `{"message": ${JSON.stringify(told(request))}`
  echo(response, request).writeHead(200, {'content-type': 'application/json', 'content-length': '99999'})
  response.write(body, () => response.destroy())
}

/** Records, transactions, a uuid and a configuration in which each text repeats what came. */
export function parrot(way: string, serverKey: string): Answer {
  return (response, request) => {
    const text = repeated(way, request)
    const {authorization} = request
    const transaction = {
      recipient_id: 'ann',
      request_id: text,
      transaction_id: authorization,
      transaction_type: base64(authorization),
      transaction_at: text,
      status: `FAILED ${text}`,
    }
    const configuration = {
      fcm_server_key: serverKey,
      package_name: `com.${text}`,
      bundle_id: authorization,
      team_id: text,
      ios_apns_type: 'CERTIFICATE',
      certificate_expiry_date: `2049-12-31T${text}`,
    }
    const isRecords = request.url.includes('/transactions')
    const whole = {request_uuid: authorization, transactions: [transaction], ...configuration, request: text}
    sendJson(echo(response, request), isRecords ? [transaction] : whole)
  }
}

/** A service that takes everything, and shows what was registered. */
export function well(serverKey: string): Answer {
  let shown: object = {fcm_server_key: serverKey, package_name: 'com.example.rooms'}
  const transactions = ['ann', 'ben'].map((recipient_id) => ({recipient_id, transaction_id: 't-1', status: 'SENT'}))
  const done = {transactions, request_uuid: '7c9e6679-7425-40de-944b-e07fc1f90ae7'}
  return (response, request) => {
    const {pathname} = new URL(request.url, 'http://service')
    if (request.method === 'GET') return sendJson(echo(response, request), pathname.endsWith('/config') ? shown : [])
    shown = {...shown, ...registered(request)}
    sendJson(echo(response, request), done, statuses[path.basename(pathname)] ?? 200)
  }
}

const statuses: Readonly<Record<string, number>> = {tokens: 201, messages: 202}

/** What the configuration shows after a request, if it was one that registers. */
function registered({url, body}: Request): object {
  const {pathname, searchParams} = new URL(url, 'http://service')
  const {bundle_id, team_id, key_id} = Object.fromEntries(searchParams)
  if (pathname.endsWith('/android')) return JSON.parse(body)
  if (pathname.endsWith('/key')) return {bundle_id, team_id, key_id, ios_apns_type: 'TOKEN'}
  const expiry = {certificate_expiry_date: '2049-12-31'}
  return pathname.endsWith('/certificate') ? {bundle_id, ios_apns_type: 'CERTIFICATE', ...expiry} : {}
}

/** Reads what a service was sent, to its end. */
export function whole(response: http.ServerResponse, then: (request: Request) => void): void {
  const {method = '', url = '', headers} = response.req
  const chunks: Buffer[] = []
  response.req
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .once('end', () => {
      const {authorization = ''} = headers
      then({method, url, authorization, body: Buffer.concat(chunks).toString('utf8')})
    })
}
