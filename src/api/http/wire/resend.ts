import {type Transport, WireError, type WireRequest} from './transport.js'
import {abortedFailure, hostAndPort} from './wireFailure.js'

/**
 * Makes kept connections safe to use again. A server may close one between two requests, and what is then written on it
 * fails as if the service had taken the request and said nothing. So before an origin that has answered is asked again, the
 * event loop turns twice (once to leave its present poll, once to poll anew): a connection that was closed by now is noticed
 * and not used. A close that crosses the request remains: then a safe request without a body (GET, HEAD, OPTIONS) is sent
 * once more, and a change is reported as what it is, perhaps received.
 */
export function withResend(send: Transport): Transport {
  const answered = new Set<string>()
  return async (request) => {
    const {origin} = request.url
    if (answered.has(origin)) await twoTurns()
    if (request.signal?.aborted) throw abortedFailure('no', hostAndPort(request.url), request.signal.reason)
    const answer = await send(request).catch((error: unknown) => {
      if (answered.has(origin) && isReset(error) && isSafe(request)) return send(request)
      throw error
    })
    answered.add(origin)
    return answer
  }
}

function twoTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

function isReset(error: unknown): boolean {
  return error instanceof WireError && error.problem === 'reset' && error.sent === 'maybe'
}

function isSafe(request: WireRequest): boolean {
  return request.body === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
}
