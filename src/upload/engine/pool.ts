import {Failure} from '../../api/contract/failure.js'
import {RunStop, runAll} from '../../selection/pool.js'
import type {UploadEvent} from '../model/event.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import type {Uploader} from './context.js'

/** Why a file is skipped that another run has brought to the service, during this one or unheard before. */
const byAnother = 'already there: uploaded by another run'

/** What came of one file of a run. */
export type Uploaded =
  /** `reason`: why nobody has looked at what the service has made of it, a clause without a full stop. */
  | {readonly outcome: 'done'; readonly job: UploadJob; readonly result: UploadResult; readonly reason?: string}
  /** With a result where every byte was sent, and what was read back is not what it should be. */
  | {readonly outcome: 'failed'; readonly job: UploadJob; readonly failure: Failure; readonly result?: UploadResult}
  /** `skipped`: in the container already, with a result, or interrupted. `reason` says why. */
  | {
      readonly outcome: 'skipped' | 'not-tried'
      readonly job: UploadJob
      readonly reason: string
      readonly result?: UploadResult
    }

export interface PoolOptions {
  /** Files under way at once. */
  readonly concurrency: number
  /** Begins no other file once one has failed. */
  readonly failFast: boolean
  readonly signal: AbortSignal
  readonly emit: (event: UploadEvent) => void
  /** Looks at what the service has made of a file; a Failure that it raises is that of the file. */
  readonly verify?: (job: UploadJob, result: UploadResult) => Promise<unknown>
  /** How much of a file the service has, in percent; undefined of one that has not begun. */
  readonly reached?: (key: string) => number | undefined
  /** Told of each file that was tried, as soon as its outcome is known. */
  readonly settled?: (uploaded: Uploaded) => void
}

/**
 * Uploads files, several at a time, and tells what came of each, in the order they were given. A file that fails leaves the
 * others to be tried, unless `failFast`; a credential that is refused would be refused for all of them, so none is begun
 * after it. Emits `done` and `failed`. Raises only what is no Failure.
 */
export async function uploadAll(
  uploader: Pick<Uploader, 'upload'>,
  jobs: readonly UploadJob[],
  options: PoolOptions,
): Promise<Uploaded[]> {
  const stop = new RunStop({...options, what: 'file'})
  const one = async (job: UploadJob) => {
    const uploaded = await attempt(uploader, job, options)
    if (uploaded.outcome === 'failed') stop.failed(uploaded.failure.facts.exit)
    return uploaded
  }
  const untried = (job: UploadJob, reason: string) => ({outcome: 'not-tried', job, reason}) as const
  return runAll<UploadJob, Uploaded>(jobs, one, {concurrency: options.concurrency, stop, untried})
}

/** Uploads one file and looks at what the service has made of it. Emits `done` or `failed`. Raises only what is no Failure. */
export async function attempt(
  uploader: Pick<Uploader, 'upload'>,
  job: UploadJob,
  options: PoolOptions,
): Promise<Uploaded> {
  const uploaded = await uploadAndVerify(uploader, job, options)
  if (uploaded.outcome === 'done' || uploaded.outcome === 'failed') options.settled?.(uploaded)
  return uploaded
}

async function uploadAndVerify(
  uploader: Pick<Uploader, 'upload'>,
  job: UploadJob,
  options: PoolOptions,
): Promise<Uploaded> {
  const {emit, verify} = options
  let result: UploadResult | undefined
  try {
    result = await uploader.upload(job)
    await verify?.(job, result)
    emit({kind: 'done', key: job.key, result})
    return result.isByAnother ? {outcome: 'skipped', job, result, reason: byAnother} : {outcome: 'done', job, result}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return afterFailure(job, error, result, options)
  }
}

/** What came of a file that failed, with its result where every byte was sent before. */
function afterFailure(
  job: UploadJob,
  failure: Failure,
  result: UploadResult | undefined,
  {signal, emit, settled, reached}: PoolOptions,
): Uploaded {
  if (signal.aborted && failure.facts.exit === 'interrupted') {
    // It was not tried to its end, and the service may have it all the same.
    if (failure.facts.outcome === 'unknown') settled?.({outcome: 'failed', job, failure})
    return interrupted(job, result, reached?.(job.key))
  }
  emit({kind: 'failed', key: job.key, failure})
  // What another process sent is not a change that this one made.
  return {outcome: 'failed', job, failure, ...(result && !result.isByAnother ? {result} : {})}
}

/** What was uploaded is there, though nobody has looked at it. */
function interrupted(job: UploadJob, result: UploadResult | undefined, percent: number | undefined): Uploaded {
  if (!result) {
    return percent === undefined
      ? {outcome: 'not-tried', job, reason: 'not started: interrupted'}
      : {outcome: 'skipped', job, reason: `unfinished ${percent} %: interrupted`}
  }
  if (result.isByAnother) return {outcome: 'skipped', job, result, reason: byAnother}
  return {outcome: 'done', job, result, reason: 'not verified: interrupted'}
}
