import type {Access} from '../../api/client/request/request.js'
import {upload} from '../../api/contract/asset.js'
import {appendPath, isLoopback} from '../../api/http/network/address.js'
import {fillRoute} from '../../api/http/route/route.js'
import {fileFailure} from '../../failure.js'
import {decodeOnce} from '../../text/text.js'
import {baseText, type LedgerEntry} from '../ledger/entry.js'
import type {UploadJob} from '../model/job.js'
import {brokenAnswer, foreignLocation} from './failures.js'

export function endpointOf({base, route}: Pick<Access, 'base' | 'route'>, container: string): URL {
  return appendPath(base, fillRoute(route(upload).path, {container}, upload.catchAll))
}

/** The origins that a service behind a proxy names for itself: of another scheme or port, or of the machine that it runs on. */
function isSameService({hostname}: URL, asked: URL): boolean {
  return hostname === asked.hostname || hostname === '0.0.0.0' || hostname === '[::]' || isLoopback(hostname)
}

/**
 * The address of an upload from its Location, on the origin of the service: the credential goes there. `named`: another origin that a
 * proxy hides. Throws Failure (network) unless it is below `base`.
 */
export function checkedLocation(
  job: UploadJob,
  location: string | undefined,
  asked: URL,
  base: URL,
): {readonly url: URL; readonly named?: string} {
  if (location === undefined || location === '') {
    throw brokenAnswer(job, 'the service created an upload and sent no Location header')
  }
  if (!URL.canParse(location, asked.href)) throw brokenAnswer(job, 'the Location header of the upload is no address')
  const named = new URL(location, asked)
  const url = isSameService(named, asked) ? onOrigin(named, asked) : named
  const fault = originFault(url, asked)
  if (fault !== undefined) throw foreignLocation(job, `that ${fault}`)
  if (uuidOf(url) === '') throw brokenAnswer(job, 'the Location header of the upload names no upload')
  if (!isBelow(url, base)) throw foreignLocation(job, `that is not below ${baseText(base)}: ${url.pathname}`)
  return url.origin === named.origin ? {url} : {url, named: named.origin}
}

/** An http address with the scheme, host and port of another one. */
function onOrigin(url: URL, {origin}: URL): URL {
  const own = new URL(url)
  if (!/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') return own
  return new URL(`${url.pathname}${url.search}${url.hash}`, origin)
}

function originFault(url: URL, {origin}: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `begins with ${url.protocol}`
  if (url.username !== '' || url.password !== '') return 'holds a user name or a password'
  return url.origin === origin ? undefined : `is on ${url.origin}, and the asset service is on ${origin}`
}

/** Whether a path is below another one, also for a server that decodes it before it resolves it. */
function isBelow(url: URL, base: URL): boolean {
  const [segments, parents] = [decodedSegments(url), decodedSegments(base)]
  const isSound = segments.every((segment) => !/[/\\]|^\.{1,2}$/u.test(segment))
  return isSound && segments.length > parents.length && parents.every((parent, at) => segments[at] === parent)
}

function decodedSegments({pathname}: URL): string[] {
  return pathname.replace(/\/+$/u, '').split('/').map(decodeOnce)
}

/** Whether an address is that of an upload which was created at `endpoint`: `/{container}/{uuid}` without a query (asset, Resource operations). */
export function isUploadOf(url: URL, endpoint: URL): boolean {
  const isNextSegment =
    !url.pathname.endsWith('/') && decodedSegments(url).length === decodedSegments(endpoint).length + 1
  return isNextSegment && isBelow(url, endpoint) && url.search === '' && url.hash === ''
}

/** The last segment of an upload's address: what the document calls the uuid. */
export function uuidOf({pathname}: URL): string {
  return decodeOnce(pathname.split('/').findLast((part) => part !== '') ?? '')
}

/**
 * The address of an upload of the ledger. A copied state folder must not lead the credential elsewhere, nor to impossible
 * offsets: throws Failure (file) that names the fault. `endpoint`: creates uploads in its container.
 */
export function checkedUrl(entry: LedgerEntry, endpoint: URL): URL {
  const url = URL.canParse(entry.url ?? '') ? new URL(entry.url ?? '') : undefined
  const fault = orderFault(entry) ?? addressFault(url, endpoint, entry)
  if (url !== undefined && fault === undefined) return url
  throw fileFailure(`upload ${entry.id} was not resumed: ${fault}`, {
    code: 'ledger-entry',
    why: 'the ledger of uploads was changed by another program or belongs to another service',
    try: {sentence: 'before you upload it again', command: ['asset forget', entry.id]},
  })
}

function addressFault(url: URL | undefined, endpoint: URL, {container}: LedgerEntry): string | undefined {
  if (url === undefined) return 'its address is not valid'
  const fault = originFault(url, endpoint)
  if (fault !== undefined) return `its address ${fault}`
  return isUploadOf(url, endpoint) ? undefined : `its address is not that of an upload in ${container}`
}

function orderFault({size, acked, inFlight = []}: LedgerEntry): string | undefined {
  let end = 0
  for (const {from, to} of acked) {
    if (from !== end || to < from) return 'its acknowledged parts are not in order'
    end = to
  }
  const isBeyond = end > size || inFlight.some(({from, to}) => to < from || to > size)
  return isBeyond ? 'it has parts that the file does not have' : undefined
}
