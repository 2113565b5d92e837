import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {unsetProfileRoute} from '../../../features/config/routes.js'

export default class ConfigRouteUnset extends LocalCommand {
  static override summary = 'Restore the built-in route of an operation'
  static override description = 'Back to the default route: the documented one, or a guess if no document shows one.'
  static override args = {operation: requiredArg('ID', 'id of the operation')}
  static override examples = commandExamples({
    'The documented path again': 'roomctl config route unset room.update',
    'And check it': 'roomctl config route list room.update',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigRouteUnset, {editing: true})
    const view = await resultView(session, ['profile', 'operation', 'method', 'path'])
    const changed = await unsetProfileRoute(session, args.operation)
    const {operation, method, path, profile} = changed
    const sentence = `${operation} is ${method} ${path} again in profile ${profile}`
    await presentDone(session, view, changed, operation, sentence)
  }
}
