import {Failure} from '../../api/contract/failure.js'
import {systemReason} from '../../storage/disk/reason.js'
import {type JournalEntry, type JournalPlace, journalIn} from '../../storage/journal.js'
import type {Resolved} from '../../storage/profile/resolve.js'

interface JournalOwner {
  readonly places: {readonly state: string}
  readonly resolved: Resolved
}

export function journalPlace({places, resolved}: JournalOwner): JournalPlace {
  return journalIn(places.state, resolved.values['journal.keep'])
}

/** If the journal cannot be written, a warning says so; the change stands. */
export interface Journal {
  append(entry: JournalEntry): void
  flush(): void
}

type Keep = (entries: readonly JournalEntry[]) => void

/** For single changes: each line is written at once. */
export function singleJournal(keep: Keep, warn: (text: string) => void): Journal {
  return {append: (entry) => kept(keep, [entry], warn), flush: () => undefined}
}

/** How long lines are collected, in milliseconds; a kill loses no more than that. */
const gatherMs = 10

/**
 * For a run of many changes: lines of about the same time are written together. After `signal` each is written at once, since
 * the process may end at any moment.
 */
export function runJournal(keep: Keep, warn: (text: string) => void, signal: AbortSignal): Journal {
  let gathered: JournalEntry[] = []
  const flush = () => {
    const entries = gathered
    gathered = []
    if (entries.length > 0) kept(keep, entries, warn)
  }
  signal.addEventListener('abort', flush, {once: true})
  return {
    append: (entry) => {
      gathered.push(entry)
      if (signal.aborted) flush()
      else if (gathered.length === 1) setTimeout(flush, gatherMs)
    },
    flush,
  }
}

function kept(keep: Keep, entries: readonly JournalEntry[], warn: (text: string) => void): void {
  try {
    keep(entries)
  } catch (error) {
    warn(`warning: the change is not in the journal: ${(error as Error).message}`)
  }
}

/**
 * The changes in the journal, of all profiles, oldest first unless `newestFirst`; with `mentions` those whose line contains
 * this text. A warning at the end counts the unreadable lines. Raises a Failure (file).
 */
export async function* readHistory(
  {places, resolved, warn}: JournalOwner & {readonly warn: (text: string) => void},
  mentions?: string,
  {newestFirst = false}: {readonly newestFirst?: boolean} = {},
): AsyncGenerator<JournalEntry> {
  const place = journalPlace({places, resolved})
  let damaged = 0
  const options = {damaged: () => (damaged += 1), newestFirst, ...(mentions === undefined ? {} : {mentions})}
  const {readLog} = await import('../../storage/log/read.js')
  try {
    yield* readLog(place, options)
  } catch (error) {
    const why = systemReason(error)
    throw new Failure(
      {exit: 'file', code: 'journal', message: 'cannot read the journal of this machine', why},
      {cause: error},
    )
  }
  if (damaged > 0) warn(`warning: ${damaged} ${damaged === 1 ? 'line' : 'lines'} of the journal cannot be read`)
}
