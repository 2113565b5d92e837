import {Failure, failureJson} from '../../api/contract/failure.js'
import {severalArg} from '../../cli/flags/flags.js'
import {afterChange, presentList} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import {lines} from '../../terminal/input.js'
import {nearest} from '../../text/nearest.js'
import {forgottenUploads} from '../../view/asset/transfers.js'

export const uploadIdsArg = severalArg('ID', 'upload ids or unique prefixes; - reads them from stdin, one per line')

/** A ledger, as far as uploads are looked up in it. */
interface KnownUploads<Entry> {
  readonly startingWith: (prefix: string) => readonly Entry[]
  readonly ids: (prefix: string) => readonly string[]
}

/**
 * The uploads that arguments name, by their ids or by the beginning of one, `-` replaced by the lines of stdin, each once and in
 * the order they were named. Raises a Failure: `missing` for one that is not `known`, `usage` for a beginning that
 * several have.
 */
export async function readUploadIds<Entry extends {readonly id: string}>(
  session: Session,
  given: readonly string[],
  known: KnownUploads<Entry>,
): Promise<Entry[]> {
  const {stdin, signal} = session.runtime
  const named = new Map<string, Entry>()
  const add = (word: string) => {
    const entry = matchUpload(word, known)
    named.set(entry.id, entry)
  }
  for (const word of given) {
    if (word !== '-') add(word)
    else for await (const line of lines(stdin, signal)) if (line.trim()) add(line.trim())
  }
  return [...named.values()]
}

function matchUpload<Entry extends {readonly id: string}>(word: string, known: KnownUploads<Entry>): Entry {
  if (word.trim() === '') {
    const why = 'is a shell variable unset?'
    throw new Failure({exit: 'usage', message: 'ID is empty', why})
  }
  const begins = known.startingWith(word.toLowerCase())
  const found = begins.find(({id}) => id === word.toLowerCase()) ?? begins[0]
  if (found && (begins.length === 1 || found.id === word.toLowerCase())) return found
  if (!found) throw unknownUpload(word, known.ids(word.toLowerCase().slice(0, 2)))
  throw new Failure({
    exit: 'usage',
    message: `${word} matches ${begins.length} uploads`,
    why: begins.map(({id}) => id).join(', '),
    try: 'type more of the id',
  })
}

function unknownUpload(word: string, ids: readonly string[]): Failure {
  const guess = nearest(word, ids)
  return new Failure({
    exit: 'missing',
    code: 'unknown-upload',
    message: `no upload ${word} in the ledger`,
    why: guess === undefined ? undefined : `did you mean ${guess}?`,
    try: 'roomctl asset uploads --all lists all uploads',
  })
}

interface Forgotten {
  readonly entry: {readonly id: string; readonly name: string}
  readonly failure?: Failure
}

/**
 * Writes one result for each upload that was to be forgotten, and what that does not do; ends the command with 11 where some could
 * not be. `isAlone`: one that could not be is raised as what it is.
 */
export async function presentForgotten(
  session: Session,
  forgotten: readonly Forgotten[],
  isAlone: boolean,
): Promise<void> {
  const failures = forgotten.flatMap(({failure}) => failure ?? [])
  if (isAlone && failures[0]) throw failures[0]
  if (failures.length > 0) session.endWith('partial')
  const rows = forgotten.map(({entry: {id, name}, failure}) => ({
    id,
    file: name,
    outcome: failure ? ('failed' as const) : ('done' as const),
    ...(failure ? {error: failureJson(failure)} : {}),
  }))
  const shown = session.output.format === 'ids' ? rows.filter(({outcome}) => outcome === 'done') : rows
  await afterChange(() => presentList(session, shown, forgottenUploads, {mayPage: false}))
  const count = rows.length - failures.length
  if (count === 0) return
  const what = count === 1 ? 'the upload' : `these ${count} uploads`
  session.warn(`the service keeps what it received of ${what}: it cannot delete uploads`)
}
