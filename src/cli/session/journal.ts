import {fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {
  appendToJournal,
  type Journal,
  type JournalEntry,
  journalIn,
  runJournal,
  singleJournal,
} from '../../storage/journal.js'
import type {ReadOptions} from '../../storage/log/read.js'
import {overlay} from '../runtime/runtime.js'
import type {Session} from './session.js'

type Paths = Pick<Session, 'paths'>

const keepIn =
  ({paths}: Paths) =>
  (entries: readonly JournalEntry[]) =>
    appendToJournal(journalIn(paths.state), ...entries)

/** The journal of the session's run, or one that writes each line at once. */
export function journalOf(session: Session): Journal {
  return session.journal ?? singleJournal(keepIn(session), session.warn)
}

/** The session for a run of that many changes, whose lines are written together. `flush` its journal at the end. */
export function sessionOfRun(session: Session, changes: number): Session {
  return overlay(session.forRun(changes), {journal: runJournal(keepIn(session), session.warn, session.runtime.signal)})
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
