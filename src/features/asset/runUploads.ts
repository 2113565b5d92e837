import {listContainer, upload} from '../../api/contract/asset.js'
import {askChange, type ConfirmFlags} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {withFacts} from '../../failure.js'
import {mapConcurrently} from '../../selection/run.js'
import {safeText} from '../../text/text.js'
import {identify, type ResourceFacts} from '../../upload/download/identify.js'
import type {ResourcePath} from '../../upload/download/openBytes.js'
import {isListedAs, type ListedResources, listedResources, PresenceCheck} from '../../upload/download/presence.js'
import {verifyUpload} from '../../upload/download/verify.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import {
  linkedTo,
  type SyncFile,
  stampedDescription,
  type UploadJob,
  type UploadResult,
  type UploadSettings,
} from '../../upload/model/job.js'
import {UploadProgress} from '../../upload/run/progress.js'
import {type ResumeCandidate, resumeOutcomes} from '../../upload/run/resume.js'
import {
  previewUpload,
  type UploadAllOptions,
  type Uploaded,
  type UploadTask,
  uploadAll,
  withUploads,
} from '../../upload/run/uploadAll.js'
import {digestOf} from '../../upload/source/localFile.js'
import {makePlan, type PlannedFile, uploadTask} from '../../upload/sync/plan.js'
import {verdictOn, wasSent, writeJournal} from '../mutation/journal.js'
import {isNotFound} from './containers.js'
import {pathArgument} from './paths.js'
import {showUploadProgress} from './presentUploads.js'
import {type SendOptions, withLedger} from './uploadFlags.js'
import type {UploadReport} from './uploadReport.js'

type UploadTools = Parameters<Parameters<typeof withUploads>[1]>[0] & {
  readonly pool: Omit<UploadAllOptions, 'verify'>
  readonly progress: UploadProgress
}

interface RunOptions extends SendOptions {
  readonly report: UploadReport
  /** The ledger, where it is open already; it is closed here. */
  readonly ledger?: Ledger
}

/** Opens ledger and uploader for `work`, shows its progress on stderr and journals each file. */
async function runUploads<T>(
  session: Session,
  options: RunOptions,
  files: number,
  work: (tools: UploadTools) => Promise<T>,
): Promise<T> {
  const {settings, concurrency, failFast, stateDir, ledger, report} = options
  const {runtime, secrets, api} = session
  const {now, random, sleep, signal, digestThread} = runtime
  api.assertAllowed(upload)
  const access = await api.access('asset')
  const progress = new UploadProgress(now)
  const display = await showUploadProgress(session, options, progress, files)
  const emit: UploadAllOptions['emit'] = (event) => {
    report.take(event)
    progress.take(event)
    display.show(event)
  }
  const listedAs = async (job: UploadJob) => {
    const listed = await listToCompare(session, {...settings, fresh: false}, job.container)
    return [...listed].flatMap(([uuid, resource]) => (isListedAs(resource, job) ? [uuid] : []))
  }
  const reading = new PresenceCheck(session, 'download')
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
    identify: (job: UploadJob, resource: ResourceFacts) => identify(session, reading, job, resource),
    holdsSecret,
    emit,
    settings,
    stateDir,
    ...(ledger ? {ledger} : {}),
  }
  const pool: UploadTools['pool'] = {
    concurrency,
    failFast,
    signal,
    emit,
    reached: (key) => progress.reached(key),
    settled: (one) => journalUpload(session, one),
    ended: (one) => report.ended(one),
  }
  try {
    return await withUploads(context, (tools) => work({...tools, progress, pool}))
  } finally {
    display.close()
  }
}

/**
 * Uploads files to a container, linked-to ones first, without those proven to be in it unless `fresh`; asks where one of their name
 * may be the same. Raises a Failure (missing, file, interrupted, unconfirmed) before anything is sent.
 */
export async function uploadFiles(
  session: Session,
  options: RunOptions & {readonly answers: ConfirmFlags},
  run: PlanRun & {readonly keepsOrder?: boolean},
): Promise<Uploaded[]> {
  const {files, container, keepsOrder} = run
  // A shard without files has nothing to ask for.
  if (files.length === 0) return []
  return runUploads(session, options, files.length, async ({ledger, uploader, pool, progress}) => {
    // The listing is asked for once the ledger is open: what another process finishes after that is in the ledger.
    const plan = await planUploads(session, options, ledger, run)
    await confirmRepeated(session, options.answers, plan, container)
    announceStamps(session, plan)
    progress.add(plan.filter(({action}) => action !== 'skip').map(({bytes}) => bytes))
    const tasks = (keepsOrder ? asGiven(plan, files) : plan).map((one) => uploadTask(one, container))
    return uploadAll(uploader, tasks, {...pool, verify: verifySynced(session, files, options)})
  })
}

/** A plan in the order of the files; without this the largest come first. */
function asGiven(plan: readonly PlannedFile[], files: readonly SyncFile[]): PlannedFile[] {
  const planned = new Map(plan.map((one) => [one.file.key, one]))
  return files.flatMap(({key}) => planned.get(key) ?? [])
}

/** The catalog view of a bundle shows the content of a catalog (asset, Catalog view of a bundle): of the file of the run it links to. */
function verifySynced(session: Session, files: readonly SyncFile[], {verify: level}: SendOptions) {
  const needed = linkedTo(files)
  return ({job, after}: UploadTask, result: UploadResult) => {
    const linked = needed.get(after ?? '')
    const catalog = linked?.role === 'catalog' && linked.name.endsWith('.json') ? {catalogPath: linked.path} : {}
    return verifyUpload(session, job, result, {level, ...catalog})
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
    return uploadAll(uploader, ready, {...pool, verify: verifySynced(session, [], options)})
  })
  return resumeOutcomes(found, uploaded)
}

/** What uploads would send first, for `--dry-run`; sends nothing. Raises a Failure (file) where a file cannot be read. */
export async function previewUploads(
  session: Session,
  {settings, stamp, stateDir}: SendOptions,
  files: readonly {readonly job: UploadJob; readonly size: number}[],
) {
  const access = await session.api.access('asset')
  return withLedger(session, stateDir, (ledger) =>
    mapConcurrently(files, session.resolved.values.concurrency, async ({job: plain, size}) => {
      const description = stamp
        ? stampedDescription(plain.description, await digestOf(plain.path, session.runtime.signal, size))
        : plain.description
      return previewUpload({...plain, description}, size, {access, ledger, settings})
    }),
  )
}

/** Writes the journal's line of an upload as soon as its outcome is known (product §5); none where nothing was sent. */
function journalUpload(session: Session, uploaded: Uploaded): void {
  const failure = uploaded.outcome === 'failed' ? uploaded.failure : undefined
  if (failure && !wasSent(failure)) return
  const {container, name, platform} = uploaded.job
  writeJournal(session, {
    operation: 'asset.upload',
    targets: {container, ...(uploaded.result ? {uuid: uploaded.result.uuid} : {}), name, platform},
    ...(failure ? verdictOn(failure) : {outcome: 'done'}),
  })
}

export interface PlanRun {
  readonly files: readonly SyncFile[]
  readonly base: URL
  readonly container: string
  /** Makes a container that is missing, and gives what it holds. */
  readonly whenMissing?: (() => Promise<ListedResources>) | undefined
}

/** Plans by ledger, listing and stamps; sends only reads. Raises a Failure, also for a read that decides what would be sent twice. */
export async function planUploads(
  session: Session,
  {settings, stamp, verify, concurrency}: SendOptions,
  ledger: Ledger,
  run: PlanRun,
): Promise<PlannedFile[]> {
  const {base, container, whenMissing} = run
  const listed = await listToCompare(session, settings, container, whenMissing)
  const rule = new PresenceCheck(session, verify)
  const decided = <T>({uuid}: ResourcePath, reading: Promise<T>) =>
    reading.catch((error: unknown) => {
      throw undecided(error, `without ${uuid}`)
    })
  // Of what it lost the ledger would say that it was never uploaded.
  const byContent = new PresenceCheck(session, 'download')
  const check: PresenceCheck['check'] = async (...about) => {
    const presence = await rule.check(...about)
    const isRead = 'lack' in presence && presence.lack === 'unproven' && ledger.hasLost
    return isRead ? byContent.check(...about) : presence
  }
  const presence: Pick<PresenceCheck, 'check' | 'unproven'> = {
    check: (resource, ...about) => decided(resource, check(resource, ...about)),
    unproven: (resource, size) => decided(resource, rule.unproven(resource, size)),
  }
  const {signal} = session.runtime
  const reading = {readsBytes: verify === 'download', concurrency, signal, stamp, presence}
  return makePlan(run.files, {base, container, listed, ledger, fresh: settings.fresh, ...reading})
}

/**
 * What a container holds, not to send files twice; nothing with `--fresh`. Raises a Failure for a missing one, unless `whenMissing`
 * makes it.
 */
export async function listToCompare(
  {api}: Session,
  {fresh}: Pick<UploadSettings, 'fresh'>,
  container: string,
  whenMissing?: () => Promise<ListedResources>,
): Promise<ListedResources> {
  if (fresh && !whenMissing) return new Map()
  try {
    const listing = await api.call(listContainer, {path: {container}, query: {}})
    return listedResources(fresh ? {} : listing)
  } catch (error) {
    if (whenMissing && isNotFound(error)) return whenMissing()
    if (!isNotFound(error)) throw undecided(error, 'without the listing')
    const message = `container ${container} does not exist; nothing was sent`
    const advice = `roomctl asset create ${pathArgument(container)} --description TEXT`
    throw withFacts(error, () => ({message, why: undefined, try: advice}))
  }
}

/** A read that failed and would have shown what is there: sending without it could send twice. */
function undecided(error: unknown, without: string): unknown {
  return withFacts(error, ({exit, message, why}) => {
    if (exit === 'unauthenticated' || exit === 'interrupted' || exit === 'configuration') return {}
    return {
      message: `${message}; nothing was sent`,
      why: why ?? `${without} roomctl cannot tell which files are already there`,
    }
  })
}

const namesShown = 3

/** Asks, or warns off a terminal, where files of the same name may have the same content. Raises a Failure (unconfirmed). */
export async function confirmRepeated(
  session: Session,
  answers: ConfirmFlags,
  plan: readonly PlannedFile[],
  container: string,
): Promise<void> {
  const names = plan.flatMap(({file, isRepeated}) => (isRepeated ? [safeText(file.name)] : []))
  if (names.length === 0) return
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  const listed = `${names.slice(0, namesShown).join(', ')}${more}`
  const text = `${safeText(container)} already has ${listed}, and nothing proves the content is the same`
  session.warn(`warning: ${text}; to compare the content instead, add --verify download`)
  const isAnswered = answers.yes === true || answers.confirm !== undefined
  if (isAnswered || !session.mayAsk) return
  const copies = names.length === 1 ? 'another copy' : `${names.length} more copies`
  await askChange(session, 'asset', {text: `Upload ${copies}?`})
}

/** Says that descriptions are stamped, which changes what everybody reads of the files that are sent. */
export function announceStamps(session: Session, plan: readonly PlannedFile[]): void {
  const isStamped = plan.some(({action, stamp}) => action !== 'skip' && stamp !== undefined)
  if (isStamped) session.warn('stamps are on: each description ends with [sha256:DIGEST]')
}
