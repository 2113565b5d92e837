import {entryId} from '../ledger/sample.js'
import {targetOf} from '../ledger/target.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {type Content, contentOf} from './content.js'
import type {UploadContext, Uploader} from './context.js'
import {deliver} from './deliver.js'
import {interrupted} from './failures.js'
import {openRun, type Run} from './run.js'
import {openSource, type Source} from './source.js'

/**
 * Opens a run of uploads (product §6). `close` waits until all of them are in the ledger, raising its Failure where they are not, and
 * ends the thread that computes digests; the ledger is the caller's to close.
 */
export function openUploader(context: UploadContext): Uploader {
  const run = openRun(context)
  const close = async () => {
    context.ledger.hurry()
    await run.digests.close()
    await run.recorded.settled()
  }
  return {upload: (job) => upload(run, job), close}
}

async function upload(run: Run, job: UploadJob): Promise<UploadResult> {
  const {context, blocks, digests} = run
  if (context.signal.aborted) throw interrupted(job)
  const source = openSource(job, blocks)
  try {
    const content = contentOf(source, {blocks, digests, sha256: context.settings.sha256})
    let clean = false
    try {
      const result = await claimed(run, job, source, content)
      clean = true
      return result
    } finally {
      await content.release(clean)
    }
  } finally {
    await source.close()
  }
}

/** Nobody else works on the same upload meanwhile, in this process or another. */
async function claimed(run: Run, job: UploadJob, source: Source, content: Content): Promise<UploadResult> {
  const target = targetOf(job, run.context.access.base)
  const sample = await content.sample()
  const id = entryId(target, source.size, sample)
  const release = await run.context.ledger.claim(id)
  run.active.add(id)
  try {
    return await deliver(run, {job, target, source, content, sample, id})
  } finally {
    run.active.delete(id)
    await release()
  }
}
