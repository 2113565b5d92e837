import {join} from 'node:path'
import {profilePath} from '../../storage/profile/file.js'
import {journalPlace} from './journal.js'
import type {Session} from './session.js'

export function storagePaths(session: Session) {
  const {config, cache} = session.places
  return {
    profile: profilePath(config),
    journal: journalPlace(session).path,
    sandbox: sandboxFolder(session, undefined),
    cache,
  }
}

export function sandboxFolder({places}: Session, given: string | undefined): string {
  return given ?? join(places.data, 'sandbox')
}
