import {randomUUID} from 'node:crypto'
import {platforms} from '../../api/contract/assetShapes.js'
import type {UploadFacts} from '../world/assetWorld.js'
import {makeFolder} from '../world/worldFile.js'
import {chunkStore, type ExpectedChunk} from './chunkStore.js'
import {tusVersion} from './uploadHeaders.js'

/** What the tus server said. Header names are lower case. */
export interface TusAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Its words, where it refuses. */
  readonly message: string
}

/** An upload as the tus server keeps it. */
export interface UploadState {
  readonly uuid: string
  readonly facts: UploadFacts
  readonly size: number
  readonly offset: number
}

export interface Tus {
  /** Begins an upload; its address is made of the uuid. */
  begin(facts: UploadFacts, size: number, location: (uuid: string) => string): Promise<TusAnswer & {uuid: string}>
  /** Continues one; with `expected` the bytes count only as a whole. */
  patch(uuid: string, chunk: TusChunk): Promise<TusAnswer>
  head(uuid: string): Promise<TusAnswer>
  /** The upload of that uuid, complete or not, or undefined. */
  find(uuid: string): Promise<UploadState | undefined>
}

export interface TusChunk {
  readonly offset: number
  readonly length: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly expected?: ExpectedChunk
}

interface Asked {
  readonly method: string
  readonly uuid: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: AsyncIterable<Uint8Array>
  readonly facts?: UploadFacts
  readonly location?: string
  readonly expected?: ExpectedChunk | undefined
}

/**
 * The official tus server on the official file store, in a folder that is made when it is not there. It is asked within the
 * process, by requests of its own making: what the document adds to tus has been checked before. Throws a SandboxProblem when
 * the folder cannot be used.
 */
export async function openTus(directory: string): Promise<Tus> {
  makeFolder(directory)
  const [{MemoryLocker, Server}, {FileStore}] = await Promise.all([import('@tus/server'), import('@tus/file-store')])
  // Of all requests: two for the same upload come one after the other.
  const locker = new MemoryLocker()

  async function ask({method, uuid, headers, body, facts, location = '', expected}: Asked): Promise<TusAnswer> {
    const server = new Server({
      path: '/',
      datastore: chunkStore(FileStore, directory, expected),
      locker,
      namingFunction: () => uuid,
      getFileIdFromRequest: () => uuid,
      generateUrl: () => location,
      onUploadCreate: async () => ({metadata: {...facts}}),
    })
    const response = await server.handleWeb(
      new Request(`http://sandbox.localhost/${uuid}`, {
        method,
        headers: {'tus-resumable': tusVersion, ...headers},
        ...(body === undefined ? {} : {body: ReadableStream.from(body), duplex: 'half'}),
      }),
    )
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      message: (await response.text()).trim(),
    }
  }

  return {
    async begin(facts, size, location) {
      const uuid = randomUUID()
      const headers = {'upload-length': String(size)}
      return {uuid, ...(await ask({method: 'POST', uuid, headers, facts, location: location(uuid)}))}
    },
    patch(uuid, {offset, length, bytes, expected}) {
      const headers = {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'content-length': String(length),
      }
      return ask({method: 'PATCH', uuid, headers, body: bytes, expected})
    },
    head: (uuid) => ask({method: 'HEAD', uuid}),
    async find(uuid) {
      const upload = await chunkStore(FileStore, directory, undefined)
        .getUpload(uuid)
        .catch(() => undefined)
      const facts = factsIn(upload?.metadata)
      return upload && facts ? {uuid, facts, size: upload.size ?? 0, offset: upload.offset} : undefined
    },
  }
}

/** What was said of the file when the upload began, as it is kept beside its bytes. */
function factsIn(kept: Readonly<Record<string, string | null>> = {}): UploadFacts | undefined {
  const {container, name, description, link} = kept
  const platform = platforms.find((known) => known === kept.platform)
  if (!platform || typeof container !== 'string' || typeof name !== 'string') return undefined
  return {container, name, platform, description: description ?? '', ...(link ? {link} : {})}
}
