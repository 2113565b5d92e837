import {listContainer, patch, upload} from '../../api/contract/asset.js'
import {showReading} from '../../cli/output/progress.js'
import {askChange, type ConfirmFlags} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {withFacts} from '../../failure.js'
import {mapConcurrently} from '../../selection/run.js'
import {counted, safeText, someOf} from '../../text/text.js'
import {storedBytes} from '../../upload/download/fetchBytes.js'
import {identify} from '../../upload/download/identify.js'
import type {ResourcePath} from '../../upload/download/openBytes.js'
import {isListedAs, type ListedResources, listedResources, PresenceCheck} from '../../upload/download/presence.js'
import {verifyUpload} from '../../upload/download/verify.js'
import {sampleOf} from '../../upload/engine/content.js'
import {assertSameFile} from '../../upload/engine/resumable.js'
import {openUploader} from '../../upload/engine/uploader.js'
import {createHeaders} from '../../upload/files/headers.js'
import {entryId, targetOf} from '../../upload/ledger/entry.js'
import {type Ledger, openLedger} from '../../upload/ledger/ledger.js'
import {
  linkedTo,
  type SyncFile,
  type UploadJob,
  type UploadResult,
  type UploadSettings,
} from '../../upload/model/job.js'
import {type ResumeCandidate, resumeOutcomes} from '../../upload/run/resume.js'
import {turnOf, type UploadAllOptions, type Uploaded, type UploadTask, uploadAll} from '../../upload/run/uploadAll.js'
import {makePlan, type PlannedFile, plannable, uploadTask} from '../../upload/sync/plan.js'
import {previewRequest} from '../mutation/dryRun.js'
import {verdictOn, wasSent, writeJournal} from '../mutation/journal.js'
import {isNotFound, missingContainer} from './containers.js'
import {type SendOptions, withLedger} from './uploadFlags.js'

interface SendRun extends Omit<PlanRun, 'listed'> {
  /** Asked for once the ledger is open: what another process finishes after that is in the ledger. */
  readonly list: () => Promise<ListedResources>
}

/** Plans and uploads files; asks if one of their name may be the same. Throws Failure before anything is sent. */
export async function sendFiles(
  session: Session,
  options: SendOptions,
  {list, ...place}: SendRun,
): Promise<Uploaded[]> {
  const {files, container} = place
  const {stateDir, report} = options
  report.start()
  await assertRoutes(session)
  const warn = (text: string) => report.take({kind: 'warned', text})
  const ledger = await openLedger(stateDir, {now: session.runtime.now, warn})
  try {
    const plan = await planUploads(session, options, ledger, {...place, listed: await list()})
    await confirmRepeated(session, options.answers, plan, container)
    announceStamps(session, plan)
    const sizes = plan.filter(({action}) => action !== 'skip').map(({bytes}) => bytes)
    const tasks = plan.map((file) => uploadTask(file, container))
    return await sendTasks(session, options, ledger, {tasks, sizes, files})
  } finally {
    await ledger.close()
  }
}

/** Throws the Failure of a route that no file could be sent by. */
async function assertRoutes({api}: Session): Promise<void> {
  const {route} = await api.access('asset')
  for (const operation of [upload, patch]) route(operation)
}

interface Sending {
  readonly tasks: readonly UploadTask[]
  /** Of the files to send. */
  readonly sizes: readonly number[]
  /** All files of the run. */
  readonly files: readonly SyncFile[]
}

/** Uploads files, and journals each. Throws Failure (configuration, file). */
async function sendTasks(session: Session, options: SendOptions, ledger: Ledger, {tasks, sizes, files}: Sending) {
  const {settings, concurrency, failFast, report} = options
  const {runtime, secrets, api} = session
  const {now, random, sleep, signal} = runtime
  api.assertAllowed(upload)
  const access = await api.access('asset')
  const emit: UploadAllOptions['emit'] = (event) => report.take(event)
  const listedAs = async (job: UploadJob) => {
    const listed = await listToCompare(session, {...settings, fresh: false}, job.container)
    return [...listed].flatMap(([uuid, resource]) => (isListedAs(resource, job) ? [uuid] : []))
  }
  const reading = new PresenceCheck(session, 'download')
  const holdsSecret = (text: string) => {
    // The client does not see the headers of an upload's answers.
    secrets.learn(text)
    return secrets.maskKnown(text) !== text
  }
  const uploader = openUploader({
    ...{now, random, sleep, signal, access, ledger, settings, emit, listedAs, holdsSecret},
    identify: (job, resource) => identify(session, reading, job, resource),
    storedBytes: ({container}, uuid) => storedBytes(session, {container, uuid}),
  })
  try {
    await report.draw(sizes)
    return await uploadAll(uploader, tasks, {
      ...{concurrency, failFast, signal, emit},
      verify: verifySynced(session, files, options),
      reached: (key) => report.progress.reached(key),
      settled: (outcome) => journalUpload(session, outcome),
      ended: (outcome) => report.ended(outcome),
    })
  } finally {
    report.stop()
    await uploader.close()
  }
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

/** Resumes uploads; one that cannot be resumed has failed. One outcome for each, in order. */
export async function resumeUploads(
  session: Session,
  options: SendOptions,
  ledger: Ledger,
  candidates: readonly ResumeCandidate[],
): Promise<Uploaded[]> {
  options.report.start()
  await assertRoutes(session)
  const tasks = candidates.flatMap((candidate) =>
    'size' in candidate ? {...candidate, turn: turnOf(plannable(candidate.job))} : [],
  )
  const sizes = tasks.map(({size}) => size)
  return resumeOutcomes(candidates, await sendTasks(session, options, ledger, {tasks, sizes, files: []}))
}

interface PreviewedUpload {
  readonly job: UploadJob
  readonly size: number
  /** Of an upload that is resumed. */
  readonly from: number | undefined
  /** Why it is not sent. */
  readonly skipped?: string | undefined
}

/** The first requests of uploads, for `--dry-run`; sends only reads. Throws Failure. */
export async function previewUploads(session: Session, options: SendOptions, {list, ...place}: SendRun) {
  const listed = await list()
  const plan = await withLedger(session, options.stateDir, (ledger) =>
    planUploads(session, options, ledger, {...place, listed}),
  )
  const uploads = plan.map((planned) => ({
    job: uploadTask(planned, place.container).job,
    size: planned.bytes,
    from: planned.action === 'resume' ? planned.from : undefined,
    skipped: planned.action === 'skip' ? planned.reason : undefined,
  }))
  return previewRequests(session, options, uploads)
}

/** The same of resumed uploads; sends nothing. Throws Failure (file) if a file cannot be read. */
export async function previewResumed(
  session: Session,
  options: SendOptions,
  ledger: Ledger,
  uploads: readonly {readonly id: string; readonly job: UploadJob; readonly size: number}[],
) {
  const {concurrency} = session.resolved.values
  const {base} = await session.api.access('asset')
  const resumed = await mapConcurrently(uploads, concurrency, async ({job, size}) => {
    return {job, size, from: await resumesFrom(job, size, base, ledger)}
  })
  return previewRequests(session, options, resumed)
}

function previewRequests(session: Session, {settings}: SendOptions, uploads: readonly PreviewedUpload[]) {
  return mapConcurrently(uploads, session.resolved.values.concurrency, async ({job, size, from, skipped}) => {
    const own = {'Upload-Length': String(size), ...createHeaders(job, settings.headerEncoding)}
    const preview = await previewRequest(session, upload, {path: {container: job.container}, headers: own})
    const headers = {authorization: '', 'Tus-Resumable': '1.0.0', ...preview.headers}
    const sent =
      from === undefined
        ? `would upload ${job.key}, ${size} bytes`
        : `would resume ${job.key} at byte ${from} of ${size} instead, if the service still has it`
    const note = skipped === undefined ? sent : `would skip ${job.key}: ${skipped}`
    return {...preview, headers, file: job.key, bytes: size, resumes_from: from ?? null, note}
  })
}

/** The offset of the unfinished upload of a file, by the ledger. */
async function resumesFrom(job: UploadJob, size: number, base: URL, ledger: Ledger): Promise<number | undefined> {
  const id = entryId(targetOf(job, base), size, await sampleOf(job))
  assertSameFile(job, id)
  const entry = ledger.findUnfinished(id)
  return entry?.url === undefined ? undefined : (entry.acked.at(-1)?.to ?? 0)
}

/** Writes the journal's line of an upload as soon as its outcome is known; none if nothing was sent. */
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

interface PlanRun {
  readonly files: readonly SyncFile[]
  readonly base: URL
  readonly container: string
  readonly listed: ListedResources
  /** Whether to send in the order of the files; without this the largest come first. */
  readonly isInOrder?: true
}

/** Plans by ledger, listing and stamps; sends only reads. Throws Failure, also for a read that decides what would be sent twice. */
export async function planUploads(
  session: Session,
  {settings, stamp, verify, concurrency, report}: SendOptions,
  ledger: Ledger,
  {files, ...place}: PlanRun,
): Promise<PlannedFile[]> {
  const rule = new PresenceCheck(session, verify)
  const decided = <T>({uuid}: ResourcePath, reading: Promise<T>) =>
    reading.catch((error: unknown) => {
      throw undecided(error, `without ${uuid}`)
    })
  // A damaged ledger would report lost entries as never uploaded.
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
  let compared = 0
  const reading = {readsBytes: verify === 'download', concurrency, signal, stamp, presence, compared: () => ++compared}
  const text = () => `comparing: ${compared} of ${counted(files.length, 'file')}`
  const hide = showReading(session, text, report.kind)
  const plan = await makePlan(files, {...place, ledger, fresh: settings.fresh, ...reading}).finally(hide)
  const unlisted = plan.filter(({there}) => there?.isUnlisted).length
  const are = unlisted === 1 ? 'that is' : 'that are'
  if (unlisted > 0) session.warn(`warning: the listing does not show ${counted(unlisted, 'file')} ${are} there`)
  return plan
}

/** The contents of a container, to avoid sending files twice; empty with `--fresh`. Throws Failure for a missing one, with the advice `create`. */
export async function listToCompare(
  session: Session,
  {fresh}: Pick<UploadSettings, 'fresh'>,
  container: string,
  create?: string,
): Promise<ListedResources> {
  if (fresh) return new Map()
  const listed = await listExisting(session, container)
  if (listed) return listed
  throw missingContainer(container, create)
}

/** The contents of a container; undefined if it does not exist. */
export async function listExisting({api}: Session, container: string): Promise<ListedResources | undefined> {
  try {
    return listedResources(await api.call(listContainer, {path: {container}, query: {}}))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw undecided(error, 'without the listing')
  }
}

/** A failed read of the container: sending without it could send files twice. */
function undecided(error: unknown, without: string): unknown {
  return withFacts(error, ({exit, message, why}) => {
    if (exit === 'unauthenticated' || exit === 'interrupted' || exit === 'configuration') return {}
    return {
      message: `${message}; nothing was sent`,
      cause: undefined,
      why: why ?? `${without} roomctl cannot tell which files are already there`,
    }
  })
}

const namesShown = 3

/** Asks, or warns off a terminal, if files of the same name may have the same content. Throws Failure (unconfirmed). */
async function confirmRepeated(
  session: Session,
  answers: ConfirmFlags,
  plan: readonly PlannedFile[],
  container: string,
): Promise<void> {
  const names = plan.flatMap(({file, isRepeated}) => (isRepeated ? [safeText(file.name)] : []))
  if (names.length === 0) return
  const text = `${safeText(container)} already has ${someOf(names, namesShown)}, and nothing proves the content is the same`
  session.warn(`warning: ${text}; to compare the content instead, add --verify download`)
  const isAnswered = answers.yes === true || answers.confirm !== undefined
  if (isAnswered || !session.mayAsk) return
  const copies = names.length === 1 ? 'another copy' : `${names.length} more copies`
  await askChange(session, 'asset', {text: `Upload ${copies}?`})
}

/** Says on a terminal that descriptions are stamped, which changes what everybody reads of the files that are sent. */
function announceStamps(session: Session, plan: readonly PlannedFile[]): void {
  const isStamped = plan.some(({action, stamp}) => action !== 'skip' && stamp !== undefined)
  if (isStamped && session.runtime.stderr.isTerminal) session.warn('adding sha256 to descriptions (--no-stamp: off)')
}
