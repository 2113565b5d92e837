import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, routeOverrideFlags} from '../../../cli/flags/flags.js'
import {presentResult, resultView} from '../../../cli/output/present.js'
import {knownOperation, tryRoute} from '../../../features/config/routes.js'
import {trialText} from '../../../view/system/settings.js'

export default class ConfigRouteTest extends LocalCommand {
  static override summary = 'Show where an operation would be sent'
  static override description =
    `Shows the full URL with parameters in braces, and the source of the route, then the JSON members or form
fields that carry the other parameters. Nothing is sent.`
  static override args = {operation: requiredArg('ID', 'id of the operation')}
  static override flags = routeOverrideFlags
  static override examples = commandExamples({
    'Where an update goes': 'roomctl config route test room.update -p sandbox',
    'Where it would go with another route':
      "roomctl config route test room.update -p sandbox --route room.update='PATCH /v1/rooms/{roomId}'",
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigRouteTest)
    const entry = knownOperation(args.operation)
    const session = await this.open(flags)
    const view = await resultView(session, ['operation', 'method', 'url', 'source', 'body', 'form'])
    const trial = await tryRoute(session, entry, flags.route ?? [])
    await presentResult(session, view, trial, trial.url, trialText(trial))
  }
}
