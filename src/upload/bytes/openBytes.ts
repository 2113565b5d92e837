import {exitOfStatus} from '../../api/client/failures/refusal.js'
import {Failure} from '../../api/contract/failure.js'
import type {WireResponse} from '../../api/http/wire/transport.js'
import {hostAndPort} from '../../api/http/wire/transport.js'
import {addressIn, type BytesPlace, checkBytesAddress} from './bytesPlace.js'
import type {FetchContext} from './fetchContext.js'

/** How often the address of bytes may send on to another. */
const mostRedirects = 5

/** An answer that is about to bring bytes, who gives it, and whether it was asked with the credential. */
export interface BytesAnswer {
  readonly answer: WireResponse
  readonly url: URL
  readonly known: boolean
}

/**
 * Asks for the bytes at a place. The credential goes along to the asset service's own origin alone, and never after a
 * redirect; every other origin is asked without one. Raises a `WireError` where no answer came, and a Failure for an address that
 * must not be followed. Whatever the last address answers is given back.
 */
export async function openBytes(
  {api, signal}: FetchContext,
  bytes: BytesPlace,
  headers: Readonly<Record<string, string>>,
): Promise<BytesAnswer> {
  const {base, transport, open} = await api.access('asset')
  let [url, from] = [bytes.url, base]
  for (let hops = 0; hops <= mostRedirects; hops++) {
    checkBytesAddress(url, from, base)
    const known = hops === 0 && url.origin === base.origin
    const answer = await (known ? transport : open)({method: 'GET', url, headers, signal})
    if (!isRedirect(answer)) return {answer, url, known}
    answer.discard()
    from = url
    url = addressIn(answer.headers.location ?? '', from, `the address that ${hostAndPort(from)} sends on to`)
  }
  throw new Failure({
    exit: 'network',
    code: 'broken-answer',
    message: `the bytes were sent on more than ${mostRedirects} times`,
    why: `the last to do so was ${hostAndPort(from)}`,
  })
}

function isRedirect({status, headers}: WireResponse): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined
}

/** The Failure of an answer that brings no bytes, or not those of the file; undefined where it does. */
export function refusalOf({answer, url, known}: BytesAnswer, bytes: BytesPlace): Failure | undefined {
  const {status, headers} = answer
  if (status === 200 || status === 206) return strangerOf(headers['content-type'] ?? '', url, bytes)
  if (status < 400) return broken(url, `HTTP ${status} came instead of the bytes`, 'it brings none')
  const unasked = !known && (status === 401 || status === 403)
  // The token cannot be what is wrong where it was not sent.
  const exit = unasked ? 'forbidden' : exitOfStatus(status)
  return new Failure({
    exit,
    message: `${hostAndPort(url)} answered HTTP ${status} for the bytes`,
    why: unasked ? 'the token goes to the asset service’s own origin only, and never after a redirect' : undefined,
    try: exit === 'unauthenticated' ? 'roomctl config login asset' : undefined,
    httpStatus: status,
    retryable: exit === 'temporary',
  })
}

/** What tells by its type that it is not the file: an error page, or a description of the resource. */
function strangerOf(contentType: string, url: URL, {ownForm, name = ''}: BytesPlace): Failure | undefined {
  if (/^text\/html\b/iu.test(contentType) && !/\.x?html?$/iu.test(name)) {
    return broken(url, 'an HTML page came instead of the bytes', 'a proxy or a wrong address may be answering')
  }
  if (ownForm && /[/+]json\b/iu.test(contentType) && !/\.json$/iu.test(name)) {
    const why = 'the document does not show what ?type=asset answers, and this file is no JSON'
    return broken(url, 'JSON came instead of the bytes', why)
  }
  return undefined
}

function broken(url: URL, message: string, why: string): Failure {
  return new Failure({exit: 'network', code: 'broken-answer', message: `${message}, from ${hostAndPort(url)}`, why})
}
