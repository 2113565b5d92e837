import {errorBodyOf, isForeignRefusal, redirectTarget} from '../../api/client/response/response.js'
import {patch, upload} from '../../api/contract/asset.js'
import {readBody} from '../../api/http/wire/message.js'
import {WireError, type WireRequest, type WireResponse} from '../../api/http/wire/transport.js'
import {Failure} from '../../failure.js'
import {createHeaders} from '../files/headers.js'
import {checkedLocation, endpointOf} from './addresses.js'
import {partEnd} from './chunkSize.js'
import {brokenAnswer, isRefusal, type UploadFailure} from './failures.js'
import type {Transfer, UploadContext} from './uploadState.js'

/** A part of the file, as tus-js-client hands it from the file reader to the request. */
export interface FilePart {
  readonly from: number
  readonly to: number
  readonly size: number
}

/** Headers by name, in lower case in an answer. */
export type Headers = Readonly<Record<string, string>>

/** Why an upload is of no use, so that another one replaces it; phrases without a full stop. */
export const restartWords = {
  gone: 'the service no longer knows the upload',
  behind: 'the service has less of it than it acknowledged',
  ahead: 'the service has more of it than can be proven to be of this file',
  untold: 'the service does not say how much of it arrived',
  unproven: 'nothing shows that its content did not change',
  refused: 'the upload that the container has is not continued',
} as const
export type Restart = keyof typeof restartWords

export class RestartError extends Error {
  override readonly name = 'RestartError'

  constructor(readonly why: Restart) {
    super(restartWords[why])
  }
}

/** Upload-Offset of an answer, or another number of bytes; undefined if missing or not a number. */
function offsetIn(headers: Headers, name = 'upload-offset'): number | undefined {
  const text = headers[name]?.trim() ?? ''
  const offset = Number(text)
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(offset) ? offset : undefined
}

/** Tus-Max-Size, which a service names where its uploads are created (tus 1.0.0, OPTIONS). Asked for once in a run. */
export function askSizeLimit({run: {context, service}, item}: Transfer): Promise<number | undefined> {
  const url = endpointOf(context.access, item.job.container)
  service.sizeLimit ??= send(context, {method: 'OPTIONS', url, headers: {}}).then(
    (headers) => offsetIn(headers, 'tus-max-size'),
    () => undefined,
  )
  return service.sizeLimit
}

/** The most to read of an answer, whose body only explains a refusal. */
const answerBytes = 16 * 1024

export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'

  constructor(readonly failure: UploadFailure) {
    super(failure.kind === 'lost' ? failure.error.message : failure.kind, {cause: failure})
  }
}

/** Whether a request had certainly no effect: the service refused it, or it was not sent, for want of a token for one. */
function isWithoutEffect(error: unknown): boolean {
  return error instanceof RequestFailure ? isRefusal(error.failure) : error instanceof Failure
}

function isUnsent(error: unknown): boolean {
  return error instanceof RequestFailure && error.failure.kind === 'lost' && error.failure.error.sent === 'no'
}

type Sender = Pick<UploadContext, 'access' | 'settings' | 'signal'>
type Request = Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>

/** Sends a request with the credential; returns the headers of a 2xx. Throws a RequestFailure. `bodyLeft`: whether all of the body was sent. */
async function send(sender: Sender, request: Request, bodyLeft: () => boolean = () => true): Promise<Headers> {
  const {signal} = sender
  const isStreamed = typeof request.body === 'object' && Symbol.asyncIterator in request.body
  if (!isStreamed) return exchange(sender, request, signal)
  // The body can be aborted separately: an answer may arrive before its end.
  const own = new AbortController()
  const follow = () => own.abort(signal.reason)
  signal.addEventListener('abort', follow, {once: true})
  try {
    if (signal.aborted) follow()
    return await exchange(sender, request, own.signal)
  } catch (error) {
    if (!bodyLeft()) own.abort()
    throw error
  } finally {
    signal.removeEventListener('abort', follow)
  }
}

async function exchange({access, settings}: Sender, request: Request, signal: AbortSignal) {
  try {
    const answer = await access.transport({...request, signal, silenceMs: settings.stallMs})
    const {status, headers} = answer
    if (status < 200 || status >= 300)
      throw requestRefused(request.method, answer, await readAnswerText(answer, signal))
    if (answer.isWhole?.()) answer.discard()
    else await readAnswerText(answer, signal)
    return headers
  } catch (error) {
    throw error instanceof WireError ? new RequestFailure({kind: 'lost', error}) : error
  }
}

/** Waits for the end of an answer, to reuse the connection; ignores a failure. */
async function readAnswerText(answer: WireResponse, signal: AbortSignal): Promise<string> {
  if (answer.status === 204 || answer.headers['content-length'] === '0') {
    answer.discard()
    return ''
  }
  const bytes = await readBody(answer, {maxBytes: answerBytes, signal}).catch(() => undefined)
  return bytes?.toString('utf8') ?? ''
}

function requestRefused(method: string, {status, headers}: WireResponse, text: string): RequestFailure {
  const said = status >= 400 ? errorBodyOf(text) : undefined
  // A part whose bytes were changed on the way is refused by 460 (tus, Checksum).
  const isForeign = isForeignRefusal(status, text, method === 'PATCH' ? 460 : undefined)
  const retryAfter = headers['retry-after']
  const location = redirectTarget({status, headers})
  return new RequestFailure({
    kind: 'answered',
    status,
    isForeign,
    retryAfter,
    date: headers.date,
    said,
    location,
    offset: offsetIn(headers),
  })
}

/**
 * Creates an upload by POST, or the method set for it. The ledger has it before the request, and its address before any byte. Throws
 * a RequestFailure or a Failure.
 */
export function createUpload(transfer: Transfer, url: URL, headers: Headers): Promise<Headers> {
  return transfer.run.service.creating(() => create(transfer, url, headers))
}

async function create({run, item, state, records}: Transfer, url: URL, fields: Headers): Promise<Headers> {
  const {context} = run
  const headers = {...fields, ...createHeaders(item.job, context.settings.headerEncoding)}
  const wasInDoubt = state.inDoubt
  state.inDoubt = true
  records.begin()
  const request = {method: context.access.route(upload).method, url, headers}
  const answer = await send(context, request).catch((error: unknown) => {
    if (isWithoutEffect(error) && !wasInDoubt) {
      item.claim.withdraw()
      state.inDoubt = false
    }
    throw error
  })
  const {url: location, named} = checkedLocation(item.job, answer.location, url, context.access.base)
  if (named !== undefined && run.service.isNews('location')) {
    const why = 'a proxy in front of it passes no X-Forwarded-Proto and X-Forwarded-Host'
    context.emit({kind: 'warned', text: `the service names its uploads on ${named}, used on ${url.origin}: ${why}`})
  }
  records.created(location)
  state.url = location
  state.inDoubt = false
  return {location: location.href}
}

/**
 * Sends a part by PATCH, or the method set for it, to the upload's address. Recorded in the ledger before, and when
 * acknowledged. Throws a RequestFailure, or a Failure for an impossible offset.
 */
export async function sendPart(transfer: Transfer, url: URL, fields: Headers, part: FilePart): Promise<Headers> {
  const {run, item, state, chunkSize, records, sent} = transfer
  const {from, to, size} = part
  const {job, source, content} = item
  let toGo = size
  const count = (bytes: Uint8Array) => {
    state.sentBytes += bytes.length
    run.context.emit({kind: 'sent', key: job.key, bytes: bytes.length})
  }
  const left = (bytes: Uint8Array) => {
    toGo -= bytes.length
    sent?.update(bytes)
    if (!run.rate) count(bytes)
  }
  await sent?.begin(from)
  const bytes = await content.body(from, to, left)
  if (to === source.size) sent?.assertStamp()
  await records.sending(from, to)
  const checksum = await checksumOf(transfer, part)
  state.sending({to, size, checksummed: checksum !== undefined})
  const wasInDoubt = state.inDoubt
  state.inDoubt ||= to === source.size
  // The next part is hashed while this one is sent.
  if (run.algorithm) content.digest(to, partEnd(item, to, chunkSize.bytes), run.algorithm).catch(() => undefined)
  const headers = {...fields, 'Content-Length': String(size), ...(checksum ? {'Upload-Checksum': checksum} : {})}
  const {method} = run.context.access.route(patch)
  const body = run.rate ? run.rate.pace(bytes, count, run.context.signal) : bytes
  const request = {method, url, headers, body}
  const sentAt = run.context.now().getTime()
  const answer = await send(run.context, request, () => toGo === 0).catch((error: unknown) => {
    if (isWithoutEffect(error)) state.inDoubt = wasInDoubt
    else state.lost(to)
    if (isUnsent(error)) state.sentBytes -= size - toGo
    throw error
  })
  const offset = offsetIn(answer)
  if (checksum) run.service.checksum = 'accepted'
  if (offset === undefined || offset <= from) {
    state.lost(to)
    throw new RequestFailure({kind: 'stuck', isBehind: offset !== undefined && offset < from})
  }
  if (offset > to) throw brokenAnswer(job, `the service says that it has ${offset} bytes when it was sent ${to}`)
  // A guess that was right is acknowledged with the part after it.
  await records.acked(Math.min(from, state.acked), offset)
  state.acknowledge(offset)
  sent?.accept(offset, to)
  chunkSize.arrived(size, run.context.now().getTime() - sentAt)
  run.context.emit({kind: 'acked', key: job.key, offset})
  return {'upload-offset': String(offset)}
}

async function checksumOf({run, item}: Transfer, {from, to}: FilePart): Promise<string | undefined> {
  const {algorithm} = run
  if (!algorithm || run.service.checksum === 'refused') return undefined
  return `${algorithm} ${await item.content.digest(from, to, algorithm)}`
}

/** The offset of an upload by HEAD, without HEAD by the ledger. Throws a RequestFailure, a RestartError or a Failure. */
export async function askOffset(transfer: Transfer, url: URL, headers: Headers): Promise<Headers> {
  const {run, item, state} = transfer
  const {service, context} = run
  if (service.head !== 'no') {
    const answer = await send(context, {method: 'HEAD', url, headers})
    const offset = offsetIn(answer)
    service.head = offset === undefined ? 'no' : 'yes'
    if (offset !== undefined) await trustHeadOffset(transfer, offset, answer['upload-length'])
  }
  if (service.head === 'no') await resumeWithoutHead(transfer, url, headers)
  state.resume()
  context.emit({kind: 'acked', key: item.job.key, offset: state.acked})
  return {'upload-offset': String(state.assumed), 'upload-length': String(item.source.size)}
}

/** Finds out, once for a run, whether the service answers HEAD at all. */
export async function probeHead({run: {context, service}}: Transfer, url: URL, headers: Headers): Promise<void> {
  try {
    const answer = await send(context, {method: 'HEAD', url, headers})
    service.head = offsetIn(answer) === undefined ? 'no' : 'yes'
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    const {failure} = error
    if (failure.kind === 'answered' && [404, 405, 501].includes(failure.status)) service.head = 'no'
  }
}

async function trustHeadOffset(
  {item, state, records}: Transfer,
  offset: number,
  length: string | undefined,
): Promise<void> {
  const {job, source} = item
  const lie = (what: string) => brokenAnswer(job, `the service says that ${what}`)
  if (length !== undefined && length !== String(source.size)) {
    throw lie(`the upload has ${length} bytes in all when ${source.size} were announced`)
  }
  if (offset > source.size) throw lie(`it has ${offset} bytes of a file of ${source.size}`)
  if (offset > state.maxOffset) {
    if (!state.isUntried) throw lie(`it has ${offset} bytes when it was sent ${state.maxOffset}`)
    throw new RestartError('ahead')
  }
  if (offset > state.acked) await records.acked(state.acked, offset)
  state.acknowledge(offset)
}

/**
 * Without HEAD the offset is the last acknowledged one, or the end of a lost part, which the next part shows. If
 * no bytes are left, an empty part is sent.
 */
async function resumeWithoutHead({run, item, state, records}: Transfer, url: URL, fields: Headers): Promise<void> {
  const {assumed, acked} = state
  if (assumed === acked || assumed < item.source.size) return
  const empty = {'Content-Type': 'application/offset+octet-stream', 'Content-Length': '0'}
  const headers = {...fields, ...empty, 'Upload-Offset': String(assumed)}
  const answer = await send(run.context, {method: 'PATCH', url, headers, body: ''}).catch((error: unknown) => {
    const failure = error instanceof RequestFailure ? error.failure : undefined
    if (failure?.kind !== 'answered' || failure.status >= 500 || failure.status === 429) throw error
    throw new RestartError('untold')
  })
  if (offsetIn(answer) !== assumed) throw new RestartError('untold')
  await records.acked(acked, assumed)
  state.acknowledge(assumed)
}
