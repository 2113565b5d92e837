import {journalPlace} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import {sandboxFolder} from '../../cli/session/session.js'
import {profilePath} from '../../storage/profile/file.js'

/** Where this tool keeps what it keeps. */
export function filesOf(session: Session) {
  const {config, cache} = session.places
  return {
    profile: profilePath(config),
    journal: journalPlace(session).path,
    sandbox: sandboxFolder(session, undefined),
    cache,
  }
}
