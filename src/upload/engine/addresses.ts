import type {Access} from '../../api/client/request/request.js'
import {upload} from '../../api/contract/asset.js'
import {Failure} from '../../api/contract/failure.js'
import {appendPath} from '../../api/http/network/address.js'
import {fillRoute} from '../../api/http/route/route.js'
import {baseText, type LedgerEntry} from '../ledger/entry.js'
import type {UploadJob} from '../model/job.js'
import {brokenAnswer, foreignLocation} from './failures.js'

/** Where uploads to the containers of a run are begun: worked out once for each of them. */
export class Endpoints {
  readonly #access: Access
  readonly #known = new Map<string, string>()

  constructor(access: Access) {
    this.#access = access
  }

  /** The absolute address for a container, without a slash at its end. */
  of(container: string): string {
    const known = this.#known.get(container)
    if (known !== undefined) return known
    const {base} = this.#access
    const address = appendPath(base, fillRoute(this.#access.route(upload).path, {container}, upload.deep)).href
    this.#known.set(container, address)
    return address
  }
}

/**
 * The address that a service gives an upload, resolved against that of the request. Raises a Failure (network) where there is none,
 * or the credential must not go there (product §6 and §11: below the address of the asset service, `base`).
 */
export function checkedLocation(job: UploadJob, location: string | undefined, asked: URL, base: URL): URL {
  if (location === undefined || location === '') {
    throw brokenAnswer(job, 'the service began an upload and did not say where (it sent no Location header)')
  }
  if (!URL.canParse(location, asked.href)) throw brokenAnswer(job, 'the Location header of the upload is no address')
  const url = new URL(location, asked)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw foreignLocation(job, `that begins with ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') throw foreignLocation(job, 'that holds a user name or a password')
  if (url.origin !== asked.origin) throw foreignLocation(job, `on another origin: ${url.origin}`)
  if (uuidOf(url) === '') throw brokenAnswer(job, 'the Location header of the upload names no upload')
  if (!isBelow(url, base)) throw foreignLocation(job, `that is not below ${baseText(base)}: ${url.pathname}`)
  return url
}

/** Whether a path lies below another one, also for a server that decodes it before it resolves it. */
function isBelow(url: URL, base: URL): boolean {
  const [segments, parents] = [decodedSegments(url), decodedSegments(base)]
  const isSound = segments.every((segment) => !/[/\\]|^\.{1,2}$/u.test(segment))
  return isSound && segments.length > parents.length && parents.every((parent, at) => segments[at] === parent)
}

function decodedSegments({pathname}: URL): string[] {
  return pathname.replace(/\/+$/u, '').split('/').map(decodeSegment)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Whether an address is that of an upload which was begun at `endpoint`: `/{container}/{uuid}` without a query (asset, Resource operations). */
export function isUploadOf(url: URL, endpoint: URL): boolean {
  const isNextSegment =
    !url.pathname.endsWith('/') && decodedSegments(url).length === decodedSegments(endpoint).length + 1
  return isNextSegment && isBelow(url, endpoint) && url.search === '' && url.hash === ''
}

/** The last segment of an upload's address: what the document calls the uuid. */
export function uuidOf({pathname}: URL): string {
  return decodeSegment(pathname.split('/').findLast((part) => part !== '') ?? '')
}

/**
 * The address of an upload, of an entry that was read from a ledger: whoever can write that file must not lead the credential
 * to another service or path, nor the tool to offsets that cannot be. `endpoint` is where uploads to its container are begun.
 * Raises a Failure (file) that says what is wrong with the entry.
 */
export function checkedUrl(entry: LedgerEntry, endpoint: URL): URL {
  const fault = orderFault(entry)
  if (fault !== undefined) throw notResumed(entry, fault)
  const url = URL.canParse(entry.url ?? '') ? new URL(entry.url ?? '') : undefined
  if (url === undefined) throw notResumed(entry, 'its address is none')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notResumed(entry, 'its address is not http or https')
  if (url.username !== '' || url.password !== '') throw notResumed(entry, 'its address holds a user name or a password')
  if (url.origin !== endpoint.origin) {
    throw notResumed(entry, `its address is on ${url.origin}, and the asset service is on ${endpoint.origin}`)
  }
  if (!isUploadOf(url, endpoint)) throw notResumed(entry, `its address is not that of an upload in ${entry.container}`)
  return url
}

function orderFault({size, acked, inFlight = []}: LedgerEntry): string | undefined {
  let end = 0
  for (const {from, to} of acked) {
    if (from !== end || to < from) return 'its acknowledged parts are not in order'
    end = to
  }
  if (end > size) return 'it says that more was acknowledged than the file holds'
  if (inFlight.some(({from, to}) => to < from || to > size)) {
    return 'it says that something was being sent that the file does not hold'
  }
  return undefined
}

function notResumed({id}: LedgerEntry, fault: string): Failure {
  return new Failure({
    exit: 'file',
    code: 'ledger-entry',
    message: `upload ${id} was not resumed: ${fault}`,
    why: 'the ledger of uploads was changed by another program or belongs to another service',
    try: `roomctl asset forget ${id}, then upload the file again`,
  })
}
