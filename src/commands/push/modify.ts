import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, optionalArg, timeFlags} from '../../cli/flags/flags.js'
import {requireId} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {
  assertComplete,
  modifyRequest,
  type NotificationFlags,
  notificationFlags,
  readNotification,
  withoutUuid,
} from '../../features/push/broadcast.js'

export default class PushModify extends RoomctlCommand {
  static override changes = true
  static override summary = 'Replace a scheduled push that is not yet sent'
  static override description =
    `All fields are replaced: title, body, devices and time. --to is required because the service does not show the devices of
the old request, and --at or --dispatch because otherwise it would be sent at once. Only unsent requests can be modified.`
  static override args = {uuid: optionalArg('UUID', 'uuid of the request, as printed by push broadcast')}
  static override flags = {...timeFlags, ...notificationFlags, ...changeFlags}
  static override examples = commandExamples({
    'Postpone a push':
      "roomctl push modify 0f8fad5b-d9cb-469f-a165-70867728950e --title Maintenance --body 'For an hour' --to ANDROID --at +48h --application-id app-1",
    'Send it at once instead':
      'roomctl push modify 0f8fad5b-d9cb-469f-a165-70867728950e --title Now --body Soon --to ANDROID --dispatch immediate --application-id app-1 -o json',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(PushModify)
    if (args.uuid === undefined) throw withoutUuid()
    assertComplete(flags)
    const notification = readNotification(session, flags)
    await modifyRequest(session, flags, requireId('UUID', args.uuid), notification)
  }

  protected override async checkGiven(session: Session, {flags}: {readonly flags: NotificationFlags}): Promise<void> {
    assertComplete(flags)
    readNotification(session, {...flags, title: flags.title ?? '-', body: flags.body ?? '-'})
  }
}
