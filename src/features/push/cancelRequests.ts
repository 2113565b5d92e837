import {cancel} from '../../api/contract/push.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {afterChange, presentList, presentText} from '../../cli/output/present.js'
import {askChange, type ConfirmFlags, describeChange, mustAsk, questionOf} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {checkOutput, drawList} from '../../view/format/output.js'
import {type CancelResult, cancelResults, type KnownRequest, knownRequests} from '../../view/push/pushRequest.js'
import {type RunFlags, readRunFlags} from '../bulk/flags.js'
import {presentBulk} from '../bulk/present.js'
import {type BulkResult, runBulk} from '../bulk/run.js'
import {presentPreviews, previewRequest} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import type {RequestTargets} from './pickRequest.js'
import {requestWords, scheduledRequests} from './scheduledRequests.js'

interface CancelFlags extends ConfirmFlags, RunFlags {
  readonly 'dry-run'?: boolean
}

/**
 * Cancels requests that are not yet sent, each by a request of its own (docs/decisions/0012), and presents one result for each.
 * A single one fails with its own exit code; of several, some failing ends with `partial`.
 */
export async function cancelRequests(session: Session, flags: CancelFlags, targets: RequestTargets): Promise<void> {
  const {ids, single, applicationId} = targets
  const [uuid] = ids
  if (flags['dry-run']) {
    const plans = []
    for (const id of ids) plans.push(await previewRequest(session, cancel, inputOf(applicationId, id)))
    return presentPreviews(session, plans)
  }
  await checkOutput(cancelResults.columns, session.output)
  if (single && uuid !== undefined) return cancelOne(session, flags, applicationId, uuid)
  if (ids.length > 0) await confirmAll(session, flags, targets)
  const settings = readRunFlags(session, flags)
  const make = (id: string, run: Session) => sendJournaled(run, cancel, inputOf(applicationId, id))
  const {results, picture} = await runBulk(session, settings, ids, {id: (id) => id, make})
  const rows = ids.map((id, at) => resultOf(id, results[at]))
  await presentBulk(session, settings, {rows, picture, view: cancelResults, past: 'cancelled'})
}

function inputOf(applicationId: string, uuid: string) {
  return {query: {application_id: applicationId}, body: {request_uuids: [uuid]}}
}

async function cancelOne(session: Session, flags: CancelFlags, applicationId: string, uuid: string): Promise<void> {
  const input = inputOf(applicationId, uuid)
  const doing = describeChange(cancel, input)
  if (mustAsk(session, flags, doing, true)) {
    const known = (await knownOf(session)).get(uuid)
    const details = known ? ` (as last set from this machine: ${requestWords(session, known)})` : ''
    await askChange(session, {text: questionOf(`${doing} of application ${safeText(applicationId)}${details}`)})
  }
  await sendJournaled(session, cancel, input)
  const {format, columns} = session.output
  if (format === 'table' && columns === undefined) {
    return presentText(session, `cancelled notification ${safeText(uuid)} of application ${safeText(applicationId)}`)
  }
  const result: CancelResult = {request_uuid: uuid, outcome: 'done'}
  await afterChange(() => presentList(session, [result], cancelResults))
}

/** What came of a request, as it is shown. */
function resultOf(uuid: string, came: BulkResult<unknown> | undefined): CancelResult {
  if (came?.outcome === 'done') return {request_uuid: uuid, outcome: 'done'}
  if (came?.outcome === 'failed') return {request_uuid: uuid, outcome: 'failed', error: came.error}
  return {request_uuid: uuid, outcome: 'skipped', reason: came?.reason ?? 'not tried'}
}

/** Shows the requests and what is known of them, and asks for their count. */
async function confirmAll(session: Session, flags: CancelFlags, {ids, applicationId}: RequestTargets): Promise<void> {
  const count = ids.length === 1 ? '1 notification' : `${ids.length} notifications`
  if (!mustAsk(session, flags, `cancel ${count}`, true)) return
  const known = await knownOf(session)
  const rows = ids.map((uuid): KnownRequest => {
    const request = known.get(uuid)
    return {...(request ?? {request_uuid: uuid}), application_id: applicationId}
  })
  const {stderr} = session.runtime
  const view = {...session.view, style: session.style, columns: session.view.plain ? undefined : stderr.columns}
  for await (const chunk of drawList(rows, knownRequests, {format: 'table', header: true}, view))
    await stderr.write(chunk)
  await askChange(session, {text: `Cancel ${count}?`, expected: String(ids.length)})
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
