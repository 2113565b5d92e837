import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags} from '../../cli/flags/flags.js'
import {modifyRequest} from '../../features/push/broadcast.js'
import {assertComplete, notificationFlags, readNotification} from '../../features/push/notification.js'
import {pickRequestTarget, requestArg} from '../../features/push/pickRequest.js'

export default class PushModify extends RoomctlCommand {
  static override summary = 'Replace a scheduled push that is not yet sent'
  static override description =
    `The document requires every field, so nothing of the old request stays: title, body, devices and time are all
those that are given now (push §3). --to must be given, since the service does not show the devices of the old request, and
--at or --dispatch, since without a time it would be sent at once. Only a request
that is not yet sent can be modified (push, Rules 2). Without UUID a terminal offers the requests that this machine has
scheduled; the service shows no list of them.`
  static override args = {uuid: requestArg}
  static override flags = {...notificationFlags, ...changeFlags}
  static override examples = [
    {
      description: 'Postpone a push',
      command:
        "<%= config.bin %> push modify 0f8fad5b-d9cb-469f-a165-70867728950e --title Maintenance --body 'For an hour' --to ANDROID --at +48h --application-id app-1",
    },
    {
      description: 'Send it at once instead',
      command:
        '<%= config.bin %> push modify 0f8fad5b-d9cb-469f-a165-70867728950e --title Now --body Soon --to ANDROID --dispatch immediate --application-id app-1 -o json',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushModify)
    const session = await this.open(flags)
    assertComplete(flags)
    const notification = readNotification(session, flags)
    await modifyRequest(session, flags, await pickRequestTarget(session, args.uuid), notification)
  }
}
