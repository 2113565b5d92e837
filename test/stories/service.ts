import http from 'node:http'
import https from 'node:https'
import {afterFile} from '../support/afterFile.js'
import {listen} from '../support/listen.js'

/** A request that reached the service. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
}

/** A service on a loopback port that does whatever a test wants. */
export interface Service {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** Its requests, in order. */
  readonly asked: readonly Asked[]
}

/** The token that every story sends to its service. It is invented, so any occurrence is ours. */
export const token = 'tok-5f2c9d1e7b3a4860'

/** Serves until the tests of the file are over. With `tls` it is an https service. */
export async function serve(
  answer: (path: string, response: http.ServerResponse, headers: http.IncomingHttpHeaders) => void,
  tls?: {readonly cert: string; readonly key: string},
): Promise<Service> {
  const asked: Asked[] = []
  const listener: http.RequestListener = (request, response) => {
    const {method = '', url = '', headers} = request
    asked.push({method, path: url, headers})
    response.on('error', () => {})
    request.resume()
    answer(url, response, headers)
  }
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener)
  const port = await listen(server, {until: afterFile})
  return {url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, asked}
}

/** Answers with exactly this JSON: a text is sent untouched. */
export function sendJson(response: http.ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, {'content-type': 'application/json'})
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The envelope of a success. */
export function success(data: unknown): object {
  return {status: 'SUCCESS', data}
}

/** A room as the list shows it. */
export function summary(id: string, changed: object = {}): object {
  return {
    room_id: id,
    name: `Room ${id}`,
    room_status: 'MEETING',
    reserved_start_time: '2026-12-01T09:00:00Z',
    start_time: '2026-12-01T09:00:05Z',
    max_attendee_count: 30,
    is_public: true,
    created_by: 'ann',
    description: '',
    is_joinable: true,
    ...changed,
  }
}

/** The environment that makes a service the room service, without any profile. */
export function environmentOf({url}: Service, path = ''): Record<string, string> {
  return {ROOMCTL_ROOM_URL: `${url}${path}`, ROOMCTL_ROOM_TOKEN: token}
}
