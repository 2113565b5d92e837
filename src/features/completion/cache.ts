import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {currentUser, makePrivateFolder, readPrivateFile} from '../../storage/disk/privateFile.js'
import {replaceFile, sweepLeft} from '../../storage/disk/replaceFile.js'

/** An id and the name that is shown beside it. Nothing else of an answer is kept. */
export type CachedItem = readonly [id: string, name: string]

/** How long a list is offered again without asking the service, in milliseconds. */
const freshMs = 60_000

/** No list comes near it. */
const maxBytes = 16 * 1024 * 1024

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
    makePrivateFolder(own)
    // Nobody will be offered it any more: the cache holds no more than a minute of work.
    sweepLeft(own, freshMs, () => true)
    replaceFile(file, Buffer.from(JSON.stringify({at: now.getTime(), list: found})))
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

/** What a file of this user, and of nobody else, holds; undefined where it is too old, or not ours. */
function listIn(file: string, now: Date): readonly CachedItem[] | undefined {
  const bytes = readPrivateFile(file, {maxBytes, owner: currentUser(), looseMode: 'refuse'})
  const kept: unknown = bytes && JSON.parse(bytes.toString('utf8'))
  return isKept(kept) && isFresh(kept.at, now) ? kept.list : undefined
}

function isKept(value: unknown): value is {at: number; list: CachedItem[]} {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('list' in value)) return false
  return typeof value.at === 'number' && Array.isArray(value.list) && value.list.every(isNamed)
}

function isNamed(value: unknown): value is CachedItem {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
}

/** A list of the future was kept while the clock was wrong. */
function isFresh(at: number, now: Date): boolean {
  const age = now.getTime() - at
  return age >= 0 && age < freshMs
}
