import {platforms} from '../../api/contract/assetShapes.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, repeatableFlag, rowFlags, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {presentList} from '../../cli/output/present.js'
import {readListing, readTree} from '../../features/asset/listing.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'
import {type AssetRow, assetKinds, assetList, assetPaths, assetTree} from '../../view/asset/listing.js'

export default class AssetList extends RoomctlCommand {
  static override summary = 'List the contents of a container'
  static override rows = assetList
  static override description =
    `Lists child containers, asset resources (bundles and catalogs, one platform each) and common resources. --tree also reads
nested containers, one call each. Platforms are compared without case. With -q, prints CONTAINER or CONTAINER/UUID for use
by other commands.`
  static override args = {container: containerArg}
  static override flags = {
    ...rowFlags,
    platform: valueFlag(platforms.join('|'), 'only resources for this platform'),
    kind: repeatableFlag(assetKinds.join('|'), 'only this kind; repeatable'),
    tree: switchFlag('include nested containers at any depth'),
  }
  static override examples = commandExamples({
    'What a container holds': 'roomctl asset list games/puzzle',
    'The whole tree': 'roomctl asset list games --tree',
    'The bundles and catalogs for iOS, for another command':
      'roomctl asset list games --tree --kind asset --platform ios -q',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AssetList)
    const platform = flags.platform === undefined ? undefined : parseChoice('--platform', flags.platform, platforms)
    const kinds = flags.kind?.map((text) => parseChoice('--kind', text, assetKinds))
    const isWhole = platform === undefined && kinds === undefined
    const view = flags.tree ? (isWhole && flags.sort === undefined ? assetTree : assetPaths) : assetList
    const session = await this.open(flags)
    const container = await readContainerArg(session, args.container)
    const rows = await (flags.tree ? readTree : readListing)(session, container)
    await presentList(
      session,
      rows.filter((row) => row.error || isWanted(row, platform, kinds)),
      view,
    )
  }
}

function isWanted(row: AssetRow, platform: string | undefined, kinds: readonly string[] | undefined): boolean {
  const platformFits = platform === undefined || row.platform?.toLowerCase() === platform
  return platformFits && (kinds === undefined || kinds.includes(row.kind))
}
