import type {UploadContext, Uploader} from './context.js'
import {deliver} from './deliver.js'
import {interrupted} from './failures.js'
import type {UploadJob, UploadResult} from './job.js'
import {openRun, type Run} from './run.js'
import {entryId, sampleOf} from './sample.js'
import {openSource, type Source} from './source.js'
import {targetOf} from './target.js'

/** Opens a run of uploads (product §6). Its digest thread, if there is one, ends with `close`; the ledger is the caller's to close. */
export function openUploader(context: UploadContext): Uploader {
  const run = openRun(context)
  return {upload: (job) => upload(run, job), close: () => run.digests.close()}
}

async function upload(run: Run, job: UploadJob): Promise<UploadResult> {
  if (run.context.signal.aborted) throw interrupted(job)
  const source = await openSource(job, run.blocks)
  try {
    return await claimed(run, job, source)
  } finally {
    await source.close()
  }
}

/** Nobody else works on the same upload meanwhile, in this process or another. */
async function claimed(run: Run, job: UploadJob, source: Source): Promise<UploadResult> {
  const target = targetOf(job, run.context.access.base)
  const sample = await sampleOf(job.path, source.size)
  const id = entryId(target, source.size, sample)
  const release = await run.context.ledger.claim(id)
  run.active.add(id)
  try {
    return await deliver(run, {job, target, source, sample, id})
  } finally {
    run.active.delete(id)
    await release()
  }
}
