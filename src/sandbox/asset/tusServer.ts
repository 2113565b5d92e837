import {createHash, randomUUID} from 'node:crypto'
import {closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import type {DataStore, Upload} from '@tus/server'
import {shortWrite, systemCode} from '../../storage/disk/privateFile.js'
import {DamagedDocument, parseDocument} from '../../storage/document.js'
import type {UploadFacts} from '../world/world.js'
import {makeFolder, notRead, uploadShape} from '../world/worldFile.js'
import {type ChunkHeaders, type ExpectedChunk, tusVersion} from './uploadHeaders.js'

/** An answer of the tus server. Header names are lower case. */
export interface TusResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly message: string
  readonly failure?: unknown
}

export type Tus = Awaited<ReturnType<typeof openTus>>
export type StoredUpload = NonNullable<Awaited<ReturnType<Tus['find']>>>

type TusChunk = ChunkHeaders & {readonly bytes: AsyncIterable<Uint8Array>}

/** The parts of Request and Response that the server uses. */
interface TusRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  readonly uuid: string
  readonly facts?: UploadFacts
  readonly location?: string
  failure?: unknown
}

/** The official tus server within the process, on files in a folder. Requests are checked before. Throws Failure. */
export async function openTus(directory: string) {
  makeFolder(directory)
  const library = await import('@tus/server')
  const own = (request: Request) => request as unknown as TusRequest
  const server = new library.Server({
    path: '/',
    datastore: chunkStore(library, directory),
    namingFunction: (request) => own(request).uuid,
    getFileIdFromRequest: (request) => own(request).uuid,
    generateUrl: (request) => own(request).location ?? '',
    onUploadCreate: async (request) => ({metadata: {...own(request).facts}}),
    onResponseError: (request, error) => {
      own(request).failure = error
      return undefined
    },
  })

  async function send(
    {method, uuid, ...rest}: Pick<TusRequest, 'method' | 'uuid' | 'facts' | 'location'>,
    headers: Readonly<Record<string, string>> = {},
    body?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<TusResponse> {
    const request: TusRequest = {
      ...rest,
      method,
      uuid,
      url: `http://sandbox.localhost/${uuid}`,
      headers: new Headers({'tus-resumable': tusVersion, ...headers}),
      body: body ? ReadableStream.from(body) : null,
    }
    const response = await server.handleWeb(request as unknown as Request)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      message: (await response.text()).trim(),
      failure: request.failure,
    }
  }

  return {
    /** Creates an upload, whose address ends with the uuid. */
    async create(facts: UploadFacts, size: number, location: (uuid: string) => string) {
      const uuid = randomUUID()
      const headers = {'upload-length': String(size)}
      return {uuid, ...(await send({method: 'POST', uuid, facts, location: location(uuid)}, headers))}
    },
    /** Continues one. A chunk with a checksum counts only as a whole (tus 1.0.0, Checksum), so it is checked before it is written. */
    async patch(uuid: string, chunk: TusChunk): Promise<TusResponse> {
      const {offset, length, bytes, expected} = chunk
      const checked = expected && (await checkedBytes(chunk, expected))
      if (expected && !checked) return {status: 460, headers: {}, message: mismatch}
      const headers = {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'content-length': String(length),
      }
      return send({method: 'PATCH', uuid}, headers, checked ? [checked] : bytes)
    },
    head: (uuid: string) => send({method: 'HEAD', uuid}),
    async find(uuid: string) {
      const upload = await server.datastore.getUpload(uuid).catch((error: unknown) => {
        // Its facts are incomplete, because the process was killed.
        if (error instanceof DamagedDocument || systemCode(error) === 'ENOENT') return undefined
        throw notRead(directory, error)
      })
      // The shape of the file checks them.
      const facts = upload?.metadata as UploadFacts | undefined
      return upload && facts ? {uuid, facts, size: upload.size ?? 0, offset: upload.offset} : undefined
    },
  }
}

const mismatch = 'the bytes do not have the checksum that Upload-Checksum says; they were discarded'

async function checkedBytes(
  {bytes, length}: TusChunk,
  {algorithm, digest}: ExpectedChunk,
): Promise<Buffer | undefined> {
  const whole = Buffer.concat(await Readable.from(bytes).toArray())
  return whole.length === length && createHash(algorithm).update(whole).digest().equals(digest) ? whole : undefined
}

/** Beside the bytes of each upload is a JSON file of its facts. Synchronous calls take a tenth of the time for small files. */
function chunkStore(
  library: {readonly DataStore: typeof DataStore; readonly Upload: typeof Upload},
  directory: string,
): DataStore {
  class ChunkStore extends library.DataStore {
    override extensions = ['creation']

    override async create(upload: Upload) {
      const file = join(directory, upload.id)
      makeFolder(directory)
      writeFileSync(file, '')
      writeFileSync(`${file}.json`, JSON.stringify(upload))
      return upload
    }

    override async getUpload(id: string) {
      const {size, metadata} = parseDocument(readFileSync(join(directory, `${id}.json`)), {shape: uploadShape})
      return new library.Upload({id, size, offset: statSync(join(directory, id)).size, metadata})
    }

    /** Returns the new offset. Throws the system's error, and what the source throws. */
    override async write(bytes: Readable, id: string, offset: number): Promise<number> {
      const descriptor = openSync(join(directory, id), 'r+')
      let end = offset
      try {
        // A stream that is destroyed as the loop ends would hide the error of a write behind an AbortError.
        for await (const part of bytes.iterator({destroyOnReturn: false})) {
          const written = writeSync(descriptor, part, 0, part.length, end)
          end += written
          if (written < part.length) throw shortWrite()
        }
        return end
      } finally {
        closeSync(descriptor)
      }
    }
  }
  return new ChunkStore()
}
