import {optionalArg, severalArg} from '../../cli/flags/flags.js'
import {readIds, requireId} from '../../cli/input/readIds.js'
import {assertReady, questionOn, requireApplicationId} from '../../cli/prompts/confirm.js'
import {readHistory} from '../../cli/session/journal.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith, wrongUsage} from '../../failure.js'
import type {JournalEntry} from '../../storage/journal.js'
import {unasked} from '../../terminal/ask.js'
import {safeText} from '../../text/text.js'
import type {KnownRequest} from '../../view/push/requests.js'
import {describeMoment, sentMoment} from './dispatchTime.js'

/** Optional for the parser: if it is missing, roomctl asks on a terminal and fails in a script. */
export const requestArg = optionalArg('UUID', 'uuid of the request, as printed by push broadcast')

export const requestsArg = severalArg('UUID', 'request uuids; - reads them from stdin, one per line')

export type RequestTarget = Awaited<ReturnType<typeof pickRequestTarget>>

/** Arguments in their order, `-` replaced by the lines of stdin; else picked on a terminal. Throws Failure (usage, configuration). */
export async function requestTargets(session: Session, typed: readonly string[] | undefined) {
  if (typed === undefined || typed.length === 0) {
    const {offered, question, choices} = await offeredRequests(session, 'Which requests')
    const ids = await session.runtime.ask.chooseSeveral(question, choices)
    const [applicationId, ...others] = new Set(
      offered.flatMap((request) => (ids.includes(request.request_uuid) ? request.application_id : [])),
    )
    if (applicationId === undefined || others.length > 0) {
      throw wrongUsage('requests of several applications cannot be cancelled at once', {
        try: 'choose those of one application, or add --application-id',
      })
    }
    return {ids, single: ids.length === 1, applicationId}
  }
  const applicationId = await requireApplicationId(session)
  const {ids} = await readIds(session, 'UUID', typed)
  return {ids, single: ids.length === 1 && !typed.includes('-'), applicationId}
}

/** The request that was named, or the one picked on a terminal, and its application. Throws Failure as `requestTargets` does. */
export async function pickRequestTarget(session: Session, typed: string | undefined) {
  if (typed === undefined) {
    const {offered, question, choices} = await offeredRequests(session, 'Which request')
    const uuid = await session.runtime.ask.choose(question, choices)
    return {uuid, applicationId: offered.find((request) => request.request_uuid === uuid)?.application_id ?? ''}
  }
  const uuid = requireId('UUID', typed)
  return {uuid, applicationId: await requireApplicationId(session)}
}

async function offeredRequests(session: Session, which: string) {
  if (!session.mayAsk) {
    const why = 'use the uuid printed by push broadcast; the service cannot list requests'
    throw unasked(session.runtime, wrongUsage('UUID is missing', {why}))
  }
  await assertReady(session, 'push')
  const all = await scheduledRequests(session)
  // The application of a flag filters, that of the profile does not.
  const wanted = session.resolved.source('applicationId') === 'flag' ? session.resolved.values.applicationId : undefined
  const offered = all.filter(({application_id: id}) => wanted === undefined || id === wanted)
  const [first] = offered
  if (first === undefined) throw nothingToPick(session.resolved.name, wanted)
  const isOneApplication = offered.every(({application_id: id}) => id === first.application_id)
  return {
    offered,
    question: questionOn(session, 'push', `${which} (as last set from this machine)?`),
    choices: offered.map((request) => ({
      name: choiceOf(session, request, isOneApplication),
      short: safeText(request.request_uuid),
      value: request.request_uuid,
    })),
  }
}

/** One line, of at most 80 columns for most requests; without the application if all have the same. */
function choiceOf(session: Session, request: ScheduledRequest, isOneApplication: boolean): string {
  const {request_uuid: uuid, application_id: application, destination, dispatch_at: at} = request
  const isUsual = destination.length === 1 && destination[0] === 'ANDROID'
  const moment = isUsual ? describeMoment(session, new Date(at)) : describeRequest(session, request)
  return [moment, ...(isOneApplication ? [] : [safeText(application)]), safeText(uuid)].join('  ')
}

function nothingToPick(profile: string, application: string | undefined): Failure {
  const of = application === undefined ? '' : ` of application ${application}`
  return failureWith('missing', `no known scheduled request${of}`, {
    code: 'nothing-to-choose',
    why: `the service cannot list requests, and the local journal has no unsent one of profile ${profile}`,
    try: 'use the uuid printed by push broadcast',
  })
}

/** A future request, by the journal. */
export type ScheduledRequest = Required<KnownRequest>

/** The unsent requests that this machine scheduled with this profile, the next one first. Throws Failure (file). */
export async function scheduledRequests({
  resolved,
  runtime,
  paths,
  warn,
}: Pick<Session, 'resolved' | 'runtime' | 'paths' | 'warn'>): Promise<ScheduledRequest[]> {
  const requests = new RequestsFromEnd(resolved.name)
  for await (const entry of readHistory({paths, warn}, {mentions: 'push.'})) requests.add(entry)
  return requests.ahead(runtime.now())
}

/** The outcomes of the requests of a profile from journal lines, newest first; the newest of each request counts. */
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
    const request = {request_uuid: uuid, application_id: application, destination}
    this.#settle(uuid, dispatch_at === undefined ? undefined : {dispatch_at, ...request})
  }

  /** Future requests, the next to be sent first. */
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

export function describeRequest(session: Session, {dispatch_at: at, destination}: ScheduledRequest): string {
  return `${describeMoment(session, new Date(at))} to ${safeText(destination.join(', '))}`
}
