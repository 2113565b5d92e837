import {Failure} from '../contract/failure.js'
import type {JournalEntry} from '../journal/journal.js'
import {readJournal} from '../journal/read.js'
import {journalPlace} from './journalPlace.js'
import type {Session} from './session.js'

/**
 * The changes in the journal of the profile, also those made with other profiles, the newest last. With `mentions` those whose
 * line holds this text somewhere. Lines that cannot be read are counted in a warning at the end. Raises a Failure (file) where
 * the journal cannot be read.
 */
export async function* readHistory(
  {places, resolved, note}: Pick<Session, 'places' | 'resolved' | 'note'>,
  mentions?: string,
): AsyncGenerator<JournalEntry> {
  let damaged = 0
  const options = {damaged: () => (damaged += 1), ...(mentions === undefined ? {} : {mentions})}
  try {
    yield* readJournal(journalPlace({places, resolved}), options)
  } catch (error) {
    const why = (error as Error).message // what is read fails with an Error of the system
    throw new Failure(
      {exit: 'file', code: 'journal', message: 'cannot read the journal of this machine', why},
      {cause: error},
    )
  }
  if (damaged > 0) note(`warning: ${damaged} ${damaged === 1 ? 'line' : 'lines'} of the journal cannot be read`)
}
