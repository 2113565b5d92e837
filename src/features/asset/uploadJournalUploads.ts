import type {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {cameToSending, whatBecame, writeJournal} from '../mutation/journal.js'

interface Tried {
  readonly outcome: 'done' | 'failed' | 'skipped'
  readonly job: {readonly container: string; readonly name: string; readonly platform: string}
  readonly result?: {readonly uuid: string}
  readonly failure?: Failure
}

/** Writes the journal's line of an upload as soon as it is known what came of it (product §5); none where nothing was sent. */
export function journalUpload(session: Session, {outcome, job, result, failure}: Tried): void {
  if (outcome === 'skipped' || (failure && !cameToSending(failure))) return
  const {container, name, platform} = job
  writeJournal(session, {
    operation: 'asset.upload',
    targets: {container, ...(result ? {uuid: result.uuid} : {}), name, platform},
    ...(failure ? whatBecame(failure) : {outcome: 'done'}),
  })
}
