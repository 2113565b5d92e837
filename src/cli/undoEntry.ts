import {Failure} from '../contract/failure.js'
import type {JournalEntry} from '../journal/journal.js'
import {journalPlace, userHere} from './journalPlace.js'
import {readHistory} from './readHistory.js'
import type {Session} from './session.js'

/** The changes made with the profile, the oldest first. Raises a Failure (file) where the journal cannot be read. */
export async function changesOfProfile(session: Session): Promise<JournalEntry[]> {
  const all: JournalEntry[] = []
  for await (const entry of readHistory(session)) if (entry.profile === session.resolved.name) all.push(entry)
  return all
}

/**
 * The entry of that id. Raises a Failure where there is none (missing), where it was undone already or changed nothing, and where
 * nobody knows what came of it (state).
 */
export function entryNamed(all: readonly JournalEntry[], id: string, profile: string): JournalEntry {
  const found = all.filter((entry) => entry.id === id.toLowerCase())
  const [entry] = found
  if (entry === undefined || found.length > 1) {
    throw new Failure({
      exit: 'missing',
      code: 'no-entry',
      message: `there is ${entry ? 'more than one' : 'no'} change ${id} of profile ${profile} in the journal`,
      try: 'roomctl history',
    })
  }
  const why = whyNot(entry, all)
  if (why === undefined) return entry
  throw new Failure({exit: 'state', code: 'not-undoable', message: `cannot undo ${entry.operation} ${id}`, ...why})
}

function whyNot(entry: JournalEntry, all: readonly JournalEntry[]): {why: string; try?: string} | undefined {
  const undoing = undoingOf(entry, all)
  if (undoing) return {why: `it was undone by ${undoing.id ?? 'another'} at ${undoing.at}`}
  if (entry.outcome === 'failed') return {why: 'it failed, so it changed nothing'}
  if (entry.outcome === 'done') return undefined
  return {
    why: 'its answer was lost, so nobody knows whether it was made',
    try: 'look first, then change what is to change',
  }
}

function undoingOf({id}: JournalEntry, all: readonly JournalEntry[]): JournalEntry | undefined {
  return all.find(({undoes, outcome}) => undoes !== undefined && undoes === id && outcome === 'done')
}

/** An entry, and the newer ones that were passed over for it since they have no inverse. */
export interface Newest {
  readonly entry: JournalEntry
  readonly passed: readonly JournalEntry[]
}

/**
 * The newest change of one's own that `hasInverse` and that was not undone; no undoing is undone unasked. Raises a Failure
 * (missing) where there is none.
 */
export function newestUndoable(
  session: Session,
  all: readonly JournalEntry[],
  hasInverse: (entry: JournalEntry) => boolean,
): Newest {
  const own = journalPlace(session).isShared ? userHere() : undefined
  const passed: JournalEntry[] = []
  for (const entry of all.toReversed()) {
    const isOwn = own === undefined || entry.by === own
    if (!isOwn || entry.undoes !== undefined || whyNot(entry, all)) continue
    if (entry.id !== undefined && hasInverse(entry)) return {entry, passed}
    passed.push(entry)
  }
  throw new Failure({
    exit: 'missing',
    code: 'nothing-to-undo',
    message: `there is nothing to undo: no change of profile ${session.resolved.name} in the journal has an inverse that is left`,
    try: 'roomctl history',
  })
}
