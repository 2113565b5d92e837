import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {Failure} from '../../api/contract/failure.js'
import type {Input} from '../../api/contract/operation.js'
import type {broadcast} from '../../api/contract/push.js'
import {destinations, dispatchTypes} from '../../api/contract/push.js'
import {applicationFlags, repeatable} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import type {Session} from '../../cli/session/session.js'
import {type DispatchTime, dispatchTime} from './dispatchTime.js'
import {messageFlags} from './flags.js'

/** What a notification says, to whom it goes and when, as flags (push §3 and §4, which have the same body). */
export const notificationFlags = {
  ...applicationFlags,
  ...messageFlags,
  to: Flags.string({
    ...repeatable,
    helpValue: 'DEVICES',
    summary: 'devices to send to: ANDROID (default for a new push), IOS or ALL; repeatable',
  }),
  at: Flags.string({
    helpValue: 'TIME',
    summary: 'when to send it: 2026-12-01T09:00+09:00, +2h, or a local time with --tz',
  }),
  'allow-far': Flags.boolean({summary: 'accept a time more than a year ahead'}),
  dispatch: Flags.string({
    helpValue: 'TYPE',
    summary: 'IMMEDIATE, SCHEDULED or RECURRING (default: SCHEDULED with --at)',
  }),
}

type NotificationFlags = InferredFlags<typeof notificationFlags>

type Body = Input<typeof broadcast>['body']

/** A notification as it is to be requested. */
export interface Notification {
  readonly body: Body
  /** Absent where there is no dispatch_date. */
  readonly time?: DispatchTime
  /** What is to be said of it before it is sent. */
  readonly notes: readonly string[]
}

/**
 * Reads the notification that flags describe. Raises a Failure (usage) for a value of the wrong form, and unless
 * `--allow-unsupported` is given for what the document calls not supported or what contradicts itself.
 */
export function readNotification(session: Session, flags: NotificationFlags): Notification {
  const {title, body, at, dispatch} = flags
  for (const [name, text] of Object.entries({title, body})) if (text === '') throw empty(name)
  const destination = [...new Set((flags.to ?? ['ANDROID']).map((text) => parseChoice('--to', text, destinations)))]
  const type = dispatch === undefined ? undefined : parseChoice('--dispatch', dispatch, dispatchTypes)
  const time = at === undefined ? undefined : dispatchTime(session, at, flags['allow-far'])
  const wanted = {
    title,
    body,
    dispatch_type: type ?? (time ? 'SCHEDULED' : 'IMMEDIATE'),
    destination,
    ...(time ? {dispatch_date: time.dispatch_date} : {}),
  }
  if (!flags['allow-unsupported']) assertSupported(wanted)
  return {body: wanted, ...(time ? {time} : {}), notes: notesOn(wanted)}
}

/**
 * Refuses to put a request without a time or devices in the place of one that had them: it would be sent at once, or to fewer devices
 * than before. Raises a Failure (usage).
 */
export function assertComplete({at, dispatch, to}: Pick<NotificationFlags, 'at' | 'dispatch' | 'to'>): void {
  if (to === undefined) {
    throw new Failure({
      exit: 'usage',
      message: 'no devices given; nothing was sent',
      why: 'the new request replaces the devices of the old one, which the service does not show',
      try: 'add --to ALL or --to ANDROID',
    })
  }
  if (at !== undefined || dispatch !== undefined) return
  throw new Failure({
    exit: 'usage',
    message: 'no time given; nothing was sent',
    why: 'the new request replaces the time of the old one; without one it would be sent to all users at once',
    try: 'add --at TIME, or --dispatch IMMEDIATE to send it at once',
  })
}

const documented = 'the document says: "Recurring dispatch and iOS sending are documented as not supported at present"'

/** What can be told before anything is sent (push, What the service does; push, Rules 1). */
function assertSupported({dispatch_type: type, destination, dispatch_date: date}: Body): void {
  if (type === 'RECURRING') throw refused('RECURRING is not supported', documented)
  if (destination.includes('IOS')) throw refused('sending to IOS is not supported', documented)
  if (type === 'IMMEDIATE' && date !== undefined) {
    const why = 'dispatch_date applies only to SCHEDULED dispatch'
    throw refused('IMMEDIATE takes no time', why, 'use only one of --dispatch and --at')
  }
  if (type === 'SCHEDULED' && date === undefined) {
    throw refused('SCHEDULED needs a time', 'dispatch_date says when to send it', 'add --at TIME')
  }
}

function refused(message: string, why: string, way = '--allow-unsupported sends it anyway'): Failure {
  return new Failure({exit: 'usage', code: 'not-supported', message: `${message}; nothing was sent`, why, try: way})
}

function empty(name: string): Failure {
  return new Failure({
    exit: 'usage',
    message: `--${name} is empty`,
    why: `the document requires the ${name}; is a shell variable unset?`,
  })
}

function notesOn({destination}: Body): string[] {
  if (!destination.includes('ALL')) return []
  return ['ALL includes iOS devices, which get nothing at present; an older service may refuse ALL']
}

/** When it is to be sent, in words. */
export function describeDispatch({body, time}: Notification): string {
  if (time) return `at ${time.words}`
  return body.dispatch_type === 'IMMEDIATE' ? 'at once' : `as ${body.dispatch_type}, without a time`
}
