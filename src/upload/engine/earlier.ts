import {access, stat} from 'node:fs/promises'
import {Failure} from '../../api/contract/failure.js'
import {checkedUrl} from '../ledger/checkedUrl.js'
import type {LedgerEntry} from '../ledger/entry.js'
import {prove} from '../ledger/proof.js'
import {interrupted} from './failures.js'
import type {Parcel, Run} from './run.js'

/** An unfinished upload of the same content, begun by an earlier run, that can be gone on with. */
export interface Earlier {
  readonly entry: LedgerEntry
  readonly url: URL
  /** What the service is known to have. */
  readonly acked: number
  /** Up to here the file certainly is what was sent, whoever sent it. */
  readonly provenTo: number
}

/**
 * Finds the upload that an earlier run left unfinished. One of other content, or whose content cannot be proven to be that of the
 * file, is not taken up, and `renewed` says why. Raises a Failure (file) for a file that cannot be read or an entry that was tampered with.
 */
export async function findEarlier(run: Run, parcel: Parcel): Promise<Earlier | undefined> {
  const {context} = run
  const {job, id} = parcel
  const outdated = await forgetOutdated(run, parcel)
  const entry = context.settings.fresh ? undefined : context.ledger.find(id)
  if (!entry || entry.done || entry.url === undefined) {
    if (outdated && !context.settings.fresh) renewed(run, parcel, `the file has changed since ${outdated.begunAt}`)
    return undefined
  }
  const url = checkedUrl(entry, context.access.base)
  const provenTo = await provenPart(run, parcel, entry)
  const acked = entry.acked.at(-1)?.to ?? 0
  if (provenTo >= acked) return {entry, url, acked, provenTo}
  const hasDigests = entry.algorithm !== undefined && entry.acked.every(({digest}) => digest !== undefined)
  const since = `since ${entry.begunAt}`
  renewed(
    run,
    parcel,
    hasDigests ? `the file has changed ${since}` : `nothing proves that ${job.key} is unchanged ${since}`,
  )
  return undefined
}

function renewed({context}: Run, {job}: Parcel, why: string): void {
  context.emit({kind: 'renewed', key: job.key, why})
}

async function provenPart({context}: Run, {job, source}: Parcel, entry: LedgerEntry): Promise<number> {
  try {
    const {provenTo} = await prove(job.path, entry, context.signal)
    // What was proven lies under the file's name; what is sent is the file that was opened.
    source.assertIs(await stat(job.path, {bigint: true}))
    return provenTo
  } catch (error) {
    if (context.signal.aborted) throw interrupted(job)
    throw error
  }
}

/** Forgets uploads of what the file was before: they are of no use to anybody. Gives the newest of them. */
async function forgetOutdated({context, active}: Run, {job, id, target}: Parcel): Promise<LedgerEntry | undefined> {
  const {ledger} = context
  let newest: LedgerEntry | undefined
  for (const entry of ledger.unfinished(target)) {
    if (entry.id === id || active.has(entry.id) || !(await isOutdated(entry, job.path))) continue
    const release = await ledger.claim(entry.id).catch(ignoreHeld)
    if (!release) continue
    await ledger.forget(entry.id)
    await release()
    newest = entry
  }
  return newest
}

/** Another file of the same name may be under way to the same place; it is another one as long as it is there. */
async function isOutdated(entry: LedgerEntry, path: string): Promise<boolean> {
  if (entry.path === path) return true
  return access(entry.path).then(
    () => false,
    () => true,
  )
}

/** An upload that somebody is working on is his. */
function ignoreHeld(error: unknown): undefined {
  if (!(error instanceof Failure) || error.facts.exit !== 'state') throw error
}
