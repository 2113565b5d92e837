import {RoomctlCommand} from '../../../cli/command.js'
import {wordArg} from '../../../cli/flags.js'
import {presentResult, resultView} from '../../../cli/present.js'
import {knownOperation} from '../../../cli/routeCheck.js'
import {routeRows} from '../../../cli/routeRows.js'

export default class ConfigRouteTest extends RoomctlCommand {
  static override summary = 'Show where an operation would be sent; send nothing'
  static override description = 'The whole address with the parameters still in braces, and who says so.'
  static override args = {operation: wordArg('ID', 'id of the operation')}
  static override examples = [
    {description: 'Where an update goes', command: '<%= config.bin %> config route test room.update -p sandbox'},
    {
      description: 'Where it would go with another route',
      command:
        "<%= config.bin %> config route test room.update -p sandbox --route room.update='PATCH /v1/rooms/{roomId}'",
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigRouteTest)
    const entry = knownOperation(args.operation)
    const session = await this.open(flags)
    const {base} = await session.api.access(entry.service)
    const rows = await routeRows(session.resolved, flags.route ?? [])
    const row = rows.find(({operation}) => operation === entry.id)
    const shown = {
      operation: entry.id,
      method: row?.method,
      url: `${base.href.replace(/\/$/u, '')}${row?.path}`,
      source: row?.source,
    }
    const view = await resultView(session, ['operation', 'method', 'url', 'source'])
    await presentResult(session, view, shown, shown.url, `${shown.method} ${shown.url}  (${shown.source})`)
  }
}
