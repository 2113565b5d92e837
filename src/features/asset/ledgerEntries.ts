import {severalArg} from '../../cli/flags/flags.js'
import {readIds} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureJson, failureWith, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import type {LedgerEntry} from '../../upload/ledger/entry.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import {forgottenUploads} from '../../view/asset/transfers.js'
import {presentRun} from '../bulk/present.js'

export const uploadIdsArg = severalArg('ID', 'upload ids or unique prefixes; - reads them from stdin, one per line')

/** The named uploads, by id or a unique prefix; `-` is stdin. Throws Failure: `missing` for an unknown one, `usage` for an ambiguous one. */
export async function readUploadIds(
  session: Session,
  typed: readonly string[],
  ledger: Ledger,
): Promise<LedgerEntry[]> {
  const {ids} = await readIds(session, 'ID', typed)
  const named = ids.map((id) => matchUpload(id, ledger))
  return [...new Map(named.map((entry) => [entry.id, entry])).values()]
}

function matchUpload(word: string, ledger: Ledger): LedgerEntry {
  const begins = ledger.startingWith(word.toLowerCase())
  const entry = begins.find(({id}) => id === word.toLowerCase()) ?? begins[0]
  if (entry && (begins.length === 1 || entry.id === word.toLowerCase())) return entry
  if (!entry) throw unknownUpload(word, [...ledger.startingWith(word.toLowerCase().slice(0, 2)), ...ledger.recent()])
  throw wrongUsage(`${word} matches ${begins.length} uploads`, {
    why: begins.map(({id}) => id).join(', '),
    try: 'type more of the id',
  })
}

function unknownUpload(word: string, alike: readonly LedgerEntry[]): Failure {
  const ids = alike.map(({id}) => id)
  const guess = nearest(word, ids)
  const why = guess === undefined ? undefined : `did you mean ${guess}?`
  const message = `no upload ${word} in the ledger`
  return failureWith('missing', message, {
    code: 'unknown-upload',
    cause: [message, ...(why === undefined ? [] : [why])].join('; '),
    why,
    try: 'roomctl asset uploads --all',
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
