import type {Uploader} from '../engine/context.js'
import {attempt, type PoolOptions, type Uploaded, uploadAll} from '../engine/pool.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {type PlannedFile, syncJob} from './plan.js'
import {type PresentFile, provenPresent} from './presence.js'
import type {SyncFile} from './syncFile.js'

/** A job as a file of a plan. */
export function plannable({key, path, name, platform, description, link}: UploadJob): SyncFile {
  const file = {key, path, name, platform, description, role: 'asset'} as const
  return link === undefined ? file : {...file, link: {uuid: link}}
}

/**
 * Uploads the files of a plan that are not in the container, as `uploadAll`: one outcome for each file, in the order of `keys`. Those
 * that are in it are verified alone.
 */
export function uploadMissing(
  uploader: Pick<Uploader, 'upload'>,
  plan: readonly PlannedFile[],
  {keys, container, ...pool}: PoolOptions & {readonly keys: readonly string[]; readonly container: string},
): Promise<Uploaded[]> {
  const byKey = new Map(plan.map((one) => [one.file.key, one]))
  const planned = keys.flatMap((key) => byKey.get(key) ?? [])
  const present = new Map(planned.flatMap(({file, there, bytes}) => (there ? [[file.key, {there, bytes}]] : [])))
  const jobs = planned.map(({file, link, stamp}) => syncJob(file, link, container, stamp))
  return uploadAll(uploader, jobs, pool, (job) => {
    const found = present.get(job.key)
    return found
      ? verifyPresent(job, resultOfPresent(job, found.there, found.bytes), pool)
      : attempt(uploader, job, pool)
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
  const reason = looked.reason === undefined ? provenPresent(result) : `${provenPresent(result)}, ${looked.reason}`
  return {outcome: 'skipped', job, result, reason}
}
