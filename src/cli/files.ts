import {join} from 'node:path'
import {journalFile} from '../journal/journal.js'
import {profilePath} from '../profile/file.js'
import {sandboxFolder} from './sandboxFlags.js'
import type {Session} from './session.js'

/** Where this tool keeps what it keeps. */
export function filesOf(session: Session) {
  const {config, state, cache} = session.places
  return {
    profile: profilePath(config),
    journal: join(state, journalFile),
    sandbox: sandboxFolder(session, undefined),
    cache,
  }
}
