import pLimit from 'p-limit'
import {Failure} from '../../api/contract/failure.js'
import type {Resource} from './bytesPlace.js'
import {type Downloaded, type DownloadOptions, download} from './download.js'
import type {FetchContext} from './fetchContext.js'
import {sweepParts} from './partFile.js'

/** What came of one resource of a run. */
export type DownloadEnd<R extends Resource> =
  | {readonly outcome: 'done'; readonly resource: R; readonly downloaded: Downloaded}
  | {readonly outcome: 'failed'; readonly resource: R; readonly failure: Failure}
  /** Not tried, or given up in the middle: the run was interrupted, or stopped at the failure of another. */
  | {readonly outcome: 'skipped'; readonly resource: R}

export interface DownloadRun extends Omit<DownloadOptions, 'claimed'> {
  /** Resources under way at once. */
  readonly concurrency: number
  /** Begins no other resource once one has failed. */
  readonly failFast: boolean
  /** The run is about one resource alone, whose failure is raised. */
  readonly single: boolean
  /** Is told of each end when it happens. */
  readonly ended: (end: DownloadEnd<Resource>) => void
}

/**
 * Downloads resources, several at a time, and tells what came of each, in the order they were given. One that fails leaves the
 * others to be tried, unless `failFast`; a token that is refused would be refused for all of them, so none is begun after it.
 * Raises what is no Failure, and the Failure of a `single` one.
 */
export async function downloadAll<R extends Resource>(
  context: FetchContext,
  resources: readonly R[],
  run: DownloadRun,
): Promise<DownloadEnd<R>[]> {
  sweepParts(run.folder)
  const claimed = new Set<string>()
  const limit = pLimit(run.concurrency)
  let stopped = false
  const one = async (resource: R): Promise<DownloadEnd<R>> => {
    if (stopped || context.signal.aborted) return {outcome: 'skipped', resource}
    const end = await attempt(context, resource, {...run, claimed})
    if (end.outcome === 'failed') stopped ||= run.failFast || end.failure.facts.exit === 'unauthenticated'
    run.ended(end)
    return end
  }
  return Promise.all(resources.map((resource) => limit(one, resource)))
}

async function attempt<R extends Resource>(
  context: FetchContext,
  resource: R,
  options: DownloadRun & DownloadOptions,
): Promise<DownloadEnd<R>> {
  try {
    return {outcome: 'done', resource, downloaded: await download(context, resource, options)}
  } catch (error) {
    if (options.single || !(error instanceof Failure)) throw error
    if (context.signal.aborted && error.facts.exit === 'interrupted') return {outcome: 'skipped', resource}
    return {outcome: 'failed', resource, failure: error}
  }
}
