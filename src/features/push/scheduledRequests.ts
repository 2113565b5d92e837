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
  const requests = new RequestsFromEnd(resolved.name)
  for await (const entry of readHistory({places, resolved, warn}, 'push.', {newestFirst: true})) requests.add(entry)
  return requests.ahead(runtime.now())
}

/** The outcomes of the requests of a profile, by lines of the journal that are given the newest first: of each request the newest counts. */
export class RequestsFromEnd {
  /** Undefined: sent at once or cancelled. */
  readonly #known = new Map<string, ScheduledRequest | undefined>()

  constructor(readonly profile: string) {}

  add({profile, outcome, operation, targets}: JournalEntry): void {
    if (profile !== this.profile || outcome !== 'done') return
    if (operation === 'push.cancel') {
      for (const uuid of texts(targets.request_uuids)) this.#settle(uuid, undefined)
    }
    const {request_uuid: uuid, application_id: application} = targets
    if (operation !== 'push.broadcast' && operation !== 'push.modify') return
    if (typeof uuid !== 'string' || typeof application !== 'string') return
    const dispatch_at = sentMoment(targets.dispatch_date)?.toISOString()
    const destination = texts(targets.destination)
    this.#settle(
      uuid,
      dispatch_at === undefined
        ? undefined
        : {request_uuid: uuid, application_id: application, dispatch_at, destination},
    )
  }

  /** Those whose time is still to come, the next to be sent first. */
  ahead(now: Date): ScheduledRequest[] {
    const ahead = [...this.#known.keys()].reverse().flatMap((uuid) => this.#aheadOf(uuid, now) ?? [])
    return ahead.sort((one, other) => Date.parse(one.dispatch_at) - Date.parse(other.dispatch_at))
  }

  isAhead(uuid: string, now: Date): boolean {
    return this.#aheadOf(uuid, now) !== undefined
  }

  #aheadOf(uuid: string, now: Date): ScheduledRequest | undefined {
    const request = this.#known.get(uuid)
    return request && request.dispatch_at > now.toISOString() ? request : undefined
  }

  #settle(uuid: string, request: ScheduledRequest | undefined): void {
    if (!this.#known.has(uuid)) this.#known.set(uuid, request)
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** When a request is to be sent, and to which devices. */
export function describeRequest(session: Session, {dispatch_at: at, destination}: ScheduledRequest): string {
  return `${describeMoment(session, new Date(at))} to ${safeText(destination.join(', '))}`
}
