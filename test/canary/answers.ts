import type http from 'node:http'
import type {Operation} from '../../src/api/contract/operation.js'
import {filled} from '../terminal/fill.js'
import {secretValues} from './canaries.js'
import {carried, codingAt, inResults, inWords, repeated, type Told} from './codings.js'

/** A request to a service, and the material for its answer. */
export interface Asking {
  readonly told: Told
  /** The operation of the request, if any. */
  readonly operation: Operation | undefined
  /** Whether the text of a refusal is the result: a raw request shows the answer unchanged. */
  readonly isRaw: boolean
  /** The number of the answer, which selects how the service echoes the request. */
  readonly number: number
  /** The address of another origin. */
  readonly elsewhere: string
}

type Answer = (response: http.ServerResponse, asking: Asking) => unknown

/** How long a service says nothing. */
const silenceMs = 500

/** With every outcome of a request, the answer repeats it: in headers, in the words of a refusal, in every text of a result. */
export const answers = {
  echo,
  400: refusal(400),
  401: refusal(401),
  403: refusal(403),
  404: refusal(404),
  // A reader could cut it in the middle of the secret.
  422: (response, asking) => sendJson(response, asking, 422, failing(`${'n'.repeat(286)} ${carried(asking.told)}`)),
  500: refusal(500),
  // Without an envelope in the document it is a result.
  'FAIL 200': (response, asking) => sendJson(response, asking, 200, failing(result(asking))),
  redirect: (response, asking) => {
    const location = `${asking.elsewhere}/?q=${encodeURIComponent(asking.told.authorization)}`
    response.writeHead(307, {...echoHeaders(asking.told), location: location.slice(0, 9000)}).end()
  },
  reset: (response) => response.socket?.destroy(),
  // Longer than a call may take; what waits longer, as an upload does, loses its connection.
  timeout: (response) => setTimeout(() => response.socket?.destroy(), silenceMs).unref(),
  truncated: (response, asking) => {
    const head = {...echoHeaders(asking.told), 'content-type': 'application/json', 'content-length': '999999'}
    response.writeHead(200, head)
    response.write(`{"message": ${JSON.stringify(words(asking))}`, () => response.destroy())
  },
  HTML: (response, asking) => {
    response.writeHead(200, {...echoHeaders(asking.told), 'content-type': 'text/html'})
    response.end(`${result(asking)}<!doctype html><pre>${repeated('raw', asking.told)}</pre>`)
  },
} satisfies Readonly<Record<string, Answer>>

/** How a service can fail, and how it can succeed: in a world that is as it should be, or with an echo in every text. */
export type Kind = 'success' | keyof typeof answers
export const kinds: readonly Kind[] = ['success', ...(Object.keys(answers) as (keyof typeof answers)[])]

/** The headers of every answer: the request, plain and coded; a header contains ASCII. */
export function echoHeaders({method, url, authorization}: Told): Record<string, string> {
  const coded = Buffer.from(`${method} ${url} ${authorization}`).toString('base64')
  return {
    'x-url': url.slice(0, 4000),
    'x-authorization': authorization,
    'x-request': coded.slice(0, 4000),
    'set-cookie': `seen=${encodeURIComponent(authorization)}`,
    'www-authenticate': `Bearer realm="${authorization.replaceAll('"', '\\"')}"`,
    'upload-metadata': `authorization ${Buffer.from(authorization).toString('base64')}`,
    'retry-after': '0',
  }
}

function refusal(status: number): Answer {
  return (response, asking) => sendJson(response, asking, status, failing(words(asking)))
}

function result({number, told}: Asking): string {
  return repeated(codingAt(inResults, number), told)
}

function words(asking: Asking): string {
  return asking.isRaw ? result(asking) : repeated(codingAt(inWords, asking.number), asking.told)
}

/** The envelope of a refusal, and what services without an envelope say. */
function failing(text: string): object {
  return {status: 'FAIL', error_code: 'CE002', message: text, error: text, request: text}
}

/** A result of the operation's shape in which every text echoes the request, with the secrets of the tests. */
function echo(response: http.ServerResponse, asking: Asking): void {
  const {operation} = asking
  const secrets = new Set([...(operation?.secrets ?? []), 'token'])
  const text = result(asking)
  const sample =
    operation && filled(operation.reply, (name) => (secrets.has(name) ? String(secretValues[name] ?? text) : text))
  const isPlain = (operation?.responseFormat ?? 'envelope') !== 'envelope'
  sendJson(response, asking, operation?.successes?.[0] ?? 200, isPlain ? sample : {status: 'SUCCESS', data: sample})
}

function sendJson(response: http.ServerResponse, {told}: Asking, status: number, body: unknown): void {
  const isEmpty = status === 204 || told.method === 'HEAD'
  response.writeHead(status, {...echoHeaders(told), ...(isEmpty ? {} : {'content-type': 'application/json'})})
  response.end(isEmpty ? undefined : JSON.stringify(body ?? {message: told.authorization}))
}
