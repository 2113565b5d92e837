import {listContainer, upload} from '../../api/contract/asset.js'
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
import {openUploader} from '../../upload/engine/uploader.js'
import {digestOf} from '../../upload/files/localFile.js'
import {type Ledger, openLedger} from '../../upload/ledger/ledger.js'
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
} from '../../upload/run/uploadAll.js'
import {makePlan, type PlannedFile, uploadTask} from '../../upload/sync/plan.js'
import {verdictOn, wasSent, writeJournal} from '../mutation/journal.js'
import {missingContainer} from './containers.js'
import {isNotFound} from './near.js'
import {uploadDisplay} from './uploadDisplay.js'
import {type SendOptions, withLedger} from './uploadFlags.js'
import type {UploadReport} from './uploadReport.js'

interface RunOptions extends SendOptions {
  readonly report: UploadReport
}

interface UploadRun {
  readonly ledger: Ledger
  /** Uploads files, and journals each. `sizes`: of the files to send. `files`: all files of the run. */
  send(tasks: readonly UploadTask[], sizes: readonly number[], files?: readonly SyncFile[]): Promise<Uploaded[]>
}

/** Works with an uploader, and a ledger unless it is open; closes both, which flushes the ledger. Throws Failure (configuration, file). */
async function withUploads(
  session: Session,
  options: RunOptions,
  work: (run: UploadRun) => Promise<Uploaded[]>,
  opened?: Ledger,
): Promise<Uploaded[]> {
  const {settings, concurrency, failFast, stateDir, report} = options
  const {runtime, secrets, api} = session
  const {now, random, sleep, signal, digestThread} = runtime
  api.assertAllowed(upload)
  const access = await api.access('asset')
  const progress = new UploadProgress(now)
  const display = uploadDisplay(session, options, progress)
  const emit: UploadAllOptions['emit'] = (event) => {
    report.take(event)
    progress.take(event)
    display.show(event)
  }
  const ledger = opened ?? (await openLedger(stateDir, {now, warn: (text) => emit({kind: 'warned', text})}))
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
    ...{now, random, sleep, signal, digestThread, access, ledger, settings, emit, listedAs, holdsSecret},
    identify: (job, resource) => identify(session, reading, job, resource),
    storedBytes: ({container}, uuid) => storedBytes(session, {container, uuid}),
  })
  const send: UploadRun['send'] = async (tasks, sizes, files = []) => {
    progress.add(sizes)
    await display.start(sizes.length)
    return uploadAll(uploader, tasks, {
      ...{concurrency, failFast, signal, emit},
      verify: verifySynced(session, files, options),
      reached: (key) => progress.reached(key),
      settled: (one) => journalUpload(session, one),
      ended: (one) => report.ended(one),
    })
  }
  try {
    return await work({ledger, send})
  } finally {
    display.close()
    await uploader.close().finally(() => ledger.close())
  }
}

interface SendRun extends Omit<PlanRun, 'listed'> {
  /** Asked for once the ledger is open: what another process finishes after that is in the ledger. */
  readonly list: () => Promise<ListedResources>
  /** Whether to send in the order of the files; without this the largest come first. */
  readonly isInOrder?: true
}

/** Plans and uploads files; asks if one of their name may be the same. Throws Failure before anything is sent. */
export function sendFiles(
  session: Session,
  options: RunOptions & {readonly answers: ConfirmFlags},
  {list, isInOrder, ...place}: SendRun,
): Promise<Uploaded[]> {
  const {files, container} = place
  return withUploads(session, options, async ({ledger, send}) => {
    const planned = await planUploads(session, options, ledger, {...place, listed: await list()})
    const plan = isInOrder ? asGiven(planned, files) : planned
    await confirmRepeated(session, options.answers, plan, container)
    announceStamps(session, plan)
    const sizes = plan.filter(({action}) => action !== 'skip').map(({bytes}) => bytes)
    const tasks = plan.map((one) => uploadTask(one, container))
    return send(tasks, sizes, files)
  })
}

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

/** Resumes uploads; one that cannot be resumed has failed. One outcome for each, in order. */
export function resumeUploads(
  session: Session,
  options: RunOptions,
  ledger: Ledger,
  found: readonly ResumeCandidate[],
): Promise<Uploaded[]> {
  const ready = found.flatMap((one) => ('size' in one ? one : []))
  const sizes = ready.map(({size}) => size)
  return withUploads(session, options, async ({send}) => resumeOutcomes(found, await send(ready, sizes)), ledger)
}

/** The first requests of uploads, for `--dry-run`; sends nothing. Throws Failure (file) if a file cannot be read. */
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

/** Writes the journal's line of an upload as soon as its outcome is known (product §5); none if nothing was sent. */
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
}

/** Plans by ledger, listing and stamps; sends only reads. Throws Failure, also for a read that decides what would be sent twice. */
export async function planUploads(
  session: Session,
  {settings, stamp, verify, concurrency, progress}: SendOptions,
  ledger: Ledger,
  {files, base, container, listed}: PlanRun,
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
  const hide = showReading(session, text, progress)
  return makePlan(files, {base, container, listed, ledger, fresh: settings.fresh, ...reading}).finally(hide)
}

/** The contents of a container, to avoid sending files twice; empty with `--fresh`. Throws Failure for a missing one. */
export async function listToCompare(
  session: Session,
  {fresh}: Pick<UploadSettings, 'fresh'>,
  container: string,
): Promise<ListedResources> {
  if (fresh) return new Map()
  const listed = await listExisting(session, container)
  if (listed) return listed
  throw await missingContainer(session, container)
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

/** Says that descriptions are stamped, which changes what everybody reads of the files that are sent. */
function announceStamps(session: Session, plan: readonly PlannedFile[]): void {
  const isStamped = plan.some(({action, stamp}) => action !== 'skip' && stamp !== undefined)
  if (isStamped) session.warn('adding sha256 to descriptions (--no-stamp: off)')
}
