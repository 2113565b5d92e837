import {info} from '../../api/contract/asset.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples} from '../../cli/flags/flags.js'
import {presentOne} from '../../cli/output/present.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'
import {containerCard} from '../../view/asset/cards.js'

export default class AssetInfo extends RoomctlCommand {
  static override summary = 'Show the metadata of a container'
  static override rows = containerCard
  static override description =
    `Its name, uuid, type, parents, description and owners (asset, Container). asset list shows what it holds.`
  static override args = {container: containerArg}
  static override flags = cardFlags
  static override examples = commandExamples({
    'A container as a card': 'roomctl asset info games/puzzle',
    'Its uuid, for a script': 'roomctl asset info games/puzzle -q',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(AssetInfo)
    const container = await readContainerArg(session, args.container)
    await presentOne(session, await session.api.call(info, {path: {container}, query: {type: 'meta'}}), containerCard)
  }
}
