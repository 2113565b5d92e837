import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples, defaultedFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {readResourceArg, resourceArg} from '../../features/asset/paths.js'
import {cardOf, resourceViews, showResource} from '../../features/asset/resourceViews.js'

export default class AssetShow extends RoomctlCommand {
  static override summary = 'Show a resource'
  static override rows = ({view}: {readonly view?: string}) => cardOf(view)
  static override description =
    `Shows one of four views. meta: its metadata. link: its uri and type. catalog: the catalog of a bundle. asset: the response to
?type=asset, as JSON if it is JSON, otherwise its type and size. Timestamps have no zone and are shown unchanged.`
  static override args = {'container/uuid': resourceArg}
  static override flags = {
    ...cardFlags,
    view: defaultedFlag(resourceViews.join('|'), 'meta', 'what is shown'),
  }
  static override examples = commandExamples({
    'The metadata of a resource': 'roomctl asset show games/puzzle/a-level1',
    'The catalog of a bundle, as JSON':
      "roomctl asset show games/puzzle/a-level1 --view catalog -o json --query 'metaJson'",
    'Type and size of the file': 'roomctl asset show games/puzzle/a-level1 --view asset',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AssetShow)
    const view = parseChoice('--view', flags.view, resourceViews)
    const session = await this.open(flags)
    await showResource(session, await readResourceArg(session, args['container/uuid']), view)
  }
}
