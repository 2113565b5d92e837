import {basicContainer} from '../../api/contract/assetShapes.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requiredFlag, valueFlag} from '../../cli/flags/flags.js'
import {createContainer} from '../../features/asset/containers.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'

export default class AssetCreate extends RoomctlCommand {
  static override changes = true
  static override summary = 'Create a container'
  static override description =
    `Sends POST to the path with a trailing slash, and the required type, name and description. The document does not say whether
the path names the new container or its parent: the path is sent as typed, or with asset.containerPath set to parent, its
parent. A note shows the resulting path if it differs.`
  static override args = {container: containerArg}
  static override flags = {
    description: requiredFlag('TEXT', 'description of the container; may be empty'),
    name: valueFlag('NAME', 'name of the container (default: the end of the path)'),
    type: valueFlag('TYPE', `type of the container (default ${basicContainer})`),
    ...changeFlags,
  }
  static override examples = commandExamples({
    'A container in another': "roomctl asset create games/chess --description 'Chess and its levels'",
    'See the request without sending it': "roomctl asset create games/chess --description '' --name Chess --dry-run",
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetCreate)
    const container = await readContainerArg(session, args.container)
    const {name = container.split('/').at(-1) ?? container, type = basicContainer, description} = flags
    await createContainer(session, flags, {container, body: {type, name, description}})
  }
}
