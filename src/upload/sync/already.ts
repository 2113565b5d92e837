import type {Listing} from '../../api/contract/asset.js'
import {Failure} from '../../api/contract/failure.js'
import type {Uploader} from '../engine/context.js'
import {type PoolOptions, type Uploaded, uploadAll} from '../engine/pool.js'
import {baseText} from '../ledger/entry.js'
import type {Ledger} from '../ledger/ledger.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {localFacts} from './localFacts.js'
import {inPlace} from './plan.js'
import {placeOf, presenceOf, remember} from './present.js'

/** A file that is in the container already, as one of the outcomes of a run. */
export interface Already {
  readonly outcome: 'skipped'
  readonly job: UploadJob
  readonly result: UploadResult
  readonly reason: string
}

interface AlreadyWork {
  readonly base: URL
  readonly container: string
  readonly ledger: Pick<Ledger, 'list'>
  /** Asks the service what the container holds; called only where an upload of such a file was finished before. */
  readonly list: () => Promise<Listing>
  readonly signal: AbortSignal
}

/**
 * Those of the files, by their keys, that ledger and listing together prove to be in the container (present.ts): a command that
 * is run again after an interruption sends only the rest. A container that cannot be listed proves nothing. Raises a Failure
 * (file) for a file that cannot be read, `interrupted`.
 */
export async function alreadyThere(
  jobs: readonly UploadJob[],
  {base, container, ledger, list, signal}: AlreadyWork,
): Promise<ReadonlyMap<string, Already>> {
  const entries = ledger.list()
  const address = baseText(base)
  const here = entries.filter((entry) => entry.done && entry.base === address && entry.container === container)
  const finished = new Set(here.map(placeOf))
  const candidates = jobs.filter((job) => finished.has(placeOf(job)))
  const listing = candidates.length === 0 ? undefined : await listed(list, signal)
  if (listing === undefined) return new Map()
  const remembered = remember({base, container}, entries, listing)
  const local = await localFacts(candidates, {remembered, unfinished: [], signal})
  return new Map(
    candidates.flatMap((job) => {
      const {size = 0, sha256} = local.get(job.key) ?? {}
      const presence = presenceOf({file: job, link: job.link, size, sha256}, remembered)
      if (!('there' in presence)) return []
      const result = {key: job.key, path: job.path, ...presence.there, bytes: size, sentBytes: 0}
      return [[job.key, {outcome: 'skipped', job, result, reason: inPlace}]]
    }),
  )
}

/**
 * Uploads what is not in the container already, as `uploadAll`: one outcome for each file, in the order they were given. What
 * was there is looked at like what is sent: an earlier run may have ended before it was. `begins` is told what is uploaded.
 */
export async function uploadRest(
  uploader: Pick<Uploader, 'upload'>,
  jobs: readonly UploadJob[],
  {
    begins,
    already,
    ...pool
  }: PoolOptions & {
    readonly begins: (rest: readonly UploadJob[]) => void
    readonly already: ReadonlyMap<string, Already>
  },
): Promise<(Uploaded | Already)[]> {
  const rest = jobs.filter(({key}) => !already.has(key))
  begins(rest)
  const looked = await lookAt([...already.values()], pool)
  const outcomes = new Map(looked.map((one) => [one.job.key, one]))
  for (const one of await uploadAll(uploader, rest, pool)) outcomes.set(one.job.key, one)
  return jobs.flatMap(({key}) => outcomes.get(key) ?? [])
}

async function lookAt(
  files: readonly Already[],
  {emit, settled: _, ...pool}: PoolOptions,
): Promise<(Uploaded | Already)[]> {
  const results = new Map(files.map(({job, result}) => [job.key, result]))
  const looking = {
    upload: async ({key}: UploadJob) => {
      const result = results.get(key)
      if (result === undefined) throw new Error(`${key} is not there`)
      return result
    },
  }
  const onlyFailures: PoolOptions['emit'] = (event) => {
    if (event.kind === 'failed') emit(event)
  }
  const jobs = files.map(({job}) => job)
  const looked = await uploadAll(looking, jobs, {...pool, emit: onlyFailures})
  return looked.map((one, at) => (one.outcome === 'done' ? (files[at] ?? one) : one))
}

async function listed(list: AlreadyWork['list'], signal: AbortSignal): Promise<Listing | undefined> {
  try {
    return await list()
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return undefined
  }
}
