import {LocalCommand} from '../../../cli/command.js'
import {changeRoute} from '../../../cli/editSettings.js'
import {wordArg} from '../../../cli/flags.js'
import {presentDone, resultView} from '../../../cli/present.js'

export default class ConfigRouteSet extends LocalCommand {
  static override summary = 'Set the method and path of an operation'
  static override description =
    `For a service that has an operation elsewhere than its document says, or where the document says nothing. The
path begins with / and names its parameters in braces, as config route list shows them.`
  static override args = {
    operation: wordArg('ID', 'id of the operation, such as room.update'),
    route: wordArg('ROUTE', "'METHOD /path'"),
  }
  static override examples = [
    {
      description: 'An update without the second /media',
      command: "<%= config.bin %> config route set room.update 'PATCH /v1/rooms/{roomId}'",
    },
    {
      description: 'Where this service takes data',
      command: "<%= config.bin %> config route set room.send 'POST /v2/rooms/{roomId}/data'",
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigRouteSet)
    const session = await this.open(flags, {editing: true})
    const view = await resultView(session, ['profile', 'operation', 'method', 'path'])
    const changed = await changeRoute(session, args.operation, args.route)
    const {operation, method, path, profile} = changed
    await presentDone(session, view, changed, operation, `${operation} is ${method} ${path} in profile ${profile}`)
  }
}
