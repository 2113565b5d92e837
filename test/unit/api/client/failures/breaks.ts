import {answer, breaks, breaksInBody, refusal, type Step} from '../stage.js'

const page = '<html>nothing of the service</html>'

/** The exchange alone says that the change was not made. */
export const certain: [string, Step][] = [
  ['the host has no address', breaks('dns', 'no')],
  ['the connection is refused', breaks('refused', 'no')],
  ['no connection stands in time', breaks('connect-timeout', 'no')],
  ['the connection is reset before anything was sent', breaks('reset', 'no')],
  ['the certificate is not trusted', breaks('tls', 'no')],
  ['the proxy opens no way', breaks('proxy', 'no')],
  ['a documented code comes with 409', refusal('CE003')],
  ['a documented code comes with 200', refusal('CE003', 'no', 200)],
  ['a documented code comes with 500', refusal('CE003', 'no', 500)],
  ['maintenance', refusal('CE100', 'no', 503)],
  ['out of sync', refusal('CE101', 'no', 503)],
  ['too many requests', answer(429, {message: 'slowly'})],
  ['too many requests as a page that names a time', answer(429, page, {'retry-after': '1'})],
  ['a redirect that keeps the method, 307', answer(307)],
  ['a redirect that keeps the method, 308', answer(308)],
]

/** The answer says that the request was accepted, and not its outcome. */
export const acknowledged: [string, Step][] = [
  ['an empty 200', answer(200)],
  ['an empty 202', answer(202)],
  ['an empty 204', answer(204)],
  ['a page with 200', answer(200, page)],
  ['a 200 that is cut', answer(200, '{"status":"SUCC')],
  ['a 200 that is no envelope', answer(200, {ok: true})],
  ['a 200 whose body breaks off', breaksInBody(200)],
  ['a 200 that is too large', breaksInBody(200, 'too-large')],
  ['200 whose body takes too long', breaksInBody(200, 'deadline')],
  ['200 whose body is given up', breaksInBody(200, 'aborted')],
]

/** The change may have been made, and nothing works on it any more. */
export const ended: [string, Step][] = [
  ['the connection is reset', breaks('reset')],
  ['an unknown code comes with 200', refusal('X42', 'no', 200)],
  ['an unknown code comes with 409', refusal('X42')],
  ['FAIL comes without a code', answer(200, {status: 'FAIL'})],
  ['too many requests as a page', answer(429, page)],
  ['a redirect after the fact, 303', answer(303)],
  ['a redirect, 302', answer(302, page)],
  ['500 without an envelope', answer(500, page)],
  ['500 with FAIL and no code', answer(500, {status: 'FAIL', message: 'internal error'})],
  ['500 with an unknown code', refusal('INTERNAL', 'no', 500)],
  ['500 whose body breaks off', breaksInBody(500)],
  ['500 whose body takes too long', breaksInBody(500, 'deadline')],
  ['bad gateway', answer(502, page)],
  ['service unavailable', answer(503, page)],
  ['503 with an unknown code', refusal('BUSY', 'no', 503)],
  ['a 503 whose body breaks off', breaksInBody(503)],
  ['service unavailable until later', answer(503, page, {'retry-after': '1'})],
  ['400 without an envelope', answer(400, page)],
  ['401 without an envelope', answer(401)],
  ['403 without an envelope', answer(403, page)],
  ['404 without an envelope', answer(404, {message: 'no such path'})],
  ['408 of a proxy', answer(408)],
  ['451 of a firewall', answer(451, {message: 'blocked'})],
  ['a 409 whose body breaks off', breaksInBody(409)],
  ['a 409 whose body takes too long', breaksInBody(409, 'deadline')],
  ['a 409 whose body is given up', breaksInBody(409, 'aborted')],
]

/** The change may have been made, or may still be made. */
export const late: [string, Step][] = [
  ['no headers come in time', breaks('headers-timeout')],
  ['no whole answer comes in time', breaks('deadline')],
  ['what answers is no HTTP', breaks('broken')],
  ['the TLS session ends', breaks('tls')],
  ['gateway timeout', answer(504, page)],
  ['a timeout of another gateway', answer(524, page)],
]
