import type {ConfirmFlags} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {isListedAs, listedResources, PresenceCheck} from '../../upload/bytes/presence.js'
import {verifyUpload} from '../../upload/bytes/verify.js'
import {type PoolOptions, type Uploaded, uploadAll} from '../../upload/engine/pool.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import type {UploadJob, UploadResult} from '../../upload/model/job.js'
import {stampedDescription} from '../../upload/model/stamp.js'
import {UploadProgress} from '../../upload/run/progress.js'
import {type ResumeCandidate, resumeOutcomes} from '../../upload/run/resume.js'
import {previewUpload, withUploads} from '../../upload/run/uploads.js'
import {digestOf} from '../../upload/source/localFile.js'
import {runPlan, verifySynced} from '../../upload/sync/runPlan.js'
import {cameToSending, whatBecame, writeJournal} from '../mutation/journal.js'
import {announceStamps, confirmRepeated, listToCompare, type PlanRun, planUploads} from './planUploads.js'
import {type SendOptions, withLedger} from './uploadFlags.js'
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
  const listedAs = async (job: UploadJob) => {
    const listed = listedResources(await listToCompare(session, {...settings, fresh: false}, job.container))
    return [...listed].flatMap(([uuid, resource]) => (isListedAs(resource, job) ? [uuid] : []))
  }
  const holds = async (job: UploadJob, uuid: string, sha256: string) => {
    const about = {...job, sha256, isLinked: job.link !== undefined}
    const found = await new PresenceCheck(session, 'download').check({container: job.container, uuid}, about)
    return 'proof' in found && found.link === job.link
  }
  const holdsSecret = (text: string) => {
    // Headers of an upload's answers go past the client, which hears the others.
    secrets.hear(text)
    return secrets.maskKnown(text) !== text
  }
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

/** Files that are to be brought to a container. */
interface ContainerRun extends PlanRun {
  /** They go in the order they were given, not the largest first. */
  readonly keepsOrder?: boolean
}

/**
 * Brings files to a container, those that others link to first, without those that are proven to be in it unless `fresh`; asks where
 * one of their name may be the same. One outcome for each. Raises a Failure (missing, file, interrupted, unconfirmed) before
 * anything is sent.
 */
export async function uploadFiles(
  session: Session,
  options: SendOptions & {readonly answers: ConfirmFlags},
  run: ContainerRun,
): Promise<Uploaded[]> {
  const {files, container, keepsOrder} = run
  // A shard without files has nothing to ask for.
  if (files.length === 0) return []
  return runUploads(session, options, files.length, async ({ledger, uploader, pool, progress}) => {
    // The listing is asked for once the ledger is open: what another process finishes after that is told by the ledger.
    const plan = await planUploads(session, options, ledger, run)
    await confirmRepeated(session, options.answers, plan, container)
    announceStamps(session, plan)
    progress.add(plan.filter(({action}) => action !== 'skip').map(({bytes}) => bytes))
    const planned = new Map(plan.map((one) => [one.file.key, one]))
    const inTurn = keepsOrder ? files.flatMap(({key}) => planned.get(key) ?? []) : plan
    return runPlan(uploader, inTurn, {...pool, container, verify: verifySynced(session, files, options.verify)})
  })
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
    const verify = (job: UploadJob, result: UploadResult) => verifyUpload(session, job, result, {level: options.verify})
    return uploadAll(uploader, jobs, {...pool, verify})
  })
  return resumeOutcomes(found, uploaded)
}

/** What uploads would send first, for `--dry-run`; sends nothing. Raises a Failure (file) where a file cannot be read. */
export async function previewUploads(
  session: Session,
  {settings, stamp, stateDir}: SendOptions,
  files: readonly SizedJob[],
) {
  const access = await session.api.access('asset')
  return withLedger(session, stateDir, async (ledger) => {
    const previews = []
    for (const {job: plain, size} of files) {
      const description = stamp
        ? stampedDescription(plain.description, await digestOf(plain.path, session.runtime.signal, size))
        : plain.description
      previews.push(await previewUpload({...plain, description}, size, {access, ledger, settings}))
    }
    return previews
  })
}

/** Writes the journal's line of an upload as soon as its outcome is known (product §5); none where nothing was sent. */
function journalUpload(session: Session, uploaded: Uploaded): void {
  const failure = uploaded.outcome === 'failed' ? uploaded.failure : undefined
  if (failure && !cameToSending(failure)) return
  const {container, name, platform} = uploaded.job
  writeJournal(session, {
    operation: 'asset.upload',
    targets: {container, ...(uploaded.result ? {uuid: uploaded.result.uuid} : {}), name, platform},
    ...(failure ? whatBecame(failure) : {outcome: 'done'}),
  })
}
