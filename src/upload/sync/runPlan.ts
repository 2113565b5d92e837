import {Failure} from '../../api/contract/failure.js'
import {type Outcome, runAll} from '../../selection/run.js'
import type {FetchContext} from '../bytes/openBytes.js'
import type {VerifyLevel} from '../bytes/presence.js'
import {verifyUpload} from '../bytes/verify.js'
import type {Uploader} from '../engine/context.js'
import {attempt, type PoolOptions, type Uploaded} from '../engine/pool.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {type PlannedFile, provenPresent, syncJob} from './plan.js'
import {linkedFile, type SyncFile} from './syncFile.js'

export interface SyncOptions extends Omit<PoolOptions, 'verify'> {
  readonly container: string
  /** Looks at what the service has made of a file, also of one that was there before; a Failure that it raises is that of the file. */
  readonly verify: (job: UploadJob, result: UploadResult) => Promise<unknown>
}

/**
 * Carries out a plan, several files at a time. A file that links to another gets its turn as soon as that is done, with its uuid, and
 * is not tried where that is not; one that is in the container is skipped with a result. Otherwise as `uploadAll`: one result for each
 * file, in the order of the plan.
 */
export async function runPlan(
  uploader: Pick<Uploader, 'upload'>,
  plan: readonly PlannedFile[],
  options: SyncOptions,
): Promise<Uploaded[]> {
  const ends = new Map<string, Uploaded>()
  const waiting = new Map(plan.map(({file}): [string, PlannedFile[]] => [file.key, []]))
  const turns: PlannedFile[] = []
  for (const planned of plan) (waiting.get(linkedFile(planned.file) ?? '') ?? turns).push(planned)
  const kept = ({file, link, stamp}: PlannedFile, outcome: Outcome<UploadResult>): void => {
    const {key} = file
    ends.set(key, {job: syncJob(file, link, options.container, stamp), ...outcome})
    const uuid = outcome.outcome === 'failed' ? undefined : outcome.result?.uuid
    const reason = `not started: it belongs to ${key}, which is not done`
    for (const next of waiting.get(key) ?? []) {
      if (uuid === undefined) kept(next, {outcome: 'not-tried', reason})
      else turns.push({...next, link: uuid})
    }
  }
  await runAll(turns, (planned) => syncFile(uploader, planned, options), {...options, what: 'file', kept})
  return plan.flatMap(({file}) => ends.get(file.key) ?? [])
}

/** Sends a file, or looks at one that is there. */
function syncFile(
  uploader: Pick<Uploader, 'upload'>,
  planned: PlannedFile,
  options: SyncOptions,
): Promise<Outcome<UploadResult>> {
  const {file, link, there, bytes, stamp} = planned
  const job = syncJob(file, link, options.container, stamp)
  const verify = async (_: UploadJob, result: UploadResult) => {
    assertUploadedDigest(planned, result)
    await options.verify(job, result)
  }
  if (!there) return attempt(uploader, job, {...options, verify})
  return verifyPresent(job, {key: job.key, path: job.path, ...there, uri: '', bytes, sentBytes: 0}, options)
}

/** Looks at a file that is in the container as at one that was sent: an earlier run may have ended before it did. */
async function verifyPresent(
  job: UploadJob,
  result: UploadResult,
  {settled: _, ...pool}: SyncOptions,
): Promise<Outcome<UploadResult>> {
  // Nothing is uploaded, so nothing is done.
  const emit: PoolOptions['emit'] = (event) => {
    if (event.kind === 'failed') pool.emit(event)
  }
  const looked = await attempt({upload: async () => result}, job, {...pool, emit})
  if (looked.outcome !== 'done') return looked
  const reason = looked.reason === undefined ? provenPresent(result) : `${provenPresent(result)}, ${looked.reason}`
  return {outcome: 'skipped', result, reason}
}

/** The file may have been rewritten since the plan was made. */
function assertUploadedDigest({file}: PlannedFile, {sha256}: UploadResult): void {
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

/**
 * How a sync looks at what the service has made of a file. The catalog view of a bundle shows the content of a catalog (asset,
 * Catalog view of a bundle): that of the run which it is linked to, if it is.
 */
export function verifySynced(context: FetchContext, files: readonly SyncFile[], level: VerifyLevel) {
  const byKey = new Map(files.map((file) => [file.key, file]))
  return (job: UploadJob, result: UploadResult): Promise<VerifyLevel> => {
    const file = byKey.get(job.key)
    const linked = file && byKey.get(linkedFile(file) ?? '')
    const catalog = linked?.role === 'catalog' && linked.name.endsWith('.json') ? {catalogPath: linked.path} : {}
    return verifyUpload(context, job, result, {level, ...catalog})
  }
}
