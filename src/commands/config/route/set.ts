import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg} from '../../../cli/flags/flags.js'
import {presentDone, resultView} from '../../../cli/output/present.js'
import {setProfileRoute} from '../../../features/config/routes.js'

export default class ConfigRouteSet extends LocalCommand {
  static override summary = 'Override the method and path of an operation'
  static override description =
    `For a service whose route differs from the document, or is undocumented. The path begins with / and names its parameters in
braces, as in config route list. A query or body parameter named in braces moves to the path; a list, an object, a file or a
secret cannot. config route test shows the result.`
  static override args = {
    operation: requiredArg('ID', 'id of the operation, such as room.update'),
    route: requiredArg('ROUTE', "'METHOD /path'"),
  }
  static override examples = commandExamples({
    'An update without the second /media': "roomctl config route set room.update 'PATCH /v1/rooms/{roomId}'",
    'Where this service accepts data': "roomctl config route set room.send 'POST /v2/rooms/{roomId}/data'",
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(ConfigRouteSet, {editing: true})
    const view = await resultView(session, ['profile', 'operation', 'method', 'path'])
    const changed = await setProfileRoute(session, args.operation, args.route)
    const {operation, method, path, profile} = changed
    const sentence = `${operation} is ${method} ${path} in profile ${profile}`
    await presentDone(session, view, changed, operation, sentence)
  }
}
