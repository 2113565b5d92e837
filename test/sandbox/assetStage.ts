import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {serve} from '../../src/api/http/server/serve.js'
import {seedSandbox} from '../../src/sandbox/demo/scenarios.js'
import {createSandbox} from '../../src/sandbox/sandbox.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {type Choices, newWorld} from '../../src/sandbox/world/world.js'
import {type Answer, exchange} from '../support/exchange.js'
import {freshFolder} from '../support/folder.js'

export const noon = new Date('2026-12-01T12:00:00Z')
export const bearer = {Authorization: 'Bearer sandbox-application-token'}

export type Headers = Readonly<Record<string, string>>

export interface AssetStage {
  readonly origin: string
  readonly store: WorldStore
  /** The folder of uploaded bytes. */
  readonly files: string
  /** Sends a literal request, `GET /asset/games/`, with the token unless other headers are given. Rejects when the connection breaks. */
  ask(line: string, headers?: Headers, body?: string | Buffer): Promise<Answer>
}

/** A sandbox with the demonstration, on a port of its own. */
export async function assetStage(choices: Partial<Choices> = {}): Promise<AssetStage> {
  const store = memoryStore(newWorld({choices}))
  await seedSandbox(store, noon)
  const files = join(freshFolder(), 'files')
  const server = await serve(createSandbox({store, now: () => noon, files}), {port: 0})
  onTestFinished(() => server.close())
  const {origin} = server.url
  return {origin, store, files, ask: (line, headers = bearer, body = '') => ask(origin, line, headers, body)}
}

function ask(origin: string, line: string, headers: Headers, body: string | Buffer): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  const isPlain = (method === 'PATCH' || body.length > 0) && !('Transfer-Encoding' in headers)
  const length = isPlain ? {'Content-Length': Buffer.byteLength(body)} : {}
  return exchange(path.startsWith('http') ? path : `${origin}${path}`, {method, headers: {...length, ...headers}}, body)
}

/** The headers of a create request (asset, Create upload headers). */
export const createHeaders = {
  ...bearer,
  'Tus-Resumable': '1.0.0',
  Original_File_Name: 'level2.bundle',
  'Upload-Length': '11',
  Platform: 'android',
  Description: 'The second level',
}

/** The headers of a PATCH (asset, Continue upload headers) but for Content-Length. */
export function patchHeaders(offset: number, checksum?: string): Record<string, string> {
  return {
    ...bearer,
    'Tus-Resumable': '1.0.0',
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': String(offset),
    ...(checksum === undefined ? {} : {'Upload-Checksum': checksum}),
  }
}

export const tusHeaders = {...bearer, 'Tus-Resumable': '1.0.0'}

/** Begins an upload in games/archive and gives its address. */
export async function begin(on: AssetStage, length: number, headers: Headers = {}): Promise<string> {
  const created = await on.ask('POST /asset/games/archive', {
    ...createHeaders,
    'Upload-Length': String(length),
    ...headers,
  })
  if (created.status !== 201) throw new Error(`no upload was created: ${created.body}`)
  return String(created.headers.location)
}

/** How far the upload came, as HEAD says. */
export async function offsetOf(on: AssetStage, location: string): Promise<number> {
  return Number((await on.ask(`HEAD ${location}`, tusHeaders)).headers['upload-offset'])
}

/** `sha1 <base64>`. */
export function checksumOf(bytes: string | Buffer, algorithm = 'sha1'): string {
  return `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
