import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples} from '../../cli/flags/flags.js'
import {presentOne} from '../../cli/output/present.js'
import {containerMethods} from '../../features/asset/containers.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'
import {methodsCard} from '../../view/asset/cards.js'

export default class AssetMethods extends RoomctlCommand {
  static override summary = 'Show which methods a container allows'
  static override rows = methodsCard
  static override description =
    `Sends OPTIONS and HEAD and shows the Allow and Link headers from whichever response has them, because the document
contradicts itself on which one does. Link names the metadata of the container. Other HEAD headers and the OPTIONS body are
shown unchanged.`
  static override args = {container: containerArg}
  static override flags = cardFlags
  static override examples = commandExamples({
    'The methods a container allows': 'roomctl asset methods games/puzzle',
    'Which request returned what': 'roomctl asset methods games/puzzle -o json',
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(AssetMethods)
    const container = await readContainerArg(session, args.container)
    await presentOne(session, await containerMethods(session, container), methodsCard)
  }
}
