import {existsSync} from 'node:fs'
import {fileFailure} from '../../failure.js'
import {isSameStamp, provenBy, wholeUpTo} from '../files/localFile.js'
import type {LedgerEntry} from '../ledger/entry.js'
import {stampOf, type UploadJob, type UploadResult} from '../model/job.js'
import {checkedUrl, endpointOf, uuidOf} from './addresses.js'
import {interrupted, uploadCommand} from './failures.js'
import type {Sameness} from './fileSource.js'
import {type ResumableUpload, type Run, type UploadItem, UploadRecords, waitFor} from './uploadState.js'

/** A copied ledger must not choose the file: `id` is derived from the content. Throws Failure (file). */
export function assertSameFile(job: UploadJob, id: string): void {
  if (job.resumes === undefined || job.resumes === id) return
  throw fileFailure(`upload ${job.resumes} was not resumed: ${job.path} has changed since the upload began`, {
    code: 'file-changed',
    why: 'the file was changed or replaced since, or the ledger of uploads was changed by another program',
    try: uploadCommand(job, job.path),
  })
}

/** The result of an item that another process has uploaded since this run began. Throws Failure (file). */
export async function uploadedMeanwhile(run: Run, item: UploadItem): Promise<UploadResult | undefined> {
  const {settings, ledger, emit} = run.context
  const {job, id, target, source, content} = item
  const entry = settings.fresh ? undefined : ledger.finishedMeanwhile(id, target)
  if (!entry) return undefined
  const {uuid} = entry.done
  const sha256 = await content.sha256()
  if (entry.done.sha256 !== sha256) return undefined
  emit({kind: 'begun', key: job.key, size: source.size, from: source.size})
  return resultByAnother(item, uuid, sha256)
}

function resultByAnother({job: {key, path}, source}: UploadItem, uuid: string, sha256: string): UploadResult {
  return {key, path, uuid, bytes: source.size, sha256, sentBytes: 0, uploadedByOtherProcess: true}
}

/**
 * Finds the unfinished upload of an earlier run whose content is proven to be the file's; `adoptedAt`: the offset of one that was just
 * adopted. Throws Failure (file), also for a tampered entry.
 */
export async function findResumable(
  run: Run,
  item: UploadItem,
  adoptedAt: number | undefined,
): Promise<ResumableUpload | undefined> {
  const {context} = run
  const {job, id} = item
  const outdated = await forgetOutdated(run, item)
  const entry = context.settings.fresh ? undefined : context.ledger.findUnfinished(id)
  const renewed = (why: string) => context.emit({kind: 'renewed', key: job.key, why})
  if (entry?.url === undefined) {
    if (outdated && !context.settings.fresh) renewed(`the file has changed since ${outdated.begunAt}`)
    return undefined
  }
  const url = checkedUrl(entry, endpointOf(context.access, job.container))
  // Of an adopted upload the stamp proves any part, and without one it has no part yet.
  if (adoptedAt !== undefined) {
    return {entry, url, acked: 0, provenTo: stampOf(job.description) === undefined ? adoptedAt : item.source.size}
  }
  const provenTo = await provenPart(item, entry)
  const acked = entry.acked.at(-1)?.to ?? 0
  if (provenTo >= acked) return {entry, url, acked, provenTo}
  const hasDigests = entry.algorithm !== undefined && entry.acked.every(({digest}) => digest !== undefined)
  const since = `since ${entry.begunAt}`
  renewed(hasDigests ? `the file has changed ${since}` : `nothing proves that ${job.key} is unchanged ${since}`)
  return undefined
}

/** Reads this long after a change that was lost show its outcome. */
const settledMs = 3_000

/** The outcome of a creation without an answer: the file is in the container, or an upload of it to resume. */
interface Recovered {
  readonly done?: UploadResult
  /** The offset of the adopted upload. */
  readonly resumesAt?: number
}

/** Finds what an earlier run has created in the container without an answer. Throws as `findStoredUpload`. */
export async function recoverLostCreate(run: Run, item: UploadItem): Promise<Recovered> {
  const {settings, ledger, emit} = run.context
  const {job, id, source, content} = item
  if (settings.fresh) return {}
  const entry = ledger.findUnfinished(id)
  if (!entry && job.adopts !== undefined) return adopt(run, item, job.adopts)
  if (!entry?.creating) return {}
  const stored = await findStoredUpload(run, item)
  if (!stored) return {}
  const records = new UploadRecords(run, item, undefined)
  records.created(stored.url)
  if (stored.resumesAt !== undefined) return {resumesAt: stored.resumesAt}
  const [uuid, sha256] = [uuidOf(stored.url), await content.sha256()]
  await records.done({uuid, sha256})
  emit({kind: 'begun', key: job.key, size: source.size, from: source.size})
  return {done: resultByAnother(item, uuid, sha256)}
}

/** Adopts an unfinished upload with the file's stamp, unless it grows: then another machine is sending it. */
async function adopt(run: Run, item: UploadItem, uuid: string): Promise<Recovered> {
  const before = await identifyFor(run, item, uuid)
  await waitFor(run, item.job, settledMs, 'the container has a part of it; checking that no other run sends it')
  const after = await identifyFor(run, item, uuid)
  if (typeof before !== 'object' || typeof after !== 'object' || before.resumesAt !== after.resumesAt) return {}
  const records = new UploadRecords(run, item, run.algorithm)
  records.begin()
  records.created(uploadAddress(run, item, uuid))
  return after
}

/**
 * Finds an upload whose last request was lost: at `location`, if that is gone (a listing may show part of what is
 * there) or has the same bytes, or as a resource of its name, whole or unfinished. Warns of one that may be it, if nothing shows whether it is.
 */
export async function findStoredUpload(
  run: Run,
  item: UploadItem,
  location?: {readonly url: URL; readonly isGone: boolean},
): Promise<StoredUpload | undefined> {
  const {context} = run
  await settle(run, item)
  const listed = await context.listedAs(item.job)
  const own = location && uuidOf(location.url)
  if (own && location.isGone && listed.includes(own)) return {url: location.url}
  return findListed(run, item, listed, own)
}

/** `own`: an upload of this run, which is the file only if it is whole. */
async function findListed(run: Run, item: UploadItem, listed: readonly string[], own: string | undefined) {
  const known = uploadsOfThisMachine(run, item)
  const unknown: string[] = []
  for (const uuid of listed.filter((listedUuid) => listedUuid === own || !known.has(listedUuid))) {
    const identity = await identifyFor(run, item, uuid)
    const url = uploadAddress(run, item, uuid)
    if (identity === 'same') return {url}
    if (uuid === own) continue
    if (typeof identity === 'object') return {url, ...identity}
    if (identity === 'unknown') unknown.push(uuid)
  }
  if (unknown[0] !== undefined) run.context.emit({kind: 'warned', text: mayBeThere(item, unknown[0])})
  return undefined
}

/** `resumesAt`: the offset of an unfinished one. */
interface StoredUpload {
  readonly url: URL
  readonly resumesAt?: number
}

/** Waits until reads show the effect of a request whose answer was lost. */
async function settle(run: Run, {job, id}: UploadItem): Promise<void> {
  const {ledger, now, signal} = run.context
  const lostAt = Date.parse(ledger.findUnfinished(id)?.updatedAt ?? '') || 0
  const ms = Math.min(settledMs, lostAt + settledMs - now().getTime())
  if (ms > 0) await waitFor(run, job, ms, 'an earlier request was not answered; checking the container')
  if (signal.aborted) throw interrupted(job)
}

/** The uuids of other uploads to the same place: they are other files, or other beginnings of this one. */
function uploadsOfThisMachine({context: {ledger}}: Run, {target}: UploadItem): ReadonlySet<string> {
  const urls = ledger.unfinished(target).flatMap(({url = ''}) => (URL.canParse(url) ? uuidOf(new URL(url)) : []))
  return new Set([...ledger.finishedAs([target]).map(({done}) => done.uuid), ...urls])
}

async function identifyFor({context}: Run, {job, content, source: {size}}: UploadItem, uuid: string) {
  return context.identify(job, {uuid, sha256: await content.sha256(), size})
}

function uploadAddress({context}: Run, {job: {container}}: UploadItem, uuid: string): URL {
  return new URL(`${endpointOf(context.access, container).href}/${encodeURIComponent(uuid)}`)
}

function mayBeThere({job: {key, container}}: UploadItem, uuid: string): string {
  return `${key} is uploaded again: an earlier request was not answered, and ${container}/${uuid} may be it, whole or in part`
}

/** The number of bytes of the file that certainly equal those of an upload: all if its stamp is equal, else as far as digests agree. */
async function provenPart({source, content}: UploadItem, entry: LedgerEntry): Promise<number> {
  const {size, stamp, algorithm} = entry
  // The id of a small file is of all its content.
  if (source.size <= wholeUpTo) return source.size
  if (source.size !== size) return 0
  if (isSameStamp(source.stamp, stamp)) return size
  return algorithm === undefined ? 0 : provenBy(entry, ({from, to}) => content.digest(from, to, algorithm))
}

/** Compares a file whose mode, owner or time has changed with what was sent of it, up to `to`: by its sample, and the digests of its parts. */
export async function compareSent({context}: Run, item: UploadItem, to: number): Promise<Sameness> {
  const {job, id, content, sample} = item
  if ((await content.sample()) !== sample) return 'changed'
  // What was digested ahead may have changed.
  content.reread()
  const entry = context.ledger.findUnfinished(id)
  const algorithm = entry?.algorithm
  if (entry && algorithm !== undefined) {
    const proven = await provenBy(entry, (part) => content.digest(part.from, part.to, algorithm))
    return proven >= to ? 'same' : 'changed'
  }
  // The last bytes of a stamped file are sent only if all are those of its stamp.
  return stampOf(job.description) === undefined ? 'unproven' : 'same'
}

/** Forgets uploads of earlier contents of the file. Returns the newest of them. */
async function forgetOutdated({context}: Run, {job, id, target}: UploadItem): Promise<LedgerEntry | undefined> {
  const {ledger} = context
  let newest: LedgerEntry | undefined
  for (const entry of ledger.unfinished(target)) {
    // Another file of the same name may be under way to the same place; it is another one as long as it exists.
    if (entry.id === id || (entry.path !== job.path && existsSync(entry.path))) continue
    if (!(await ledger.forget(entry.id))) newest = entry
  }
  return newest
}
