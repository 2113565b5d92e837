import {Failure} from '../../failure.js'
import {digestOf, wholeUpTo} from '../files/localFile.js'
import {entryId, targetOf} from '../ledger/entry.js'
import type {Claim} from '../ledger/ledger.js'
import {stampOf, type UploadJob, type UploadResult} from '../model/job.js'
import {uuidOf} from './addresses.js'
import {ChunkSize} from './chunkSize.js'
import {assertStamped, type Content, contentOf, SentDigest} from './content.js'
import {FailureRecovery} from './failureRecovery.js'
import {brokenAnswer, interrupted, withDoubt} from './failures.js'
import {type FileSource, openSource} from './fileSource.js'
import {type Restart, restartWords} from './requests.js'
import {
  assertSameFile,
  compareSent,
  findResumable,
  findStoredUpload,
  recoverLostCreate,
  uploadedMeanwhile,
} from './resumable.js'
import {TusUpload} from './tusUpload.js'
import {
  openRun,
  type ResumableUpload,
  type Run,
  type Transfer,
  type UploadContext,
  type Uploader,
  type UploadItem,
  UploadRecords,
  UploadState,
} from './uploadState.js'

/** One after lost chunks that are smaller now does not count. */
const restartLimit = 3

/** Opens a run of uploads. `close` waits until the ledger is on the disk, throwing its Failure; the caller closes the ledger. */
export function openUploader(context: UploadContext): Uploader {
  const run = openRun(context)
  return {upload: (job) => upload(run, job), close: () => context.ledger.sync()}
}

async function upload(run: Run, job: UploadJob): Promise<UploadResult> {
  const {context} = run
  const assertGoing = () => {
    if (context.signal.aborted) throw interrupted(job)
  }
  assertGoing()
  const source = openSource(job)
  try {
    const content = contentOf(source, {isStamped: stampOf(job.description) !== undefined, assertGoing})
    try {
      return await uploadClaimed(run, job, source, content)
    } finally {
      await content.release()
    }
  } finally {
    await source.close()
  }
}

/** The claim keeps other processes, and other files of this one, from the same upload. */
async function uploadClaimed(run: Run, job: UploadJob, source: FileSource, content: Content): Promise<UploadResult> {
  const target = targetOf(job, run.context.access.base)
  const sample = await content.sample()
  const id = entryId(target, source.size, sample)
  assertSameFile(job, id)
  const claim = await claimUpload(run, job, id)
  try {
    const item = {job, target, source, content, sample, id, claim}
    source.compareBy((to) => compareSent(run, item, to))
    const meanwhile = await uploadedMeanwhile(run, item)
    if (meanwhile) return meanwhile
    const {done, resumesAt} = await recoverLostCreate(run, item)
    return done ?? (await uploadItem(run, item, resumesAt))
  } finally {
    claim.release()
  }
}

async function claimUpload({context}: Run, job: UploadJob, id: string): Promise<Claim> {
  const {ledger, signal, emit} = context
  let isLong = false
  const waiting = (ms: number, why: string) => {
    emit({kind: 'waiting', key: job.key, ms, why, ...(isLong ? {} : {isSaid: true})})
    isLong = true
  }
  try {
    return await ledger.claim(id, {signal, waiting})
  } catch (error) {
    throw signal.aborted ? interrupted(job) : error
  }
}

/** Uploads one file, or the rest of it. `adoptedAt`: the offset of an adopted upload. Throws Failure; the ledger then has the acknowledged offset. */
async function uploadItem(run: Run, item: UploadItem, adoptedAt: number | undefined): Promise<UploadResult> {
  const {job, source, content} = item
  if (source.size <= wholeUpTo && stampOf(job.description))
    assertStamped(job, await content.sha256(), 'nothing was sent')
  const resumed = await findResumable(run, item, adoptedAt)
  run.context.emit({kind: 'begun', key: job.key, size: source.size, from: resumed?.acked ?? 0})
  const chunkSize = new ChunkSize(run.context.settings, run.service, source.size)
  let [sentBytes, restarts] = [0, 0]
  // From the first upload, an earlier run's if there is one, to those that take its place if it is of no use.
  for (let from = resumed; ; from = undefined) {
    const {largest} = run.service
    const transfer = openTransfer(run, item, chunkSize, {resumed: from, sentBytes})
    // The service may have expired one upload; two are no accident.
    const isAdopted = from !== undefined && adoptedAt !== undefined
    const restart = await attemptUpload(transfer, restarts === 0).catch((error) =>
      orAnother(error, isAdopted, transfer),
    )
    if (restart === undefined) return finish(transfer)
    if (restart !== 'untold' || run.service.largest >= largest) restarts += 1
    if (restarts > restartLimit)
      throw brokenAnswer(job, `it started over ${restartLimit} times, and then ${restartWords[restart]}`)
    run.context.emit({kind: 'renewed', key: job.key, why: restartWords[restart]})
    sentBytes = transfer.state.sentBytes
  }
}

/** An adopted upload that accepts no bytes is replaced by a new one. */
function orAnother(error: unknown, isAdopted: boolean, {state}: Transfer): Restart {
  const isRefused = error instanceof Failure && error.facts.httpStatus !== undefined
  if (isAdopted && isRefused && state.furthestOffset === state.resumedFrom) return 'refused'
  throw error
}

/** `sentBytes`: of the file, before this upload. */
function openTransfer(
  run: Run,
  item: UploadItem,
  chunkSize: ChunkSize,
  {resumed, sentBytes}: {resumed: ResumableUpload | undefined; sentBytes: number},
): Transfer {
  const {algorithm} = run
  const isInMemory = item.source.size <= wholeUpTo && stampOf(item.job.description) === undefined
  return {
    run,
    item,
    state: new UploadState(resumed, sentBytes),
    // The digests of an entry are all of one algorithm.
    records: new UploadRecords(run, item, resumed && algorithm ? resumed.entry.algorithm : algorithm),
    chunkSize,
    sent: isInMemory ? undefined : new SentDigest(item.job, item.content),
  }
}

/** One upload, through all its failures. Returns why it is of no use, or undefined if the service has the file. */
async function attemptUpload(transfer: Transfer, canRestart: boolean): Promise<Restart | undefined> {
  const {run, item, state} = transfer
  try {
    return await runToEnd(transfer, canRestart)
  } catch (error) {
    await run.context.ledger.sync().catch(() => undefined)
    throw state.inDoubt ? withDoubt(error, item.job, state.url !== undefined) : error
  }
}

async function runToEnd(transfer: Transfer, canRestart: boolean): Promise<Restart | undefined> {
  const {run, item, state} = transfer
  const tus = new TusUpload(transfer, (await run.library()).Upload)
  let recovery: FailureRecovery | undefined
  for (let ending = await tus.run(); ending.kind !== 'whole'; ending = await tus.run()) {
    recovery ??= new FailureRecovery(transfer, canRestart)
    const restart = ending.kind === 'restart' ? ending.why : await recovery.recover(ending)
    if (restart === undefined) continue
    // A service may forget an upload once it has the file.
    const known = state.url && {url: state.url, isGone: restart === 'gone'}
    const stored = state.inDoubt ? await findStoredUpload(run, item, known) : undefined
    // The unfinished upload of another attempt is of no use to this one.
    if (!stored || stored.resumesAt !== undefined) return restart
    state.url = stored.url
    return undefined
  }
  return undefined
}

async function finish({run, item, state, records, sent}: Transfer): Promise<UploadResult> {
  const {job, source, content} = item
  const {url, resumedFrom, sentBytes} = state
  if (!url) throw new Error('an upload ended without an address')
  const uuid = uuidOf(url)
  const sha256 = stampOf(job.description) ?? (await (sent?.whole(source.size) ?? content.sha256()))
  await records.done({uuid, sha256})
  const moved = source.movedAway(job.path)
  if (moved && !(moved === 'changed' && (await hasDigest(run, item, sha256)))) {
    const text = `${job.key} was ${moved} while it was uploaded; the service has it as it was when the upload began`
    run.context.emit({kind: 'warned', text})
  }
  const result = {key: job.key, path: job.path, uuid, bytes: source.size, sha256, sentBytes}
  return resumedFrom === undefined ? result : {...result, resumedFrom}
}

/** Whether the file still has this digest: a change of its mode, owner or time alone does not change its content. */
function hasDigest({context}: Run, {job, source}: UploadItem, sha256: string): Promise<boolean> {
  return digestOf(job.path, context.signal, source.size).then(
    (digest) => digest === sha256,
    () => false,
  )
}
