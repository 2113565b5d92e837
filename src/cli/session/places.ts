import {join} from 'node:path'
import {journalIn} from '../../storage/journal.js'
import {profilePath} from '../../storage/profile/file.js'
import type {Session} from './session.js'

export function storagePaths(session: Session) {
  const {config, cache} = session.places
  return {
    profile: profilePath(config),
    journal: journalIn(session.places.state).path,
    sandbox: sandboxFolder(session, undefined),
    cache,
  }
}

export function sandboxFolder({places}: Session, given: string | undefined): string {
  return given ?? join(places.data, 'sandbox')
}
