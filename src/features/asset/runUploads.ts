import {type Listing, listContainer} from '../../api/contract/asset.js'
import {Failure, withFacts} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {verifyUpload} from '../../upload/bytes/verify.js'
import {type PoolOptions, type Uploaded, uploadAll} from '../../upload/engine/pool.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import type {UploadJob, UploadResult, UploadSettings} from '../../upload/model/job.js'
import {UploadProgress} from '../../upload/run/progress.js'
import {type ResumeCandidate, resumeOutcomes} from '../../upload/run/resume.js'
import {previewUpload, withUploads} from '../../upload/run/uploads.js'
import {uuidsListedAs} from '../../upload/sync/presence.js'
import {findPresent, uploadMissing} from '../../upload/sync/uploadMissing.js'
import {cameToSending, whatBecame, writeJournal} from '../mutation/journal.js'
import {isNotFound} from './containers.js'
import {pathArgument} from './paths.js'
import type {SendOptions} from './uploadFlags.js'
import {withLedger} from './uploadFlags.js'
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
  options: RunOptions,
  files: number,
  work: (tools: UploadTools) => Promise<T>,
): Promise<T> {
  const {settings, concurrency, failFast, stateDir, ledger} = options
  const {runtime, secrets, api} = session
  const {now, random, sleep, signal, digestThread} = runtime
  const access = await api.access('asset')
  const progress = new UploadProgress(now)
  const display = await showUploadProgress(session, options, progress, files)
  const emit: PoolOptions['emit'] = (event) => {
    progress.take(event)
    display.show(event)
  }
  const listedAs = async (job: UploadJob) =>
    uuidsListedAs(await listToCompare(session, {...settings, fresh: false}, job.container), job)
  const holds = async (job: UploadJob, uuid: string, sha256: string) => {
    const result = {key: job.key, path: job.path, uuid, uri: '', bytes: 0, sha256, sentBytes: 0}
    return verifyUpload(session, job, result, {level: 'download'}).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Failure && !signal.aborted) return false
        throw error
      },
    )
  }
  const holdsSecret = (text: string) => secrets.maskKnown(text) !== text
  const context = {
    now,
    random,
    sleep,
    signal,
    digestThread,
    access,
    listedAs,
    holds,
    holdsSecret,
    emit,
    settings,
    stateDir,
    ...(ledger ? {ledger} : {}),
  }
  const settled: PoolOptions['settled'] = (one) => journalUpload(session, one)
  try {
    return await withUploads(context, (tools) =>
      work({
        ...tools,
        progress,
        pool: {concurrency, failFast, signal, emit, settled, reached: (key) => progress.reached(key)},
      }),
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
  const {base} = await api.access('asset')
  const list = () => listToCompare(session, options.settings, container)
  return runUploads(session, options, files.length, async ({ledger, uploader, pool, progress}) => {
    const present = options.settings.fresh
      ? new Map<string, UploadResult>()
      : await findPresent(jobs, {base, container, ledger, list, signal: runtime.signal})
    progress.add(files.flatMap(({job, size}) => (present.has(job.key) ? [] : [size])))
    return uploadMissing(uploader, jobs, {...pool, present, verify: verifier(session, options)})
  })
}

/**
 * What a container holds, for files not to be sent twice; nothing with `--fresh`, which sends them whatever it holds. Raises a
 * Failure that tells how to create a container that is not there, unless `whenMissing` makes it, and names `--fresh` where it
 * cannot be listed.
 */
export async function listToCompare(
  {api}: Session,
  {fresh}: Pick<UploadSettings, 'fresh'>,
  container: string,
  whenMissing?: () => Promise<Listing>,
): Promise<Listing> {
  if (fresh && !whenMissing) return {}
  try {
    const listing = await api.call(listContainer, {path: {container}, query: {}})
    return fresh ? {} : listing
  } catch (error) {
    if (whenMissing && isNotFound(error)) return whenMissing()
    throw withFacts(error, ({exit}) => {
      if (isNotFound(error)) {
        const message = `container ${container} does not exist; nothing was sent`
        return {message, why: undefined, try: `roomctl asset create ${pathArgument(container)} --description TEXT`}
      }
      if (exit === 'unauthenticated' || exit === 'interrupted') return {}
      return {
        why: 'without the listing roomctl cannot tell which files are already there, so nothing was sent',
        try: 'run the command again later, or upload without checking: add --fresh',
      }
    })
  }
}

/** Resumes uploads; one that cannot be has failed. One outcome for each, in order. */
export async function resumeUploads(
  session: Session,
  options: RunOptions,
  found: readonly ResumeCandidate[],
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
    for (const {job, size} of files) previews.push(await previewUpload(job, size, {access, ledger, settings}))
    return previews
  })
}

function verifier(session: Session, {verify: level}: SendOptions): NonNullable<PoolOptions['verify']> {
  return (job, result) => verifyUpload(session, job, result, {level})
}

/** Writes the journal's line of an upload as soon as its outcome is known (product §5); none where nothing was sent. */
function journalUpload(session: Session, uploaded: Uploaded): void {
  const failure = uploaded.outcome === 'failed' ? uploaded.failure : undefined
  if (uploaded.outcome === 'skipped' || (failure && !cameToSending(failure))) return
  const {container, name, platform} = uploaded.job
  writeJournal(session, {
    operation: 'asset.upload',
    targets: {container, ...(uploaded.result ? {uuid: uploaded.result.uuid} : {}), name, platform},
    ...(failure ? whatBecame(failure) : {outcome: 'done'}),
  })
}
