import {Failure} from '../../api/contract/failure.js'
import {interruptedRun, type Outcome, runAll} from '../../selection/run.js'
import type {UploadEvent} from '../model/event.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import type {Uploader} from './context.js'

/** Why a file is skipped that another run has brought to the service, during this one or unheard before. */
const byAnother = 'already there: uploaded by another run'

/**
 * The outcome of one file of a run. One that is done has a reason where nobody has looked at what the service has made of it; one that
 * failed has a result where every byte was sent, and one that is skipped where the container has it.
 */
export type Uploaded = Outcome<UploadResult> & {readonly job: UploadJob}

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
 * Uploads files, several at a time, and gives the outcome of each, in the order they were given. A file that fails leaves the
 * others to be tried, unless `failFast`; a credential that is refused would be refused for all of them, so none begins
 * after it. Emits `done` and `failed`. Raises only what is no Failure.
 */
export function uploadAll(
  uploader: Pick<Uploader, 'upload'>,
  jobs: readonly UploadJob[],
  options: PoolOptions,
): Promise<Uploaded[]> {
  const kept = (job: UploadJob, outcome: Outcome<UploadResult>): Uploaded => ({job, ...outcome})
  return runAll(jobs, (job) => attempt(uploader, job, options), {...options, what: 'file', kept})
}

/** Uploads one file and looks at what the service has made of it. Emits `done` or `failed`. Raises only what is no Failure. */
export async function attempt(
  uploader: Pick<Uploader, 'upload'>,
  job: UploadJob,
  options: PoolOptions,
): Promise<Outcome<UploadResult>> {
  const outcome = await uploadAndVerify(uploader, job, options)
  if (outcome.outcome === 'done' || outcome.outcome === 'failed') options.settled?.({job, ...outcome})
  return outcome
}

async function uploadAndVerify(
  uploader: Pick<Uploader, 'upload'>,
  job: UploadJob,
  options: PoolOptions,
): Promise<Outcome<UploadResult>> {
  const {emit, verify} = options
  let result: UploadResult | undefined
  try {
    result = await uploader.upload(job)
    await verify?.(job, result)
    emit({kind: 'done', key: job.key, result})
    return result.isByAnother ? {outcome: 'skipped', result, reason: byAnother} : {outcome: 'done', result}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return afterFailure(job, error, result, options)
  }
}

/** The outcome of a file that failed, with its result where every byte was sent before. */
function afterFailure(
  job: UploadJob,
  failure: Failure,
  result: UploadResult | undefined,
  {signal, emit, settled, reached}: PoolOptions,
): Outcome<UploadResult> {
  if (signal.aborted && failure.facts.exit === 'interrupted') {
    // It was not tried to its end, and the service may have it all the same.
    if (failure.facts.outcome === 'unknown') settled?.({outcome: 'failed', job, failure})
    return interrupted(result, reached?.(job.key))
  }
  emit({kind: 'failed', key: job.key, failure})
  // What another process sent is not a change that this one made.
  return {outcome: 'failed', failure, ...(result && !result.isByAnother ? {result} : {})}
}

/** What was uploaded is there, though nobody has looked at it. */
function interrupted(result: UploadResult | undefined, percent: number | undefined): Outcome<UploadResult> {
  if (!result) {
    return percent === undefined
      ? {outcome: 'not-tried', reason: interruptedRun}
      : {outcome: 'skipped', reason: `unfinished ${percent} %: interrupted`}
  }
  if (result.isByAnother) return {outcome: 'skipped', result, reason: byAnother}
  return {outcome: 'done', result, reason: 'not verified: interrupted'}
}
