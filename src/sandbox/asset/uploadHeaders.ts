import {platforms} from '../../api/contract/assetShapes.js'
import {headerOf} from '../../api/http/wire/message.js'
import type {WireRequest} from '../../api/http/wire/transport.js'
import {refusePlain} from '../wire/service.js'
import type {UploadFacts} from '../world/world.js'

/** asset, Versioning rule 1. */
export const tusVersion = '1.0.0'

type Headers = WireRequest['headers']

/** Refuses with 412 another version of the protocol, and none, as tus 1.0.0 has it. */
export function checkVersion(headers: Headers): void {
  const version = headerOf(headers, 'tus-resumable')
  if (version === tusVersion) return
  const got = version === undefined ? 'it is missing' : `got ${version}`
  refusePlain(412, `Tus-Resumable: expected ${tusVersion}, but ${got}`, {'tus-version': tusVersion})
}

function required(headers: Headers, name: string): string {
  const value = headerOf(headers, name.toLowerCase())?.trim()
  return value ? value : refusePlain(400, `${name}: the header is required`)
}

function parseCount(name: string, text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value)) return value
  return refusePlain(400, `${name}: expected a whole number of bytes, got ${JSON.stringify(text)}`)
}

/** The encoding of texts in headers is not shown: percent-escapes are decoded, and UTF-8, which arrives as Latin-1. */
function decodeHeader(value: string): string {
  const text = /[\u0080-\u00ff]/.test(value) ? fromUtf8(value) : value
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fromUtf8(value: string): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/** The headers of a create request (asset, Create upload headers: no body). Refuses with 400 and the name of the header. */
export function readCreateHeaders(request: WireRequest, container: string): {facts: UploadFacts; size: number} {
  const {headers} = request
  if (lengthOf(request) > 0) refusePlain(400, 'beginning an upload takes no body; its bytes are sent by PATCH')
  const name = decodeHeader(required(headers, 'Original_File_Name'))
  if (!/[^.]\.[^.]+$/.test(name)) refusePlain(400, 'Original_File_Name: expected a file name with extension')
  const size = parseCount('Upload-Length', required(headers, 'Upload-Length'))
  const text = required(headers, 'Platform').toLowerCase()
  const platform = platforms.find((known) => known === text)
  if (platform === undefined) return refusePlain(400, `Platform: expected one of ${platforms.join(', ')}, got ${text}`)
  const description = decodeHeader(required(headers, 'Description'))
  const link = headerOf(headers, 'asset_resource_file_id')
  return {facts: {container, name, platform, description, ...(link ? {link} : {})}, size}
}

export interface ChunkHeaders {
  readonly offset: number
  readonly length: number
  readonly expected?: ExpectedChunk
}

export interface ExpectedChunk {
  readonly algorithm: string
  readonly digest: Buffer
}

/** tus requires sha1 of every server with checksums. */
export const checksumAlgorithms: readonly string[] = ['sha1', 'sha256', 'md5']

/** Upload-Checksum: "algorithm name, a space, then the base64 checksum". Refuses an unknown one with 400. */
function parseChecksum(text: string): ExpectedChunk {
  const [, algorithm = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  if (base64 === '') refusePlain(400, 'Upload-Checksum: expected an algorithm, a space and the base64 checksum')
  if (!checksumAlgorithms.includes(algorithm))
    refusePlain(400, `Upload-Checksum: the algorithm ${algorithm} is not supported`)
  return {algorithm, digest: Buffer.from(base64, 'base64')}
}

/** A body in memory needs no header, as every client adds it. */
function lengthOf({headers, body}: WireRequest): number {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body ?? '')
  const length = headerOf(headers, 'content-length')
  return length === undefined
    ? refusePlain(411, 'Content-Length: the header is required')
    : parseCount('Content-Length', length)
}

/** The headers of a PATCH (asset, Continue upload headers). Refuses with 400, 411 and 415. */
export function readChunkHeaders(request: WireRequest): ChunkHeaders {
  const {headers} = request
  const type = headerOf(headers, 'content-type')
  if (type !== 'application/offset+octet-stream') {
    refusePlain(415, 'Content-Type: expected application/offset+octet-stream')
  }
  const offset = parseCount('Upload-Offset', required(headers, 'Upload-Offset'))
  const checksum = headerOf(headers, 'upload-checksum')
  const length = lengthOf(request)
  return {offset, length, ...(checksum === undefined ? {} : {expected: parseChecksum(checksum)})}
}
