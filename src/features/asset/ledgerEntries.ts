import {severalArg} from '../../cli/flags/flags.js'
import {readIds} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {failureJson, failureWith} from '../../failure.js'
import type {LedgerEntry} from '../../upload/ledger/entry.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import {forgottenUploads} from '../../view/asset/transfers.js'
import {presentRun} from '../bulk/present.js'

export const uploadIdsArg = severalArg('ID', 'upload ids; - reads them from stdin, one per line')

/** The uploads with the typed ids; `-` is stdin. Throws Failure (missing) for an unknown one. */
export async function readUploadIds(
  session: Session,
  typed: readonly string[],
  ledger: Ledger,
): Promise<LedgerEntry[]> {
  const {ids} = await readIds(session, 'ID', typed)
  const entries = new Map(ledger.named(new Set(ids)).map((entry) => [entry.id, entry]))
  return ids.map((id) => entries.get(id) ?? unknownUpload(id))
}

function unknownUpload(id: string): never {
  throw failureWith('missing', `no upload ${id} in the ledger`, {
    code: 'unknown-upload',
    try: {command: ['asset uploads', '--all']},
  })
}

/**
 * Drops uploads from the ledger, but those that another process works on, and presents each outcome; ends with 11 if some failed.
 * `isAlone`: its Failure is thrown. Throws Failure (file) of the ledger.
 */
export async function forgetUploads(
  session: Session,
  ledger: Ledger,
  entries: readonly LedgerEntry[],
  isAlone: boolean,
): Promise<void> {
  const forgotten = await Promise.all(entries.map(async (entry) => ({entry, failure: await ledger.forget(entry.id)})))
  await ledger.sync()
  const [first] = forgotten
  if (isAlone && first?.failure) throw first.failure
  const rows = forgotten.map(({entry: {id, name}, failure}) => ({
    id,
    file: name,
    outcome: failure ? ('failed' as const) : ('done' as const),
    ...(failure ? {error: failureJson(failure)} : {}),
  }))
  await presentRun(session, {rows, view: forgottenUploads, see: null})
  const count = rows.filter(({outcome}) => outcome === 'done').length
  if (count === 0) return
  const what = count === 1 ? 'the upload' : `these ${count} uploads`
  session.warn(`the service keeps what it received of ${what}: it cannot delete uploads`)
}
