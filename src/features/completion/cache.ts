import {createHash} from 'node:crypto'
import {join} from 'node:path'
import * as z from 'zod/mini'
import {sweepLeft} from '../../storage/disk/replaceFile.js'
import {type DocumentForm, readDocument, writeDocument} from '../../storage/document.js'

/** An id, its description and, for a room, its state. Nothing else of a response is cached. */
export type CachedItem = readonly [id: string, name: string, state?: string | undefined]

const freshMs = 60_000

const cacheForm: DocumentForm<{readonly at: number; readonly list: readonly CachedItem[]}> = {
  shape: z.object({at: z.number(), list: z.array(z.tuple([z.string(), z.string(), z.optional(z.string())]))}),
  maxBytes: 16 * 1024 * 1024,
}

/** A list read within the last minute, else what `read` returns. `key`: profile, address and request. Errors of the cache are ignored. */
export async function readThroughCache(
  {folder, now}: {readonly folder: string; readonly now: Date},
  key: readonly string[],
  read: () => Promise<readonly CachedItem[]>,
): Promise<readonly CachedItem[]> {
  const own = join(folder, 'completion')
  const file = join(own, `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.json`)
  const kept = quietly(() => readDocument(file, cacheForm))
  // The clock may have been wrong when it was written.
  const age = now.getTime() - (kept?.at ?? Number.NaN)
  if (kept && age >= 0 && age < freshMs) return kept.list
  const value = await read()
  quietly(() => {
    sweepLeft(own, freshMs, () => true)
    writeDocument(file, {at: now.getTime(), list: value})
  })
  return value
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
