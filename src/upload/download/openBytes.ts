import type {Api} from '../../api/client/api.js'
import {exitOfStatus} from '../../api/client/response/refusalKind.js'
import {bytes, meta} from '../../api/contract/asset.js'
import type {ResourceMeta} from '../../api/contract/assetShapes.js'
import {isLoopback} from '../../api/http/network/address.js'
import {hostAndPort} from '../../api/http/wire/transport.js'
import {type Failure, failureWith} from '../../failure.js'
import {stampOf} from '../model/job.js'

export interface FetchContext {
  readonly api: Api
  readonly runtime: {
    readonly signal: AbortSignal
    readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
    readonly now: () => Date
    readonly random: () => number
  }
}

const mostRedirects = 5

type BytesResponse = Awaited<ReturnType<typeof openBytes>>

/** Asks for bytes. The credential goes to the asset service's own origin alone, never after a redirect. Throws a WireError or a Failure. */
export async function openBytes(
  {api, runtime: {signal}}: FetchContext,
  bytes: BytesLocation,
  headers: Readonly<Record<string, string>>,
) {
  const {base, transport, open} = await api.access('asset')
  let [url, from] = [bytes.url, base]
  for (let hops = 0; hops <= mostRedirects; hops++) {
    checkBytesAddress(url, from, base)
    const known = hops === 0 && url.origin === base.origin
    const answer = await (known ? transport : open)({method: 'GET', url, headers, signal})
    const {location} = answer.headers
    if (location === undefined || ![301, 302, 303, 307, 308].includes(answer.status)) return {answer, url, known}
    answer.discard()
    from = url
    url = parseAddress(location, from, `the address that ${hostAndPort(from)} sends on to`)
  }
  throw failureWith('network', `the bytes were sent on more than ${mostRedirects} times`, {
    code: 'broken-answer',
    why: `the last to do so was ${hostAndPort(from)}`,
  })
}

/** The Failure of an answer without the bytes of the file; else undefined. */
export function responseFailure({answer, url, known}: BytesResponse, bytes: BytesLocation): Failure | undefined {
  const {status, headers} = answer
  if (status === 200 || status === 206) return wrongContent(headers['content-type'] ?? '', url, bytes)
  if (status < 400) return brokenResponse(url, `HTTP ${status} came instead of the bytes`, 'it has none')
  const unasked = !known && (status === 401 || status === 403)
  // Not an auth error: no token was sent.
  const exit = unasked ? 'forbidden' : exitOfStatus(status)
  return failureWith(exit, `${hostAndPort(url)} answered HTTP ${status} for the bytes`, {
    why: unasked ? 'the token goes to the asset service’s own origin only, and never after a redirect' : undefined,
    try: exit === 'unauthenticated' ? {command: ['config login', 'asset']} : undefined,
    httpStatus: status,
    retryable: exit === 'temporary',
  })
}

/** Refuses other content by its type: an error page, or metadata of the resource. */
function wrongContent(contentType: string, url: URL, {ownForm, name = ''}: BytesLocation): Failure | undefined {
  if (/^text\/html\b/iu.test(contentType) && !/\.x?html?$/iu.test(name)) {
    return brokenResponse(url, 'an HTML page came instead of the bytes', 'a proxy or a wrong address may be answering')
  }
  if (ownForm && /[/+]json\b/iu.test(contentType) && !/\.json$/iu.test(name)) {
    const why = 'the document does not show what ?type=asset answers, and this file is no JSON'
    return brokenResponse(url, 'JSON came instead of the bytes', why)
  }
  return undefined
}

function brokenResponse(url: URL, message: string, why: string): Failure {
  return failureWith('network', `${message}, from ${hostAndPort(url)}`, {code: 'broken-answer', why})
}

/** The path of a resource; neither part is encoded. */
export interface ResourcePath {
  readonly container: string
  readonly uuid: string
}

export type BytesLocation = Awaited<ReturnType<typeof locateBytes>>

/** Finds the address of the bytes in the metadata: `dataUrl`, else `?type=asset` (asset, Resource operations). Throws Failure. */
export async function locateBytes({api}: FetchContext, {container, uuid}: ResourcePath) {
  const asked = {path: {container, common_resource_uuid: uuid}, query: {type: 'meta'}} as const
  const resource = await api.call(meta, asked)
  const {dataUrl, originalFileName, description} = resource
  const stamp = stampOf(description)
  const facts = {
    isTrashed: isTrashed(resource),
    ...(originalFileName ? {name: originalFileName} : {}),
    ...(stamp === undefined ? {} : {stamp}),
  }
  if (!dataUrl) {
    const {url} = await api.plan(bytes, {path: {container, uuid}, query: {type: 'asset'}})
    // The service's own form, not an address that the metadata gave.
    return {url, ownForm: true, ...facts}
  }
  const {url: from} = await api.plan(meta, asked)
  return {
    url: parseAddress(dataUrl, from, `cannot read the address of ${container}/${uuid}: the dataUrl of the metadata`),
    ownForm: false,
    ...facts,
  }
}

export function isTrashed({trashed, trashedAt}: ResourceMeta): boolean {
  return Boolean(trashed || trashedAt)
}

/** An address that an answer from `from` names. Throws Failure (network) that calls it `what`. */
function parseAddress(text: string, from: URL, what: string): URL {
  if (URL.canParse(text, from.href)) return new URL(text, from)
  throw failureWith('network', `${what} is no address`, {
    code: 'broken-answer',
    why: `${hostAndPort(from)} answered with it`,
  })
}

/**
 * Refuses an unsafe address that `from` named: not https (http on this machine and the profile's own origin), from https to http, or
 * with a user name. Throws Failure (network) without the address, which may hold a signature.
 */
function checkBytesAddress(url: URL, from: URL, base: URL): void {
  const at = hostAndPort(url)
  const refuse = (message: string, why: string) =>
    failureWith('network', `the address of the bytes ${message}`, {
      code: 'unsafe-address',
      why,
      try: 'read its metadata with asset show --view meta',
    })
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse(`begins with ${url.protocol}`, 'only https is followed')
  if (url.username !== '' || url.password !== '')
    throw refuse(`on ${at} holds a user name or a password`, 'such an address is not followed')
  if (url.protocol === 'https:') return
  if (from.protocol === 'https:')
    throw refuse(`leads from https to plain http, on ${at}`, 'the bytes could be changed on the way')
  if (!isLoopback(url.hostname) && url.origin !== base.origin)
    throw refuse(`is plain http, on ${at}`, 'plain http is followed on this machine only')
}
