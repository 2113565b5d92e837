import type {Access} from '../../api/client/request/request.js'
import type {Failure} from '../../api/contract/failure.js'
import type {Runtime} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {cameToSending, whatBecame, writeJournal} from '../mutation/journal.js'
import type {SendOptions} from './uploadFlags.js'
import {openUploadProgress, type Watch} from './uploadProgress.js'

/** What a run of uploads gets of this one; `emit` takes its events. */
export interface UploadingWorld<Event>
  extends Pick<Runtime, 'now' | 'random' | 'sleep' | 'signal' | 'digestThread'>,
    Omit<SendOptions, 'progress' | 'verify'> {
  readonly access: Access
  readonly holdsSecret: (text: string) => boolean
  readonly emit: (event: Event) => void
}

/**
 * Runs uploads in the world of a session and shows how they go on stderr. `watch` adds the events up; `work` is the run, which
 * this folder does not know. Raises what the work raises.
 */
export async function runUploads<Event, T>(
  session: Session,
  {settings, concurrency, failFast, stateDir, progress}: SendOptions,
  watch: Watch<Event>,
  work: (world: UploadingWorld<Event>) => Promise<T>,
): Promise<T> {
  const {now, random, sleep, signal, digestThread} = session.runtime
  const {secrets} = session
  const access = await session.api.access('asset')
  const holdsSecret = (text: string) => secrets.maskKnown(text) !== text
  // A run says how far it is while it is that far.
  const atOnce: Session = Object.create(session, {warn: {value: session.progress}})
  const screen = await openUploadProgress(atOnce, progress, watch)
  const emit = (event: Event) => {
    watch.take(event)
    screen.told(event)
  }
  const own = {settings, concurrency, failFast, stateDir}
  try {
    return await work({now, random, sleep, signal, digestThread, access, holdsSecret, emit, ...own})
  } finally {
    screen.close()
  }
}

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
