import {profilePath} from '../profile/file.js'
import {journalPlace} from './journalPlace.js'
import {sandboxFolder} from './sandboxFlags.js'
import type {Session} from './session.js'

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
