import type {JournalEntry} from '../../storage/journal/journal.js'

/** Where the lines of a command go. A journal that cannot be written is said, and does not undo the change. */
export interface Journal {
  append(entry: JournalEntry): void
  /** Writes what is not written yet. */
  flush(): void
}

/** Writes lines to the file. Raises an Error. */
type Keep = (entries: readonly JournalEntry[]) => void

/** For single changes: each line is written at once. */
export function singleJournal(keep: Keep, warn: (text: string) => void): Journal {
  return {append: (entry) => kept(keep, [entry], warn), flush: () => undefined}
}

/** Lines wait so long for others, in milliseconds; a kill loses no more of them than that. */
const gatherMs = 10

/**
 * For a run of many changes: the lines of those that were answered about the same time are written together. Once `signal` is
 * aborted each is written at once, since the program may be ended at any moment.
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
