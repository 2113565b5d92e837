import {existsSync} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import type {JournalEntry, JournalPlace} from '../../storage/journal/journal.js'
import {readJournal} from '../../storage/journal/read.js'
import {journalPlace} from './journalFile.js'
import type {Session} from './session.js'

/**
 * The changes in the journal of the profile, also those made with other profiles, the newest last. With `mentions` those whose
 * line holds this text somewhere. Lines that cannot be read are counted in a warning at the end. Raises a Failure (file) where
 * the journal cannot be read, or lies on a storage that is away.
 */
export async function* readHistory(
  {places, resolved, warn}: Pick<Session, 'places' | 'resolved' | 'warn'>,
  mentions?: string,
): AsyncGenerator<JournalEntry> {
  const place = journalPlace({places, resolved})
  assertStorage(place)
  let damaged = 0
  const options = {damaged: () => (damaged += 1), ...(mentions === undefined ? {} : {mentions})}
  try {
    yield* readJournal(place, options)
  } catch (error) {
    const why = (error as Error).message // what is read fails with an Error of the system
    throw new Failure(
      {exit: 'file', code: 'journal', message: 'cannot read the journal of this machine', why},
      {cause: error},
    )
  }
  if (damaged > 0) warn(`warning: ${damaged} ${damaged === 1 ? 'line' : 'lines'} of the journal cannot be read`)
}

/** One's own journal begins with the first change; a shared one whose folder is missing is not empty, but out of reach. */
function assertStorage({path, isShared}: JournalPlace): void {
  const folder = dirname(path)
  if (!isShared || existsSync(folder)) return
  throw new Failure({
    exit: 'file',
    code: 'journal',
    message: `cannot read the journal ${path} (journal.path)`,
    why: `there is no folder ${folder}`,
    try: 'bring its storage back, or name another file: roomctl config set journal.path FILE',
  })
}
