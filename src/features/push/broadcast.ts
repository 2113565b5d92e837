import {broadcast, modify} from '../../api/contract/push.js'
import {isMachineFormat} from '../../cli/errors/errorHandler.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {
  askName,
  type ConfirmFlags,
  confirmChange,
  describeChange,
  mustName,
  questionOf,
} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {presentPreviews, previewRequest, type RequestPreview} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {requestUuid} from '../mutation/requestUuid.js'
import {type Notification, whenWords} from './notification.js'
import type {RequestTarget} from './pickRequest.js'

type ChangeFlags = ConfirmFlags & {readonly 'dry-run'?: boolean}

/** The members of a result that tell what is requested, beside its ids. */
const members = [
  'request_uuid',
  'application_id',
  'dispatch_type',
  'destination',
  'dispatch_date',
  'dispatch_at',
  'dispatch_local',
] as const

/**
 * Requests a push to all users of an application, once somebody has typed its id; with `--dry-run` shows the request instead.
 * Raises a Failure; a lost answer ends as `outcome: unknown`, and nothing is sent twice.
 */
export async function broadcastTo(
  session: Session,
  flags: ChangeFlags,
  applicationId: string,
  notification: Notification,
): Promise<void> {
  const input = {query: {application_id: applicationId}, body: notification.body}
  if (flags['dry-run']) return presentPlan(session, await previewRequest(session, broadcast, input), notification)
  const view = await resultView(session, members)
  const doing = describeChange(broadcast, input)
  const asks = mustName(session, flags, doing, applicationId)
  sayBefore(session, notification, asks)
  if (asks) await askName(session, questionOf(doing), applicationId)
  const uuid = requestUuid(await sendJournaled(session, broadcast, input))
  if (uuid === undefined) {
    session.warn(
      'note: the service gave back no request uuid, so push modify and push cancel cannot offer this request',
    )
  }
  const named = uuid === undefined ? '' : `: request ${safeText(uuid)}`
  const sentence = `requested a push to all users of application ${safeText(applicationId)}, ${toAndWhen(notification)}${named}`
  await presentDone(session, view, resultOf(uuid ?? null, applicationId, notification), uuid ?? [], sentence)
}

/** Puts another notification in the place of one that is not yet sent; with `--dry-run` shows the request. Raises a Failure. */
export async function modifyRequest(
  session: Session,
  flags: ChangeFlags,
  {uuid, applicationId}: RequestTarget,
  notification: Notification,
): Promise<void> {
  const input = {query: {application_id: applicationId, request_uuid: uuid}, body: notification.body}
  if (flags['dry-run']) return presentPlan(session, await previewRequest(session, modify, input), notification)
  const view = await resultView(session, members)
  sayBefore(session, notification, false)
  await confirmChange(session, flags, describeChange(modify, input))
  await sendJournaled(session, modify, input)
  const sentence = `modified request ${safeText(uuid)} of application ${safeText(applicationId)}: ${toAndWhen(notification)}`
  await presentDone(session, view, resultOf(uuid, applicationId, notification), uuid, sentence)
}

function presentPlan(session: Session, plan: RequestPreview, notification: Notification): Promise<void> {
  const note = [`to be sent ${whenWords(notification)}`, ...notification.notes].join('; ')
  return presentPreviews(session, [{...plan, note}])
}

/** Says what is unusual about a notification, and to people when it is to be sent. `whole`: all of it, for a question. */
function sayBefore({warn, output}: Session, notification: Notification, whole: boolean): void {
  const {body, time, notes} = notification
  for (const text of notes) warn(`note: ${text}`)
  if (whole) {
    const rows = {title: body.title, body: body.body, to: body.destination.join(', '), when: whenWords(notification)}
    for (const [name, text] of Object.entries(rows)) warn(`  ${name.padEnd('title'.length)}  ${safeText(text)}`)
  } else if (time && !isMachineFormat(output.format)) {
    warn(`to be sent ${whenWords(notification)}`)
  }
}

function toAndWhen(notification: Notification): string {
  return `to ${notification.body.destination.join(', ')} ${whenWords(notification)}`
}

function resultOf(uuid: string | null, applicationId: string, {body, time}: Notification) {
  return {
    request_uuid: uuid,
    application_id: applicationId,
    dispatch_type: body.dispatch_type,
    destination: body.destination,
    dispatch_date: time?.dispatch_date ?? null,
    dispatch_at: time?.dispatch_at ?? null,
    dispatch_local: time?.dispatch_local ?? null,
  }
}
