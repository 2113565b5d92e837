import {createHash, randomUUID} from 'node:crypto'
import {closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import type {Readable} from 'node:stream'
import type {DataStore, Locker, Upload} from '@tus/server'
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

/** What the server uses of a Request, and what its answers are made of. */
interface TusRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  readonly uuid: string
  readonly facts?: UploadFacts
  readonly location?: string
  readonly expected?: ExpectedChunk | undefined
  failure?: unknown
}

/** The official tus server within the process, on files in a folder. Requests are checked before. Raises a SandboxProblem. */
export async function openTus(directory: string) {
  makeFolder(directory)
  const library = await import('@tus/server')
  const turns: Turns = new Map()
  const own = (request: Request) => request as unknown as TusRequest
  const server = new library.Server({
    path: '/',
    datastore: chunkStore(library, directory, (uuid) => turns.get(uuid)?.expected),
    locker: (request) => turnLocker(turns, own(request).expected),
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
    {method, uuid, ...rest}: Pick<TusRequest, 'method' | 'uuid' | 'facts' | 'location' | 'expected'>,
    headers: Readonly<Record<string, string>> = {},
    body?: AsyncIterable<Uint8Array>,
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
    /** Begins an upload, whose address is made of the uuid. */
    async create(facts: UploadFacts, size: number, location: (uuid: string) => string) {
      const uuid = randomUUID()
      const headers = {'upload-length': String(size)}
      return {uuid, ...(await send({method: 'POST', uuid, facts, location: location(uuid)}, headers))}
    },
    /** Continues one; with `expected` the bytes count only as a whole. */
    patch(uuid: string, {offset, length, bytes, expected}: TusChunk) {
      const headers = {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'content-length': String(length),
      }
      return send({method: 'PATCH', uuid, expected}, headers, bytes)
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

interface Turn {
  readonly expected: ExpectedChunk | undefined
  readonly requestRelease: () => unknown
  readonly ended: Promise<void>
  readonly end: () => void
}

type Turns = Map<string, Turn>

/** Requests for the same upload run one after the other. `expected`: what the bytes of this one must be. */
function turnLocker(turns: Turns, expected: ExpectedChunk | undefined): Locker {
  return {
    newLock: (uuid) => ({
      async lock(_, requestRelease) {
        for (let turn = turns.get(uuid); turn; turn = turns.get(uuid)) {
          turn.requestRelease()
          await turn.ended
        }
        let end = () => {}
        const ended = new Promise<void>((resolve) => {
          end = resolve
        })
        turns.set(uuid, {expected, requestRelease, ended, end})
      },
      async unlock() {
        turns.get(uuid)?.end()
        turns.delete(uuid)
      },
    }),
  }
}

/** @tus/server answers with its status and body (tus 1.0.0, Checksum). */
class ChecksumMismatch extends Error {
  readonly status_code = 460
  readonly body = 'the bytes do not have the checksum that Upload-Checksum says; they were discarded'
}

async function checkedBytes(bytes: Readable, {length, algorithm, digest}: ExpectedChunk): Promise<Buffer> {
  const whole = Buffer.concat(await bytes.toArray())
  if (whole.length === length && createHash(algorithm).update(whole).digest().equals(digest)) return whole
  throw new ChecksumMismatch()
}

/** Writes all chunks from `offset` on, and returns the new one. Raises the system's error, and what the source raises. */
async function writeFrom(
  file: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  offset: number,
): Promise<number> {
  const descriptor = openSync(file, 'r+')
  let end = offset
  try {
    for await (const part of source) {
      const written = writeSync(descriptor, part, 0, part.length, end)
      end += written
      if (written < part.length) throw shortWrite()
    }
    return end
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Beside the bytes of each upload is a JSON file of its facts. Synchronous calls take a tenth of the time for small files. A chunk
 * with a checksum counts only as a whole (tus 1.0.0, Checksum), so it is held in memory until it has been checked.
 */
function chunkStore(
  library: {readonly DataStore: typeof DataStore; readonly Upload: typeof Upload},
  directory: string,
  expectedOf: (uuid: string) => ExpectedChunk | undefined,
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
      const {size, metadata} = parseDocument(readFileSync(join(directory, `${id}.json`)), uploadShape)
      return new library.Upload({id, size, offset: statSync(join(directory, id)).size, metadata})
    }

    override async write(bytes: Readable, id: string, offset: number): Promise<number> {
      const expected = expectedOf(id)
      return writeFrom(join(directory, id), expected ? [await checkedBytes(bytes, expected)] : bytes, offset)
    }
  }
  return new ChunkStore()
}
