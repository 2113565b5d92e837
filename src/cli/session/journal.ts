import {fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {appendToJournal, type JournalEntry, journalIn} from '../../storage/journal.js'
import type {ReadOptions} from '../../storage/log/read.js'
import type {Session} from './session.js'

type Paths = Pick<Session, 'paths'>

/** Writes the line of a change at once. If that fails, a warning says so; the change remains. */
export function keepInJournal({paths, warnOnce}: Pick<Session, 'paths' | 'warnOnce'>, entry: JournalEntry): void {
  try {
    appendToJournal(journalIn(paths.state), entry)
  } catch (error) {
    warnOnce(`warning: the change is not in the journal: ${(error as Error).message}`)
  }
}

/**
 * The changes in the journal, of all profiles, the newest first; with `mentions` those whose line contains this text. A warning at the end, with `warn`, counts the unreadable lines. Throws Failure (file).
 */
export async function* readHistory(
  session: Paths & Partial<Pick<Session, 'warn'>>,
  {mentions, isAbout}: Pick<ReadOptions, 'mentions' | 'isAbout'>,
): AsyncGenerator<JournalEntry> {
  let damaged = 0
  const count = session.warn && (() => (damaged += 1))
  const {readLog} = await import('../../storage/log/read.js')
  try {
    yield* readLog(journalIn(session.paths.state), {mentions, isAbout, damaged: count})
  } catch (error) {
    const why = systemReason(error)
    throw fileFailure('cannot read the journal of this machine', {code: 'journal', why}, {cause: error})
  }
  if (damaged > 0)
    session.warn?.(`warning: ${damaged} ${damaged === 1 ? 'line' : 'lines'} of the journal cannot be read`)
}
