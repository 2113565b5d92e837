import {LocalCommand} from '../../../cli/command.js'
import {editedProfile, editProfiles} from '../../../cli/editProfile.js'
import {wordArg} from '../../../cli/flags.js'
import {presentDone} from '../../../cli/present.js'
import {knownOperation} from '../../../cli/routeCheck.js'
import {unsetRoute} from '../../../profile/edit.js'

export default class ConfigRouteUnset extends LocalCommand {
  static override summary = 'Go back to the built-in route of an operation'
  static override description =
    'The documented method and path hold again, or the assumed ones where the document shows none.'
  static override args = {operation: wordArg('ID', 'id of the operation')}
  static override examples = [
    {description: 'The documented path again', command: '<%= config.bin %> config route unset room.update'},
    {description: 'And see that it holds', command: '<%= config.bin %> config route list room.update'},
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigRouteUnset)
    const {method, route} = knownOperation(args.operation)
    const session = await this.open(flags, {editing: true})
    const profile = editedProfile(session)
    await editProfiles(session, (file) => unsetRoute(file, profile, args.operation))
    const shown = {profile, operation: args.operation, method, path: route}
    await presentDone(
      session,
      shown,
      args.operation,
      `${args.operation} is ${method} ${route} again in profile ${profile}`,
    )
  }
}
