import {LocalCommand} from '../../../cli/command.js'
import {editedProfile, editProfiles} from '../../../cli/editProfile.js'
import {wordArg} from '../../../cli/flags.js'
import {presentDone} from '../../../cli/present.js'
import {checkRouteFor} from '../../../cli/routeCheck.js'
import {setRoute} from '../../../profile/edit.js'

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
    const {method, path} = checkRouteFor(args.operation, args.route)
    const session = await this.open(flags, {editing: true})
    const profile = editedProfile(session)
    await editProfiles(session, (file) => setRoute(file, profile, args.operation, `${method} ${path}`))
    const shown = {profile, operation: args.operation, method, path}
    await presentDone(session, shown, args.operation, `${args.operation} is ${method} ${path} in profile ${profile}`)
  }
}
