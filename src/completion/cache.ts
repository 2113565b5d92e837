import {createHash} from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import {join} from 'node:path'
import {replaceFile} from '../disk/replaceFile.js'
import {currentUser} from '../profile/private.js'

/** An id and the name that is shown beside it. Nothing else of an answer is kept. */
export type Named = readonly [id: string, name: string]

/** How long a list is offered again without asking the service, in milliseconds. */
const freshMs = 60_000

export interface Cache {
  /** The cache folder of this user; may be missing. */
  readonly folder: string
  readonly now: Date
}

/**
 * A list that was read within the last minute, else what `read` gives, which is then kept (0600, in a folder of 0700). `key` says
 * whose list it is: profile, address and what was asked. Raises what `read` raises; a cache that cannot be used is not.
 */
export async function remembered(
  {folder, now}: Cache,
  key: readonly string[],
  read: () => Promise<readonly Named[]>,
): Promise<readonly Named[]> {
  const own = join(folder, 'completion')
  const file = join(own, `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.json`)
  const kept = quietly(() => listIn(file, now))
  if (kept) return kept
  const found = await read()
  quietly(() => {
    mkdirSync(own, {recursive: true, mode: 0o700})
    sweep(own, now)
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
function listIn(file: string, now: Date): readonly Named[] | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(descriptor)
    const user = currentUser()
    const isOwn = user === undefined || (stat.uid === user && (stat.mode & 0o077) === 0)
    if (!stat.isFile() || !isOwn) return undefined
    const kept: unknown = JSON.parse(readFileSync(descriptor, 'utf8'))
    return isKept(kept) && isFresh(kept.at, now) ? kept.list : undefined
  } finally {
    closeSync(descriptor)
  }
}

function isKept(value: unknown): value is {at: number; list: Named[]} {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('list' in value)) return false
  return typeof value.at === 'number' && Array.isArray(value.list) && value.list.every(isNamed)
}

function isNamed(value: unknown): value is Named {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
}

/** A list of the future was kept while the clock was wrong. */
function isFresh(at: number, now: Date): boolean {
  const age = now.getTime() - at
  return age >= 0 && age < freshMs
}

/** Removes what nobody will be offered any more: the cache holds no more than a minute of work. */
function sweep(own: string, now: Date): void {
  for (const name of readdirSync(own)) {
    const file = join(own, name)
    const stat = statSync(file, {throwIfNoEntry: false})
    if (stat && Math.abs(now.getTime() - stat.mtimeMs) > freshMs) rmSync(file, {force: true})
  }
}
