import type {HttpRequest, HttpResponse, HttpStack} from 'tus-js-client'
import type {Headers, Part} from './means.js'

/** Sends one request of an upload, and gives the headers of an answer that tus-js-client may go on with. */
export type Send = (method: string, url: URL, headers: Headers, part: Part | null) => Promise<Headers>

/**
 * The port of tus-js-client for HTTP. It sees only answers that are good: everything else rejects, since of its own accord it would
 * begin a new upload after a failing HEAD, and follow an address anywhere.
 */
export function httpStack(send: Send): HttpStack {
  return {createRequest: (method, url) => request(method, url, send), getName: () => 'roomctl'}
}

function request(method: string, url: string, send: Send): HttpRequest {
  const headers: Record<string, string> = {}
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => {
      headers[name] = value
    },
    getHeader: (name) => headers[name],
    setProgressHandler: () => undefined,
    // A body is what the file reader gave: a part, or nothing.
    send: async (body: Part | null) => response(await send(method, new URL(url), headers, body ?? null)),
    // Requests end by the signal of the run.
    abort: async () => undefined,
    getUnderlyingObject: () => undefined,
  }
}

function response(headers: Headers): HttpResponse {
  return {
    getStatus: () => 200,
    getHeader: (name) => headers[name.toLowerCase()],
    getBody: () => '',
    getUnderlyingObject: () => undefined,
  }
}
