import {type Access, prepare} from '../../api/client/request/request.js'
import {upload} from '../../api/contract/asset.js'
import type {UploadContext, Uploader} from '../engine/context.js'
import {assertSameFile} from '../engine/resumable.js'
import {openUploader} from '../engine/uploader.js'
import {entryId, targetOf} from '../ledger/entry.js'
import {type Ledger, openLedger} from '../ledger/ledger.js'
import type {UploadJob, UploadSettings} from '../model/job.js'
import {createHeaders} from '../source/headers.js'
import {sampleOf} from '../source/localFile.js'

/** What a run of uploads works with; the ledger is opened for it in `stateDir`, where it is not open yet. */
export interface UploadRun extends Omit<UploadContext, 'ledger'> {
  readonly stateDir: string
  readonly ledger?: Ledger
}

/** Opens ledger and uploader for a run and closes both: what was recorded is then on the disk. Raises a Failure (file) of the ledger. */
export async function withUploads<T>(
  world: UploadRun,
  work: (tools: {readonly ledger: Ledger; readonly uploader: Uploader}) => Promise<T>,
): Promise<T> {
  const {stateDir, now, emit} = world
  const ledger = world.ledger ?? (await openLedger(stateDir, {now, warn: (text) => emit({kind: 'warned', text})}))
  try {
    const uploader = openUploader({...world, ledger})
    try {
      return await work({ledger, uploader})
    } finally {
      await uploader.close()
    }
  } finally {
    await ledger.close()
  }
}

/** The request that would create an upload, or the offset at which one would be resumed; sends nothing. Raises a Failure (file) where the file cannot be read. */
export async function previewUpload(
  job: UploadJob,
  size: number,
  {access, ledger, settings}: {access: Access; ledger: Pick<Ledger, 'findUnfinished'>; settings: UploadSettings},
) {
  const own = createHeaders(job, settings.headerEncoding)
  // The shape of the contract wants the platform as one of its words, which the job has it as.
  const shaped = {...own, Platform: job.platform, 'Upload-Length': String(size)}
  const {method, url} = await prepare(upload, access, {path: {container: job.container}, headers: shaped})
  const from = settings.fresh ? undefined : await known(job, size, access, ledger)
  return {
    dry_run: true as const,
    operation: upload.id,
    method,
    url: url.href,
    headers: {authorization: 'Bearer ***', 'Tus-Resumable': '1.0.0', 'Upload-Length': String(size), ...own},
    body: null,
    file: job.key,
    bytes: size,
    /** As far as the ledger knows; null where a new upload would be created. */
    resumes_from: from ?? null,
    note:
      from === undefined
        ? `would upload ${job.key}, ${size} bytes`
        : `would resume ${job.key} at byte ${from} of ${size} instead, if the service still has it`,
  }
}

async function known(
  job: UploadJob,
  size: number,
  {base}: Access,
  ledger: Pick<Ledger, 'findUnfinished'>,
): Promise<number | undefined> {
  const id = entryId(targetOf(job, base), size, await sampleOf(job.path, size))
  assertSameFile(job, id)
  const entry = ledger.findUnfinished(id)
  return entry?.url === undefined ? undefined : (entry.acked.at(-1)?.to ?? 0)
}
