import {hostname, userInfo} from 'node:os'
import {join} from 'node:path'
import {type JournalPlace, journalFile} from '../../storage/journal/journal.js'
import type {Resolved} from '../../storage/profile/resolve.js'

interface Kept {
  readonly places: {readonly state: string}
  readonly resolved: Resolved
}

/** Where the journal of the profile lies: in the file that `journal.path` sets, else in the state folder. */
export function journalPlace({places, resolved}: Kept): JournalPlace {
  const path = resolved.values['journal.path']
  return path === undefined ? {path: join(places.state, journalFile), isShared: false} : {path, isShared: true}
}

/** Who works here, as a journal that others share names people: `ann@laptop`. */
export function userAtHost(): string {
  return `${userName()}@${hostname()}`
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user who has no entry anywhere.
    return 'unknown'
  }
}
