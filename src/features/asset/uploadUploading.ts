import type {Access} from '../../api/client/request/request.js'
import type {Runtime} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import type {Sending} from './uploadFlags.js'
import {openScreen, type Watch} from './uploadScreen.js'

/** What a run of uploads gets of this one; `emit` takes its events. */
export interface UploadingWorld<Event>
  extends Pick<Runtime, 'now' | 'random' | 'sleep' | 'signal' | 'digestThread'>,
    Omit<Sending, 'progress' | 'verify'> {
  readonly access: Access
  readonly holdsSecret: (text: string) => boolean
  readonly emit: (event: Event) => void
}

/**
 * Runs uploads in the world of a session and shows how they go on stderr. `watch` adds the events up; `work` is the run, which
 * this folder does not know. Raises what the work raises.
 */
export async function uploading<Event, T>(
  session: Session,
  {settings, concurrency, failFast, stateDir, progress}: Sending,
  watch: Watch<Event>,
  work: (world: UploadingWorld<Event>) => Promise<T>,
): Promise<T> {
  const {now, random, sleep, signal, digestThread} = session.runtime
  const {secrets} = session
  const access = await session.api.access('asset')
  const holdsSecret = (text: string) => secrets.maskKnown(text) !== text
  // A run says how far it is while it is that far.
  const atOnce: Session = Object.create(session, {warn: {value: session.progress}})
  const screen = await openScreen(atOnce, progress, watch)
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
