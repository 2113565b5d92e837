import {readHistory} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import type {JournalEntry} from '../../storage/journal/entry.js'
import {safeText} from '../../text/text.js'
import type {KnownRequest} from '../../view/push/requests.js'
import {describeMoment, sentMoment} from './dispatchTime.js'

/** A request whose time is still to come, as the journal has it. */
export type ScheduledRequest = Required<KnownRequest>

/**
 * The requests of this profile that this machine scheduled and whose time is still to come, the next to be sent first. The
 * service shows no list of them, so another machine may have changed them since. Raises a Failure (file) where the journal
 * cannot be read.
 */
export async function scheduledRequests({
  resolved,
  runtime,
  places,
  warn,
}: Pick<Session, 'resolved' | 'runtime' | 'places' | 'warn'>): Promise<ScheduledRequest[]> {
  const known = new Map<string, ScheduledRequest>()
  for await (const entry of readHistory({places, resolved, warn})) {
    if (entry.profile === resolved.name && entry.outcome === 'done') follow(known, entry)
  }
  const now = runtime.now().toISOString()
  const ahead = [...known.values()].filter(({dispatch_at: at}) => at > now)
  return ahead.sort((one, other) => Date.parse(one.dispatch_at) - Date.parse(other.dispatch_at))
}

/** Follows what was done to requests: scheduled, modified, cancelled. */
function follow(known: Map<string, ScheduledRequest>, {operation, targets}: JournalEntry): void {
  if (operation === 'push.cancel') {
    for (const uuid of texts(targets.request_uuids)) known.delete(uuid)
  }
  const {request_uuid: uuid, application_id: application} = targets
  if (operation !== 'push.broadcast' && operation !== 'push.modify') return
  if (typeof uuid !== 'string' || typeof application !== 'string') return
  const moment = sentMoment(targets.dispatch_date)
  if (moment) {
    const dispatch_at = moment.toISOString()
    known.set(uuid, {
      request_uuid: uuid,
      application_id: application,
      dispatch_at,
      destination: texts(targets.destination),
    })
  } else known.delete(uuid)
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** When a request is to be sent, and to which devices. */
export function describeRequest(session: Session, {dispatch_at: at, destination}: ScheduledRequest): string {
  return `${describeMoment(session, new Date(at))} to ${safeText(destination.join(', '))}`
}
