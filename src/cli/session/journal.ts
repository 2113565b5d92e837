import {fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {type JournalEntry, journalIn} from '../../storage/journal.js'
import type {ReadOptions} from '../../storage/log/read.js'
import type {Session} from './session.js'

/**
 * The changes in the journal, of all profiles, oldest first unless `newestFirst`; with `mentions` those whose line contains
 * this text. A warning at the end, with `warn`, counts the unreadable lines. Throws Failure (file).
 */
export async function* readHistory(
  {paths, resolved, warn}: Pick<Session, 'paths' | 'resolved'> & Partial<Pick<Session, 'warn'>>,
  mentions?: string,
  {newestFirst = false, isAbout}: Pick<ReadOptions, 'newestFirst' | 'isAbout'> = {},
): AsyncGenerator<JournalEntry> {
  const place = journalIn(paths.state, resolved.values['journal.keep'])
  let damaged = 0
  const counted = warn ? {damaged: () => (damaged += 1)} : {}
  const options = {
    newestFirst,
    ...counted,
    ...(mentions === undefined ? {} : {mentions}),
    ...(isAbout ? {isAbout} : {}),
  }
  const {readLog} = await import('../../storage/log/read.js')
  try {
    yield* readLog(place, options)
  } catch (error) {
    const why = systemReason(error)
    throw fileFailure('cannot read the journal of this machine', {code: 'journal', why}, {cause: error})
  }
  if (damaged > 0) warn?.(`warning: ${damaged} ${damaged === 1 ? 'line' : 'lines'} of the journal cannot be read`)
}
