import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {applicationChangeFlags, commandExamples, timeFlags} from '../../cli/flags/flags.js'
import {requireApplicationId} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {
  broadcastTo,
  type NotificationFlags,
  notificationFlags,
  readNotification,
} from '../../features/push/broadcast.js'

export default class PushBroadcast extends RoomctlCommand {
  static override changes = true
  static override summary = 'Send or schedule a push to all users of an application'
  static override description =
    `Sends to every user of the application. --at takes a time with an offset, +2h, or with --tz a local time; it is sent in UTC,
and both are shown. iOS and RECURRING are documented as not supported and are refused unless --allow-unsupported is given.
Asks for the application id, which --confirm answers and --yes does not. Never retried. The method and path are assumed;
change them with config set route.push.broadcast.`
  static override flags = {...timeFlags, ...notificationFlags, ...applicationChangeFlags}
  static override examples = commandExamples({
    'Send to everybody now':
      "roomctl push broadcast --title 'We are back' --body 'The rooms are open' --application-id app-1 --confirm app-1",
    'Schedule for tomorrow and print the uuid':
      "roomctl push broadcast --title Maintenance --body 'For an hour' --at +24h --application-id app-1 --confirm app-1 -q",
    'See the request without sending it':
      'roomctl push broadcast --title Hello --body World --application-id app-1 --dry-run',
  })

  async run(): Promise<void> {
    const {flags, session} = await this.start(PushBroadcast)
    const notification = readNotification(session, flags)
    await broadcastTo(session, flags, await requireApplicationId(session), notification)
  }

  protected override async checkGiven(session: Session, {flags}: {readonly flags: NotificationFlags}): Promise<void> {
    readNotification(session, {...flags, title: flags.title ?? '-', body: flags.body ?? '-'})
  }
}
