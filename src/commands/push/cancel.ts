import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {applicationFlags, commandExamples, severalArg} from '../../cli/flags/flags.js'
import {runFlags} from '../../features/bulk/flags.js'
import {cancelRequests} from '../../features/push/broadcast.js'
import {cancelResults} from '../../view/push/requests.js'

export default class PushCancel extends RoomctlCommand {
  static override changes = true
  static override summary = 'Cancel scheduled pushes that are not yet sent'
  static override rows = cancelResults
  static override description =
    `Only unsent requests can be cancelled. Several uuids, or - for uuids on stdin, are cancelled with one request each and one
result each. The method and path are assumed; change them with config set route.push.cancel.`
  static override args = {uuid: severalArg('UUID', 'request uuids; - reads them from stdin, one per line')}
  static override flags = {...applicationFlags, ...runFlags}
  static override examples = commandExamples({
    'Cancel one': 'roomctl push cancel 0f8fad5b-d9cb-469f-a165-70867728950e --application-id app-1 --yes',
    'Schedule a push and cancel it again':
      'roomctl push broadcast --title Oops --body Sorry --at +1h --application-id app-1 --confirm app-1 -q | roomctl push cancel - --application-id app-1 --yes',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(PushCancel)
    await cancelRequests(session, flags, args.uuid)
  }
}
