import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, optionalArg, rowFlags} from '../../../cli/flags/flags.js'
import {presentList} from '../../../cli/output/present.js'
import {requireProfile} from '../../../cli/session/serviceClients.js'
import {knownOperation, routeRows} from '../../../features/config/routes.js'
import {routeList} from '../../../view/system/settings.js'

export default class ConfigRouteList extends LocalCommand {
  static override summary = 'List the method and path of every operation'
  static override rows = routeList
  static override description =
    `SOURCE is documented (in the service's document), assumed (undocumented, a conventional route), or profile or env
(overridden). Paths are appended to the service address.`
  static override args = {operation: optionalArg('ID', 'one operation only')}
  static override flags = rowFlags
  static override examples = commandExamples({
    'All routes': 'roomctl config route list',
    'Those that no document shows': 'roomctl config route list -o json --query "[?source==\'assumed\'].operation"',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigRouteList)
    const wanted = args.operation === undefined ? undefined : knownOperation(args.operation)
    const session = await this.open(flags)
    requireProfile(session.resolved)
    const rows = routeRows(session.resolved)
    await presentList(session, wanted ? rows.filter(({operation}) => operation === wanted.id) : rows, routeList)
  }
}
