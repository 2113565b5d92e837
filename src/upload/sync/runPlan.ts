import {Failure} from '../../api/contract/failure.js'
import {limiter} from '../../selection/pool.js'
import type {Uploader} from '../engine/context.js'
import {attempt, endsRun, type PoolOptions} from '../engine/pool.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {linkedFile} from './order.js'
import {jobOf, type PlannedFile} from './plan.js'
import type {There} from './present.js'

/** What came of one file of a sync. */
export type Synced =
  /** `reason`: why nobody has looked at what the service has made of it, a clause without a stop. */
  | {readonly outcome: 'done'; readonly planned: PlannedFile; readonly result: UploadResult; readonly reason?: string}
  /** It was there, and nothing was sent; `reason` as above, `how`: since when, where ledger and listing did not prove it before. */
  | {
      readonly outcome: 'there'
      readonly planned: PlannedFile
      readonly there: There
      readonly reason?: string
      readonly how?: string
    }
  /** With a result where every byte was sent, and what was read back is not what it should be. */
  | {
      readonly outcome: 'failed'
      readonly planned: PlannedFile
      readonly failure: Failure
      readonly result?: UploadResult
    }
  /** Not tried, or given up in the middle; `reason` is a clause without a stop. */
  | {readonly outcome: 'skipped'; readonly planned: PlannedFile; readonly reason: string}

export interface SyncOptions extends Omit<PoolOptions, 'verify'> {
  readonly container: string
  /** Looks at what the service has made of a file, also of one that was there before; a Failure that it raises is that of the file. */
  readonly verify: (job: UploadJob, result: UploadResult) => Promise<unknown>
}

/**
 * Carries out a plan, several files at a time. A file that links to another begins as soon as that is done, with its uuid, and
 * is skipped where that is not. Otherwise as `uploadAll`: one result for each file, in the order of the plan.
 */
export async function runPlan(
  uploader: Pick<Uploader, 'upload'>,
  plan: readonly PlannedFile[],
  options: SyncOptions,
): Promise<Synced[]> {
  const limit = limiter(options.concurrency)
  const runs = new Map<string, Promise<Synced>>()
  let stopped: string | undefined
  const inTurn = async (planned: PlannedFile, link: string | undefined): Promise<Synced> => {
    const reason = options.signal.aborted ? 'not tried: interrupted' : stopped
    if (reason !== undefined) return {outcome: 'skipped', planned, reason}
    const synced = await (planned.there ? lookAt : send)(uploader, planned, link, options)
    if (synced.outcome === 'failed') stopped ??= reasonToStop(planned, synced.failure, options.failFast)
    return synced
  }
  const one = async (planned: PlannedFile): Promise<Synced> => {
    const asset = linkedFile(planned.file)
    if (asset === undefined) return limit(() => inTurn(planned, planned.link))
    // It comes earlier in the plan, so its run has begun; waiting for it takes nobody's turn.
    const before = await runs.get(asset)
    const link = before && uuidOf(before)
    if (link !== undefined) return limit(() => inTurn(planned, link))
    return {outcome: 'skipped', planned, reason: `not tried: it belongs to ${asset}, which is not done`}
  }
  for (const planned of plan) runs.set(planned.file.key, one(planned))
  return Promise.all(runs.values())
}

function uuidOf(synced: Synced): string | undefined {
  if (synced.outcome === 'done') return synced.result.uuid
  return synced.outcome === 'there' ? synced.there.uuid : undefined
}

function reasonToStop({file}: PlannedFile, failure: Failure, failFast: boolean): string | undefined {
  if (endsRun(failure)) return 'not tried: the service does not accept the token'
  return failFast ? `not tried: ${file.key} failed` : undefined
}

async function send(
  uploader: Pick<Uploader, 'upload'>,
  planned: PlannedFile,
  link: string | undefined,
  options: SyncOptions,
): Promise<Synced> {
  const verify = async (job: UploadJob, result: UploadResult) => {
    assertDemanded(planned, result)
    await options.verify(job, result)
  }
  const uploaded = await attempt(uploader, jobOf(planned.file, link, options.container), {...options, verify})
  if (uploaded.outcome === 'skipped') {
    const {reason, result} = uploaded
    if (!result) return {outcome: 'skipped', planned, reason}
    return {outcome: 'there', planned, there: {...result, sha256: result.sha256 ?? ''}, how: reason}
  }
  options.settled?.(uploaded)
  if (uploaded.outcome === 'done') return {outcome: 'done', planned, result: uploaded.result, ...unseen(uploaded)}
  const {failure, result} = uploaded
  return {outcome: 'failed', planned, failure, ...(result ? {result} : {})}
}

/** A file that was there is looked at like one that was sent: an earlier run may have ended before it was. */
async function lookAt(
  _: unknown,
  planned: PlannedFile,
  link: string | undefined,
  options: SyncOptions,
): Promise<Synced> {
  const {file, there, bytes} = planned
  if (there === undefined) throw new Error(`${file.key} is not there`)
  const looking = {upload: async ({key, path}: UploadJob) => ({key, path, ...there, bytes, sentBytes: 0})}
  const looked = await attempt(looking, jobOf(file, link, options.container), {...options, emit: onlyFailures(options)})
  if (looked.outcome === 'done') return {outcome: 'there', planned, there, ...unseen(looked)}
  if (looked.outcome === 'failed') return {outcome: 'failed', planned, failure: looked.failure}
  return {outcome: 'skipped', planned, reason: 'not tried: interrupted'}
}

function unseen({reason}: {readonly reason?: string}): {readonly reason?: string} {
  return reason === undefined ? {} : {reason}
}

/** Nothing is uploaded, so nothing is done. */
function onlyFailures({emit}: SyncOptions): SyncOptions['emit'] {
  return (event) => {
    if (event.kind === 'failed') emit(event)
  }
}

/** The file may have been written anew since the plan was made. */
function assertDemanded({file}: PlannedFile, {sha256}: UploadResult): void {
  if (file.sha256 === undefined || sha256 === null || sha256 === file.sha256) return
  throw new Failure({
    exit: 'file',
    code: 'bytes-differ',
    message: `${file.key} was uploaded, but is not the file that the manifest names`,
    why: `its sha256 is ${sha256}, not ${file.sha256}: it has changed since it was read for the plan`,
    try: 'run the command again once nothing writes the file any more',
    outcome: 'applied',
  })
}
