import type {InferredFlags} from '@oclif/core/interfaces'
import type {Input} from '../../api/contract/operation.js'
import {broadcast, cancel, destinations, dispatchTypes, modify} from '../../api/contract/push.js'
import {applicationFlags, repeatableFlag, valueFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {readIds} from '../../cli/input/readIds.js'
import {describeChange, questionOf, requireApplicationId} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {type CancelResult, cancelResults, requestTable} from '../../view/push/requests.js'
import {type RunFlags, readRunFlags} from '../bulk/flags.js'
import {showTargets} from '../bulk/present.js'
import {requestUuid} from '../mutation/journal.js'
import {type MutationFlags, mutate, mutateTargets} from '../mutation/mutate.js'
import type {BulkMutation} from '../mutation/mutation.js'
import {dispatchTime} from './dispatchTime.js'
import {assertMessage, messageFlags, notesOnMessage} from './flags.js'

const requestMembers = [
  'request_uuid',
  'application_id',
  'dispatch_type',
  'destination',
  'dispatch_date',
  'dispatch_at',
  'dispatch_local',
] as const

/** Requests a push to all users. Throws Failure; a lost answer ends as `outcome: unknown`, and nothing is sent twice. */
export async function broadcastTo(
  session: Session,
  flags: MutationFlags,
  applicationId: string,
  notification: Notification,
): Promise<void> {
  const input = {query: {application_id: applicationId}, body: notification.body}
  await mutate(session, flags, {
    operation: broadcast,
    input: () => input,
    confirmation: {word: applicationId},
    ...describing(session, flags, describeChange(broadcast, input), notification),
    result: ({reply}) => {
      const uuid = requestUuid(reply)
      if (uuid === undefined) {
        session.warn('note: the service returned no request uuid, so this push cannot be modified or cancelled')
      }
      const named = uuid === undefined ? '' : `: request ${safeText(uuid)}`
      const sentence = `requested a push to all users of application ${safeText(applicationId)}, ${toAndWhen(notification)}${named}`
      return {value: resultOf(uuid ?? null, applicationId, notification), id: uuid ?? [], sentence}
    },
  })
}

/** Puts another notification in the place of one that is not yet sent; with `--dry-run` shows the request. Throws Failure. */
export async function modifyRequest(
  session: Session,
  flags: MutationFlags,
  uuid: string,
  notification: Notification,
): Promise<void> {
  const applicationId = await requireApplicationId(session)
  const input = {query: {application_id: applicationId, request_uuid: uuid}, body: notification.body}
  await mutate(session, flags, {
    operation: modify,
    input: () => input,
    ...describing(session, flags, describeChange(modify, input), notification),
    result: () => ({
      value: resultOf(uuid, applicationId, notification),
      id: uuid,
      sentence: `modified request ${safeText(uuid)} of application ${safeText(applicationId)}: ${toAndWhen(notification)}`,
    }),
  })
}

/** Warns about an unusual notification; returns the question, which shows it, and the note of a dry run. */
function describing(session: Session, flags: MutationFlags, doing: string, notification: Notification) {
  if (!flags['dry-run']) for (const text of notification.notes) session.warn(`note: ${text}`)
  return {
    question: () => {
      showNotification(session, notification)
      return {text: questionOf(doing)}
    },
    note: [`to be sent ${describeDispatch(notification)}`, ...notification.notes].join('; '),
    members: requestMembers,
  }
}

function showNotification({warn}: Session, notification: Notification): void {
  const {title, body, destination} = notification.body
  const rows = {title, body, to: destination.join(', '), when: describeDispatch(notification)}
  for (const [name, text] of Object.entries(rows)) warn(`  ${name.padEnd('title'.length)}  ${safeText(text)}`)
}

function toAndWhen(notification: Notification): string {
  return `to ${notification.body.destination.join(', ')} ${describeDispatch(notification)}`
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

/** Cancels unsent requests, each by a request of its own (docs/decisions/0012), and presents one result for each. */
export async function cancelRequests(
  session: Session,
  flags: RunFlags,
  typed: readonly string[] | undefined,
): Promise<void> {
  const settings = readRunFlags(session, flags)
  if (typed === undefined) throw withoutUuid()
  const applicationId = await requireApplicationId(session)
  const {ids} = await readIds(session, 'UUID', typed)
  const targets = {ids, single: ids.length === 1 && !typed.includes('-')}
  await mutateTargets(session, flags, cancellation(applicationId), targets, settings)
}

/** The service cannot list requests. */
export function withoutUuid(): Failure {
  return wrongUsage('UUID is missing', {
    why: 'it takes the uuid of a request, as push broadcast printed it',
    try: {command: ['history', '--operation', 'push.broadcast']},
  })
}

function cancellation(applicationId: string): BulkMutation<typeof cancel, CancelResult> {
  const ofApplication = `of application ${safeText(applicationId)}`
  const input = (uuid: string) => ({query: {application_id: applicationId}, body: {request_uuids: [uuid]}})
  const table = () => requestTable(applicationId)
  return {
    operation: cancel,
    input,
    confirmation: 'yes',
    question: ({id}) => ({text: questionOf(`${describeChange(cancel, input(id))} ${ofApplication}`)}),
    result: ({id}) => ({value: {}, id, sentence: `cancelled notification ${safeText(id)} ${ofApplication}`}),
    noun: 'notification',
    verb: 'Cancel',
    past: 'cancelled',
    view: cancelResults,
    row: (request_uuid, ended) => ({request_uuid, ...ended}),
    table,
    preview: async (session, uuids) => {
      if (session.mayAsk) {
        const targets = uuids.map((id) => ({id}))
        await showTargets(session, targets, table())
      }
      return {left: uuids.length, rooms: new Map()}
    },
  }
}

/** Content, recipients and time of a notification as flags (push §3 and §4, which have the same body). */
export const notificationFlags = {
  ...applicationFlags,
  ...messageFlags,
  to: repeatableFlag(destinations.join('|'), 'devices; repeatable (default for a new push: ANDROID)'),
  at: valueFlag('TIME', 'when to send: +2h or 2026-12-01T09:00+09:00 (help times)'),
  dispatch: valueFlag(dispatchTypes.join('|'), 'when to send (default: SCHEDULED with --at)'),
}

export type NotificationFlags = InferredFlags<typeof notificationFlags>

type Body = Input<typeof broadcast>['body']

export type Notification = ReturnType<typeof readNotification>

/** Throws Failure (usage) for a wrong value, and for an unsupported one without `--allow-unsupported`. */
export function readNotification(session: Session, flags: NotificationFlags) {
  const {title, body, at, dispatch} = flags
  assertMessage(flags)
  const destination = [...new Set((flags.to ?? ['ANDROID']).map((text) => parseChoice('--to', text, destinations)))]
  const type = dispatch === undefined ? undefined : parseChoice('--dispatch', dispatch, dispatchTypes)
  const time = at === undefined ? undefined : dispatchTime(session, at)
  const wanted: Body = {
    title,
    body,
    dispatch_type: type ?? (time ? 'SCHEDULED' : 'IMMEDIATE'),
    destination,
    ...(time ? {dispatch_date: time.dispatch_date} : {}),
  }
  if (!flags['allow-unsupported']) assertSupported(wanted)
  const ofAll = 'ALL includes iOS devices, which get nothing at present; an older service may refuse ALL'
  const notes = [...(destination.includes('ALL') ? [ofAll] : []), ...notesOnMessage(flags)]
  return {body: wanted, ...(time ? {time} : {}), notes}
}

/** Refuses a new request without time or devices: it would go out at once, or to fewer devices. Throws Failure (usage). */
export function assertComplete({at, dispatch, to}: Pick<NotificationFlags, 'at' | 'dispatch' | 'to'>): void {
  if (to === undefined) {
    throw wrongUsage('no devices given; nothing was sent', {
      why: 'the new request replaces the devices of the old one, which the service does not show',
      try: 'add --to ALL or --to ANDROID',
    })
  }
  if (at !== undefined || dispatch !== undefined) return
  throw wrongUsage('no time given; nothing was sent', {
    why: 'the new request replaces the time of the old one; without one it would be sent to all users at once',
    try: 'add --at, or --dispatch IMMEDIATE to send it at once',
  })
}

const documented = 'the document says: "Recurring dispatch and iOS sending are documented as not supported at present"'

/** What can be refused before anything is sent (push, What the service does; push, Rules 1). */
function assertSupported({dispatch_type: type, destination, dispatch_date: date}: Body): void {
  if (type === 'RECURRING') throw notSupported('RECURRING is not supported', documented)
  if (destination.includes('IOS')) throw notSupported('sending to IOS is not supported', documented)
  if (type === 'IMMEDIATE' && date !== undefined) {
    const why = 'dispatch_date applies only to SCHEDULED dispatch'
    throw notSupported('IMMEDIATE takes no time', why, 'use only one of --dispatch and --at')
  }
  if (type === 'SCHEDULED' && date === undefined) {
    throw notSupported('SCHEDULED needs a time', 'dispatch_date says when to send it', 'add --at TIME')
  }
}

function notSupported(message: string, why: string, way = '--allow-unsupported sends it anyway'): Failure {
  return wrongUsage(`${message}; nothing was sent`, {code: 'not-supported', why, try: way})
}

export function describeDispatch({body, time}: Notification): string {
  if (time) return `at ${time.words}`
  return body.dispatch_type === 'IMMEDIATE' ? 'at once' : `as ${body.dispatch_type}, without a time`
}
