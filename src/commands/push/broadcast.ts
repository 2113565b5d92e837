import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags} from '../../cli/flags/flags.js'
import {requireSetting} from '../../cli/session/session.js'
import {broadcastTo} from '../../features/push/broadcast.js'
import {notificationFlags, readNotification} from '../../features/push/notification.js'

export default class PushBroadcast extends RoomctlCommand {
  static override summary = 'Send or schedule a push to all users of an application'
  static override description =
    `Goes to every user of the application (push §4). --at takes a time with an offset, +2h, or with --tz a local
time; it is sent in UTC, and both are shown. The document calls iOS sending and RECURRING not supported, so they are refused here
unless --allow-unsupported is given. It asks to type the application's id, which --confirm answers and --yes does not, and it is
never sent twice. Its method and path are assumed; config route set push.broadcast changes them.`
  static override flags = {...notificationFlags, ...changeFlags}
  static override examples = [
    {
      description: 'Send to everybody now',
      command:
        "<%= config.bin %> push broadcast --title 'We are back' --body 'The rooms are open' --application-id app-1 --confirm app-1",
    },
    {
      description: 'Schedule for tomorrow and print the uuid',
      command:
        "<%= config.bin %> push broadcast --title Maintenance --body 'For an hour' --at +24h --application-id app-1 --confirm app-1 -q",
    },
    {
      description: 'See the request without sending it',
      command: '<%= config.bin %> push broadcast --title Hello --body World --application-id app-1 --dry-run',
    },
  ]

  async run(): Promise<void> {
    const {flags} = await this.parse(PushBroadcast)
    const session = await this.open(flags)
    const applicationId = requireSetting(session, 'applicationId', '--application-id')
    await broadcastTo(session, flags, applicationId, readNotification(session, flags))
  }
}
