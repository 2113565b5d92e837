import {listContainer} from '../../api/contract/asset.js'
import type {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {verifyUpload} from '../../upload/bytes/verify.js'
import {type PoolOptions, type Uploaded, uploadAll} from '../../upload/engine/pool.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import type {UploadJob} from '../../upload/model/job.js'
import {createPlan} from '../../upload/run/createPlan.js'
import {UploadProgress} from '../../upload/run/progress.js'
import {type Resumable, resumeOutcomes} from '../../upload/run/resumable.js'
import {withUploads} from '../../upload/run/withUploads.js'
import {alreadyThere, uploadRest} from '../../upload/sync/already.js'
import {cameToSending, whatBecame, writeJournal} from '../mutation/journal.js'
import {withLedger} from './ledgerEntries.js'
import type {SendOptions} from './uploadFlags.js'
import {showUploadProgress} from './uploadProgress.js'

/** A file that can be uploaded, with its size in bytes. */
export interface SizedJob {
  readonly job: UploadJob
  readonly size: number
}

/** What a run of uploads works with: ledger and uploader, and how many files go at a time. */
type UploadTools = Parameters<Parameters<typeof withUploads>[1]>[0] & {
  readonly pool: Omit<PoolOptions, 'verify'>
  readonly progress: UploadProgress
}

interface RunOptions extends SendOptions {
  /** The ledger, where it is open already; it is closed here. */
  readonly ledger?: Ledger
}

/**
 * Opens ledger and uploader for a run of `files` files, shows on stderr how it goes, and journals each file; `work` is the
 * run. Raises what it raises.
 */
export async function runUploads<T>(
  session: Session,
  {settings, concurrency, failFast, stateDir, ledger, progress: kind}: RunOptions,
  files: number,
  work: (tools: UploadTools) => Promise<T>,
): Promise<T> {
  const {runtime, secrets, api} = session
  const {now, random, sleep, signal, digestThread} = runtime
  const access = await api.access('asset')
  const progress = new UploadProgress(now)
  const display = await showUploadProgress(session, kind, progress, files)
  const emit: PoolOptions['emit'] = (event) => {
    progress.take(event)
    display.show(event)
  }
  const holdsSecret = (text: string) => secrets.maskKnown(text) !== text
  const context = {
    now,
    random,
    sleep,
    signal,
    digestThread,
    access,
    holdsSecret,
    emit,
    settings,
    stateDir,
    ...(ledger ? {ledger} : {}),
  }
  const settled: PoolOptions['settled'] = (one) => journalUpload(session, one)
  try {
    return await withUploads(context, (tools) =>
      work({...tools, progress, pool: {concurrency, failFast, signal, emit, settled}}),
    )
  } finally {
    display.close()
  }
}

/** Uploads files to a container, without those that ledger and listing prove to be in it unless `fresh`. One outcome for each, in order. */
export async function uploadFiles(
  session: Session,
  options: SendOptions,
  files: readonly SizedJob[],
  container: string,
) {
  const {api, runtime} = session
  const jobs = files.map(({job}) => job)
  const sizes = new Map(files.map(({job, size}) => [job.key, size]))
  const {base} = await api.access('asset')
  const listing = () => api.call(listContainer, {path: {container}, query: {}})
  return runUploads(session, options, files.length, async ({ledger, uploader, pool, progress}) => {
    const already = options.settings.fresh
      ? new Map()
      : await alreadyThere(jobs, {base, container, ledger, list: listing, signal: runtime.signal})
    const begins = (rest: readonly UploadJob[]) => progress.add(rest.map(({key}) => sizes.get(key) ?? 0))
    return uploadRest(uploader, jobs, {...pool, already, begins, verify: verifier(session, options)})
  })
}

/** Resumes uploads; one that cannot be has failed. One outcome for each, in order. */
export async function resumeUploads(
  session: Session,
  options: RunOptions,
  found: readonly Resumable[],
): Promise<Uploaded[]> {
  const ready = found.flatMap((one) => ('size' in one ? one : []))
  const uploaded = await runUploads(session, options, ready.length, ({uploader, pool, progress}) => {
    progress.add(ready.map(({size}) => size))
    const jobs = ready.map(({job}) => job)
    return uploadAll(uploader, jobs, {...pool, verify: verifier(session, options)})
  })
  return resumeOutcomes(found, uploaded)
}

/** What uploads would send first, for `--dry-run`; sends nothing. Raises a Failure (file) where a file cannot be read. */
export async function previewUploads(session: Session, {settings, stateDir}: SendOptions, files: readonly SizedJob[]) {
  const access = await session.api.access('asset')
  return withLedger(session, stateDir, async (ledger) => {
    const previews = []
    for (const {job, size} of files) previews.push(await createPlan(job, size, {access, ledger, settings}))
    return previews
  })
}

function verifier(session: Session, {verify: level}: SendOptions): NonNullable<PoolOptions['verify']> {
  return (job, result) => verifyUpload(session, job, result, {level})
}

interface Tried {
  readonly outcome: 'done' | 'failed' | 'skipped'
  readonly job: {readonly container: string; readonly name: string; readonly platform: string}
  readonly result?: {readonly uuid: string}
  readonly failure?: Failure
}

/** Writes the journal's line of an upload as soon as it is known what came of it (product §5); none where nothing was sent. */
function journalUpload(session: Session, {outcome, job, result, failure}: Tried): void {
  if (outcome === 'skipped' || (failure && !cameToSending(failure))) return
  const {container, name, platform} = job
  writeJournal(session, {
    operation: 'asset.upload',
    targets: {container, ...(result ? {uuid: result.uuid} : {}), name, platform},
    ...(failure ? whatBecame(failure) : {outcome: 'done'}),
  })
}
