import {createHash, randomUUID} from 'node:crypto'
import {readFile, rm, truncate, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import type {FileStore} from '@tus/file-store'
import type {DataStore} from '@tus/server'
import {platforms} from '../../api/contract/asset.js'
import type {UploadFacts} from '../world/world.js'
import {makeFolder} from '../world/worldFile.js'
import {tusVersion} from './uploadHeaders.js'

/** What the tus server said. Header names are lower case. */
export interface TusResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Its words, where it refuses. */
  readonly message: string
}

/** An upload as the tus server keeps it. */
export interface StoredUpload {
  readonly uuid: string
  readonly facts: UploadFacts
  readonly size: number
  readonly offset: number
}

export interface Tus {
  /** Begins an upload; its address is made of the uuid. */
  create(facts: UploadFacts, size: number, location: (uuid: string) => string): Promise<TusResponse & {uuid: string}>
  /** Continues one; with `expected` the bytes count only as a whole. */
  patch(uuid: string, chunk: TusChunk): Promise<TusResponse>
  head(uuid: string): Promise<TusResponse>
  /** The upload of that uuid, complete or not, or undefined. */
  find(uuid: string): Promise<StoredUpload | undefined>
}

export interface TusChunk {
  readonly offset: number
  readonly length: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly expected?: ExpectedChunk
}

interface TusRequest {
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

  async function send({method, uuid, headers, body, facts, location = '', expected}: TusRequest): Promise<TusResponse> {
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
    async create(facts, size, location) {
      const uuid = randomUUID()
      const headers = {'upload-length': String(size)}
      return {uuid, ...(await send({method: 'POST', uuid, headers, facts, location: location(uuid)}))}
    },
    patch(uuid, {offset, length, bytes, expected}) {
      const headers = {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'content-length': String(length),
      }
      return send({method: 'PATCH', uuid, headers, body: bytes, expected})
    },
    head: (uuid) => send({method: 'HEAD', uuid}),
    async find(uuid) {
      const upload = await chunkStore(FileStore, directory, undefined)
        .getUpload(uuid)
        .catch(() => undefined)
      const facts = parseFacts(upload?.metadata)
      return upload && facts ? {uuid, facts, size: upload.size ?? 0, offset: upload.offset} : undefined
    },
  }
}

/** What was said of the file when the upload began, as it is kept beside its bytes. */
function parseFacts(kept: Readonly<Record<string, string | null>> = {}): UploadFacts | undefined {
  const {container, name, description, link} = kept
  const platform = platforms.find((known) => known === kept.platform)
  if (!platform || typeof container !== 'string' || typeof name !== 'string') return undefined
  return {container, name, platform, description: description ?? '', ...(link ? {link} : {})}
}

/** What the bytes of one PATCH must be. */
export interface ExpectedChunk {
  readonly length: number
  readonly algorithm: string
  readonly digest: Buffer
}

/** What @tus/server answers with its own status and body. */
class ChecksumMismatch extends Error {
  /** tus 1.0.0, Checksum. */
  readonly status_code = 460
  readonly body = 'the bytes do not have the checksum that Upload-Checksum says; they were discarded'
}

/** Says how far the upload came before a chunk whose bytes may be in the file and are not found right yet. */
function markFile(directory: string, id: string): string {
  return join(directory, `${id}.from`)
}

/** The offset in the mark, or undefined. One that is empty was killed in the making: no byte was written after it. */
async function markedOffset(mark: string): Promise<number | undefined> {
  const text = await readFile(mark, 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** A chunk of at most this many bytes is checked in memory, which spares most files the mark. */
const heldBytes = 1024 * 1024

/** Raises a ChecksumMismatch, and what the stream does. */
async function checkedBytes(bytes: Readable, {length, algorithm, digest}: ExpectedChunk): Promise<Buffer> {
  const whole = Buffer.concat(await bytes.toArray())
  if (whole.length === length && createHash(algorithm).update(whole).digest().equals(digest)) return whole
  throw new ChecksumMismatch()
}

/**
 * The official file store, with what neither it nor the server does: a chunk with a checksum is written behind the bytes that
 * are there, and counts only when all of it came and is found right; else it is discarded (tus 1.0.0, Checksum). Whenever the
 * process is killed, the offset is that of before the chunk, or of after it.
 */
export function chunkStore(Base: typeof FileStore, directory: string, expected: ExpectedChunk | undefined): DataStore {
  // Without its private members, one of which is replaced.
  const Parent: new (options: {directory: string}) => DataStore = Base
  class ChunkStore extends Parent {
    /** The folder was made before. Where it has gone, the store's own making of it would end the process: nobody can catch it. */
    checkOrCreateDirectory(): void {
      // Each call that needs the folder says what it lacks.
    }

    override async getUpload(id: string) {
      const upload = await super.getUpload(id)
      upload.offset = (await markedOffset(markFile(directory, id))) ?? upload.offset
      return upload
    }

    override async write(bytes: Readable, id: string, offset: number): Promise<number> {
      const [file, mark] = [join(directory, id), markFile(directory, id)]
      // What a chunk that was not found right has left behind.
      if ((await markedOffset(mark)) !== undefined) await truncate(file, offset)
      if (expected && expected.length > heldBytes) return this.#writeMarked(bytes, id, offset, expected)
      const right = expected ? Readable.from([await checkedBytes(bytes, expected)]) : bytes
      await rm(mark, {force: true})
      return super.write(right, id, offset)
    }

    /** A large chunk: the mark beside it says from where on its bytes may not be right. */
    async #writeMarked(bytes: Readable, id: string, offset: number, chunk: ExpectedChunk): Promise<number> {
      const [file, mark] = [join(directory, id), markFile(directory, id)]
      await writeFile(mark, String(offset))
      const hash = createHash(chunk.algorithm)
      bytes.on('data', (part: Uint8Array) => hash.update(part))
      const end = await super.write(bytes, id, offset)
      const isRight = end - offset === chunk.length && hash.digest().equals(chunk.digest)
      if (!isRight) await truncate(file, offset)
      await rm(mark)
      if (!isRight) throw new ChecksumMismatch()
      return end
    }
  }
  return new ChunkStore({directory})
}
