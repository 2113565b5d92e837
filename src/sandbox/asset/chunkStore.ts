import {createHash} from 'node:crypto'
import {readFile, rm, truncate, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Readable} from 'node:stream'
import type {FileStore} from '@tus/file-store'
import type {DataStore} from '@tus/server'

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
function markOf(directory: string, id: string): string {
  return join(directory, `${id}.from`)
}

/** The offset in the mark, or undefined. One that is empty was killed in the making: no byte was written after it. */
async function markedOffset(mark: string): Promise<number | undefined> {
  const text = await readFile(mark, 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : undefined
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
      upload.offset = (await markedOffset(markOf(directory, id))) ?? upload.offset
      return upload
    }

    override async write(bytes: Readable, id: string, offset: number): Promise<number> {
      const [file, mark] = [join(directory, id), markOf(directory, id)]
      // What a chunk that was not found right has left behind.
      await truncate(file, offset)
      await rm(mark, {force: true})
      if (expected === undefined) return super.write(bytes, id, offset)
      await writeFile(mark, String(offset))
      const hash = createHash(expected.algorithm)
      bytes.on('data', (part: Uint8Array) => hash.update(part))
      const end = await super.write(bytes, id, offset)
      const isRight = end - offset === expected.length && hash.digest().equals(expected.digest)
      if (!isRight) await truncate(file, offset)
      await rm(mark)
      if (!isRight) throw new ChecksumMismatch()
      return end
    }
  }
  return new ChunkStore({directory})
}
