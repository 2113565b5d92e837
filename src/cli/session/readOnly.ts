import type {Advice} from '../../advice.js'
import {type Operation, readingMethods, type Service} from '../../api/contract/operation.js'
import {matchRoute} from '../../api/http/route/route.js'
import type {Transport, WireRequest} from '../../api/http/wire/transport.js'
import {type Failure, type FailureFacts, failureWith} from '../../failure.js'
import type {Resolved, SettingSource} from '../../storage/profile/resolve.js'
import type {Runtime} from '../runtime/runtime.js'

/** Forbids changes from outside the profile; no advice says how to allow them. */
const outside: Partial<Record<SettingSource, string>> = {env: 'ROOMCTL_READ_ONLY', flag: '--read-only'}

/** The reader of the refusal, and the setting. */
interface WriteGuard {
  readonly resolved: Resolved
  readonly runtime: Pick<Runtime, 'ask'>
}

/** Throws Failure for a change if the profile, the environment or the command line forbids changes, or the profile is not known. */
export function assertWritable({resolved, runtime}: WriteGuard): void {
  if (resolved.unread) throw forChanges(resolved.unread)
  if (!resolved.values.readOnly) return
  const why = 'a read-only profile sends no changes'
  const another: Advice = {
    sentence: 'use another profile with -p, or',
    command: ['config set', 'readOnly', 'false', '-p', resolved.name],
  }
  throw refusal(resolved, {why, try: runtime.ask.available ? another : undefined})
}

/** The same for what a read-only profile allows, as it sends nothing to its services. */
export function assertLocallyWritable(guard: WriteGuard): void {
  if (guard.resolved.source('readOnly') !== 'profile') assertWritable(guard)
}

/** The profile may forbid them. */
function forChanges({message, facts}: Failure): Failure {
  return failureWith('configuration', `nothing is changed without the profile: ${message}`, facts)
}

type Reason = Pick<FailureFacts, 'why' | 'try'>

function refusal(resolved: Resolved, advice: Reason, outsideAdvice?: Reason) {
  const forbidding = outside[resolved.source('readOnly')]
  const code = 'read-only'
  return forbidding
    ? failureWith('unconfirmed', `${forbidding} forbids every change; nothing was changed`, {code, ...outsideAdvice})
    : failureWith('unconfirmed', `profile ${resolved.name} is read-only; nothing was sent`, {code, ...advice})
}

/** A service whose requests are guarded. */
interface Guarded {
  readonly service: Service
  readonly base: URL
}

/**
 * Where changes are forbidden, sends only GET, HEAD and OPTIONS, and the documented reads that have another method,
 * whatever a route says. Every request to a service goes through here.
 */
export function withReadOnlyGuard(send: Transport, resolved: Resolved, guarded: Guarded): Transport {
  if (!resolved.values.readOnly && !resolved.unread) return send
  return async (request) => {
    if (!readingMethods.has(request.method)) await assertDocumentedRead(request, resolved, guarded)
    return send(request)
  }
}

async function assertDocumentedRead(
  {method, url}: WireRequest,
  resolved: Resolved,
  {service, base}: Guarded,
): Promise<void> {
  const {operations} = await import('../../api/contract/operations.js')
  const path = url.origin === base.origin ? url.pathname.slice(base.pathname.replace(/\/$/, '').length) : ''
  const isRead = operations.some(
    (known: Operation) =>
      known.service === service &&
      known.effect === 'read' &&
      known.assumed === undefined &&
      known.method === method &&
      matchRoute(known.route, path, known.catchAll) !== undefined,
  )
  if (isRead) return
  if (resolved.unread) throw forChanges(resolved.unread)
  const advice: Reason = {
    why: `the route that is set for this read, ${method} ${path}, is no read`,
    try: {command: ['config route list']},
  }
  throw refusal(resolved, advice, advice)
}
