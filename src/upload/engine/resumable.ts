import {existsSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import {type Failure, fileFailure, onFailure} from '../../failure.js'
import type {LedgerEntry} from '../ledger/entry.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {prove, wholeUpTo} from '../source/localFile.js'
import {checkedUrl, endpointOf, uuidOf} from './addresses.js'
import {interrupted, perhapsStored, uploadCommand} from './failures.js'
import {type ResumableUpload, type Run, type UploadItem, UploadRecords} from './uploadState.js'

/** A carried ledger must not choose what is uploaded: `id` is that of the file's content. Raises a Failure (file). */
export function assertSameFile(job: UploadJob, id: string): void {
  if (job.resumes === undefined || job.resumes === id) return
  throw fileFailure(`upload ${job.resumes} was not resumed: ${job.path} has changed since the upload began`, {
    code: 'file-changed',
    why: 'the file was changed or replaced since, or the ledger of uploads was changed by another program',
    try: uploadCommand(job, job.path),
  })
}

/** The result of an item that another process has uploaded since this run began. Raises a Failure (file). */
export async function uploadedMeanwhile(run: Run, item: UploadItem): Promise<UploadResult | undefined> {
  const {settings, ledger, emit} = run.context
  const {job, id, target, source, content} = item
  const entry = settings.fresh ? undefined : ledger.finishedMeanwhile(id, target)
  if (!entry) return undefined
  const {uuid, sha256} = entry.done
  const own = settings.sha256 ? await content.sha256() : null
  const isSame = (own !== null && own === sha256) || (await provenPart(run, item, entry)) === source.size
  if (!isSame) return undefined
  emit({kind: 'begun', key: job.key, size: source.size, from: source.size})
  return resultByAnother(item, uuid, own)
}

function resultByAnother({job: {key, path}, source}: UploadItem, uuid: string, sha256: string | null): UploadResult {
  return {key, path, uuid, bytes: source.size, sha256, sentBytes: 0, isByAnother: true}
}

/**
 * Finds the unfinished upload of an earlier run whose content is proven to be the file's. Raises a Failure (file), also for a
 * tampered entry.
 */
export async function findResumable(run: Run, item: UploadItem): Promise<ResumableUpload | undefined> {
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
  const provenTo = await provenPart(run, item, entry)
  const acked = entry.acked.at(-1)?.to ?? 0
  if (provenTo >= acked) return {entry, url, acked, provenTo}
  const hasDigests = entry.algorithm !== undefined && entry.acked.every(({digest}) => digest !== undefined)
  const since = `since ${entry.begunAt}`
  renewed(hasDigests ? `the file has changed ${since}` : `nothing proves that ${job.key} is unchanged ${since}`)
  return undefined
}

/** Reads this long after a change that was lost show its outcome (product §11). */
const settledMs = 3_000

/** The result of an item whose creation an earlier run asked for and never heard of, where the container has it. Raises as `storedAs`. */
export async function uploadedUnheard(run: Run, item: UploadItem): Promise<UploadResult | undefined> {
  const {settings, ledger, emit} = run.context
  const {job, id, source, content} = item
  if (settings.fresh || !ledger.findUnfinished(id)?.creating) return undefined
  const url = await storedAs(run, item)
  if (!url) return undefined
  const [uuid, sha256] = [uuidOf(url), await content.sha256()]
  const records = new UploadRecords(run, item, undefined)
  records.created(url)
  await records.done({uuid, sha256})
  emit({kind: 'begun', key: job.key, size: source.size, from: source.size})
  return resultByAnother(item, uuid, settings.sha256 ? sha256 : null)
}

/**
 * Where the service has an upload whose last request was lost: at `location`, where that is gone (a listing may show part of what is
 * there) or holds the same bytes, or as a resource of its name. Raises a Failure (state) for an unknown one of its name, which may
 * become the file.
 */
export async function storedAs(
  run: Run,
  {job, id, target, content}: UploadItem,
  location?: {readonly url: URL; readonly isGone: boolean},
): Promise<URL | undefined> {
  const {context} = run
  const {ledger, now, sleep, signal} = context
  const lostAt = Date.parse(ledger.findUnfinished(id)?.updatedAt ?? '') || 0
  const ms = Math.min(settledMs, lostAt + settledMs - now().getTime())
  if (ms > 0) {
    context.emit({
      kind: 'waiting',
      key: job.key,
      ms,
      why: 'an earlier request was not answered; checking the container',
    })
    await sleep(ms, signal)
  }
  if (signal.aborted) throw interrupted(job)
  const listed = await context.listedAs(job)
  const own = location && uuidOf(location.url)
  if (own && location.isGone && listed.includes(own)) return location.url
  const known = new Set(ledger.finishedAs([target]).map(({done}) => done.uuid))
  const unproven = listed.filter((one) => !known.has(one))
  for (const uuid of unproven) {
    const isSame = await context.holds(job, uuid, await content.sha256())
    if (isSame) return new URL(`${endpointOf(context.access, job.container).href}/${encodeURIComponent(uuid)}`)
  }
  const stranger = unproven.find((one) => one !== own)
  if (stranger !== undefined) throw perhapsStored(job, id, stranger)
  return undefined
}

async function provenPart({context}: Run, {job, source}: UploadItem, entry: LedgerEntry): Promise<number> {
  // The id of a small file is of all its content.
  if (source.size <= wholeUpTo) return source.size
  try {
    const provenTo = await prove(job.path, entry, context.signal)
    // What was proven has the file's name; what is sent is the file that was opened.
    source.assertIs(await stat(job.path, {bigint: true}))
    return provenTo
  } catch (error) {
    throw context.signal.aborted ? interrupted(job) : error
  }
}

/** Forgets uploads of what the file was before: they are of no use to anybody. Gives the newest of them. */
async function forgetOutdated({context}: Run, {job, id, target}: UploadItem): Promise<LedgerEntry | undefined> {
  const {ledger} = context
  let newest: LedgerEntry | undefined
  for (const entry of ledger.unfinished(target)) {
    // Another file of the same name may be under way to the same place; it is another one as long as it exists.
    if (entry.id === id || (entry.path !== job.path && existsSync(entry.path))) continue
    // An upload that another process works on stays.
    const isHeld = ({facts}: Failure) => facts.exit === 'state'
    const claim = await ledger.claim(entry.id).catch(onFailure(isHeld, () => undefined))
    if (!claim) continue
    claim.forget()
    claim.release()
    newest = entry
  }
  return newest
}
