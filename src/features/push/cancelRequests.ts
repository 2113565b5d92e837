import {cancel} from '../../api/contract/push.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {describeChange, questionOf} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {type CancelResult, cancelResults, type KnownRequest, knownRequests} from '../../view/push/requests.js'
import {type RunFlags, readRunFlags} from '../bulk/flags.js'
import {showTargets} from '../bulk/present.js'
import {type BulkMutation, type MutationFlags, mutateTargets} from '../mutation/mutate.js'
import {requestTargets} from './pickRequest.js'
import {describeRequest, scheduledRequests} from './scheduledRequests.js'

/**
 * Cancels requests that are not yet sent, each by a request of its own (docs/decisions/0012), and presents one result for each.
 * A single one fails with its own exit code; of several, some failing ends with `partial`.
 */
export async function cancelRequests(
  session: Session,
  flags: MutationFlags & RunFlags,
  given: readonly string[] | undefined,
): Promise<void> {
  const settings = readRunFlags(session, flags)
  const targets = await requestTargets(session, given)
  await mutateTargets(session, flags, cancellation(session, targets.applicationId), targets, settings)
}

function cancellation(session: Session, applicationId: string): BulkMutation<typeof cancel, CancelResult> {
  const ofApplication = `of application ${safeText(applicationId)}`
  const input = (uuid: string) => ({query: {application_id: applicationId}, body: {request_uuids: [uuid]}})
  return {
    operation: cancel,
    input,
    confirmation: 'yes',
    question: async ({id}) => {
      const known = (await knownOf(session)).get(id)
      const details = known ? ` (as last set from this machine: ${describeRequest(session, known)})` : ''
      return {text: questionOf(`${describeChange(cancel, input(id))} ${ofApplication}${details}`)}
    },
    result: ({id}) => ({value: {}, id, sentence: `cancelled notification ${safeText(id)} ${ofApplication}`}),
    noun: 'notification',
    verb: 'Cancel',
    past: 'cancelled',
    view: cancelResults,
    row: (request_uuid, {outcome, ...why}) => ({request_uuid, outcome, ...('value' in why ? {} : why)}),
    preview: async (_, uuids) => {
      const known = await knownOf(session)
      const rows = uuids.map(
        (request_uuid): KnownRequest => ({
          ...(known.get(request_uuid) ?? {request_uuid}),
          application_id: applicationId,
        }),
      )
      await showTargets(session, rows, knownRequests)
      return {left: uuids.length, rooms: new Map()}
    },
  }
}

/** What the journal knows, for a question that is asked without it too. */
async function knownOf(session: Session) {
  try {
    const requests = await scheduledRequests(session)
    return new Map(requests.map((request) => [request.request_uuid, request]))
  } catch (error) {
    session.warn(`warning: ${toFailure(error).message}`)
    return new Map<string, never>()
  }
}
