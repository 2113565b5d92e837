import {createHash} from 'node:crypto'
import {join} from 'node:path'
import * as z from 'zod/mini'
import {currentUser} from '../../storage/disk/privateFile.js'
import {sweepLeft} from '../../storage/disk/replaceFile.js'
import {type DocumentForm, readDocument, writeDocument} from '../../storage/document.js'

/** An id and the name that is shown beside it. Nothing else of an answer is kept. */
export type CachedItem = readonly [id: string, name: string]

/** How long a list is offered again without asking the service, in milliseconds. */
const freshMs = 60_000

const cacheForm: DocumentForm<{readonly at: number; readonly list: readonly CachedItem[]}> = {
  shape: z.object({at: z.number(), list: z.array(z.tuple([z.string(), z.string()]))}),
  // No list comes near it.
  maxBytes: 16 * 1024 * 1024,
  looseMode: 'refuse',
}

export interface CandidateCache {
  /** The cache folder of this user; may be missing. */
  readonly folder: string
  readonly now: Date
}

/**
 * A list that was read within the last minute, else what `read` gives, which is then kept (0600, in a folder of 0700). `key` says
 * whose list it is: profile, address and what was asked. Raises what `read` raises; a cache that cannot be used is not.
 */
export async function readThroughCache(
  {folder, now}: CandidateCache,
  key: readonly string[],
  read: () => Promise<readonly CachedItem[]>,
): Promise<readonly CachedItem[]> {
  const own = join(folder, 'completion')
  const file = join(own, `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.json`)
  const kept = quietly(() => listIn(file, now))
  if (kept) return kept
  const found = await read()
  quietly(() => {
    // Nobody will be offered it any more: the cache holds no more than a minute of work.
    sweepLeft(own, freshMs, () => true)
    writeDocument(file, {at: now.getTime(), list: found})
  })
  return found
}

/** Completion works without its cache, only slower. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** What a file of this user, and of nobody else, holds; undefined where it is too old. Raises what `readDocument` raises. */
function listIn(file: string, now: Date): readonly CachedItem[] | undefined {
  const kept = readDocument(file, {...cacheForm, owner: currentUser()})
  return kept && isFresh(kept.at, now) ? kept.list : undefined
}

/** A list of the future was kept while the clock was wrong. */
function isFresh(at: number, now: Date): boolean {
  const age = now.getTime() - at
  return age >= 0 && age < freshMs
}
