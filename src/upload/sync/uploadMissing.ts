import type {Listing} from '../../api/contract/asset.js'
import type {Uploader} from '../engine/context.js'
import {attempt, type PoolOptions, type Uploaded, uploadAll} from '../engine/pool.js'
import {baseText} from '../ledger/entry.js'
import type {Ledger} from '../ledger/ledger.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {
  checkPresence,
  containerFacts,
  nameAndPlatform,
  type PresentFile,
  provenPresent,
  readLocalFacts,
} from './presence.js'

interface PresenceOptions {
  readonly base: URL
  readonly container: string
  readonly ledger: Pick<Ledger, 'finishedAs'>
  /** Asks the service what the container holds; called only where an upload of such a file was finished before. */
  readonly list: () => Promise<Listing>
  readonly signal: AbortSignal
}

/**
 * Those of the files, by their keys, that ledger and listing together prove to be in the container (presence.ts): a command that
 * is run again after an interruption sends only the rest. Raises a Failure: that of the listing, `file` for a file that cannot
 * be read, `interrupted`.
 */
export async function findPresent(
  jobs: readonly UploadJob[],
  {base, container, ledger, list, signal}: PresenceOptions,
): Promise<ReadonlyMap<string, UploadResult>> {
  const here = {base: baseText(base), container}
  const uploadsHere = ledger.finishedAs(jobs.map(({name}) => ({...here, name})))
  if (uploadsHere.length === 0) return new Map()
  const finished = new Set(uploadsHere.map(nameAndPlatform))
  const candidates = jobs.filter((job) => finished.has(nameAndPlatform(job)))
  if (candidates.length === 0) return new Map()
  const remembered = containerFacts({base, container}, uploadsHere, await list())
  const local = await readLocalFacts(candidates, {remembered, unfinished: [], signal})
  return new Map(
    candidates.flatMap((job) => {
      const {size = 0, sha256} = local.get(job.key) ?? {}
      const presence = checkPresence({file: job, link: job.link, size, sha256}, remembered)
      if (!('there' in presence)) return []
      return [[job.key, resultOfPresent(job, presence.there, size)]]
    }),
  )
}

/**
 * Uploads the files that are not in the container, as `uploadAll`: one outcome for each file, in the order they were given.
 * Those that are `present`, by their keys, are verified alone.
 */
export function uploadMissing(
  uploader: Pick<Uploader, 'upload'>,
  jobs: readonly UploadJob[],
  {present, ...pool}: PoolOptions & {readonly present: ReadonlyMap<string, UploadResult>},
): Promise<Uploaded[]> {
  return uploadAll(uploader, jobs, pool, (job) => {
    const result = present.get(job.key)
    return result ? verifyPresent(job, result, pool) : attempt(uploader, job, pool)
  })
}

/** The result of a file that is in the container: where it is, and that nothing was sent. */
export function resultOfPresent({key, path}: UploadJob, present: PresentFile, bytes: number): UploadResult {
  return {key, path, ...present, bytes, sentBytes: 0}
}

/** Looks at a file that is in the container as at one that was sent: an earlier run may have ended before it did. */
export async function verifyPresent(
  job: UploadJob,
  result: UploadResult,
  {settled: _, ...pool}: PoolOptions,
): Promise<Uploaded> {
  // Nothing is uploaded, so nothing is done.
  const emit: PoolOptions['emit'] = (event) => {
    if (event.kind === 'failed') pool.emit(event)
  }
  const looked = await attempt({upload: async () => result}, job, {...pool, emit})
  if (looked.outcome !== 'done') return looked
  const reason = looked.reason === undefined ? provenPresent : `${provenPresent}, ${looked.reason}`
  return {outcome: 'skipped', job, result, reason}
}
