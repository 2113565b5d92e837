import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, commandExamples, requiredArg} from '../../cli/flags/flags.js'
import {describeContainer} from '../../features/asset/containers.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'

export default class AssetDescribe extends RoomctlCommand {
  static override changes = true
  static override summary = 'Change the description of a container'
  static override description =
    `The description is the only field of a container that can be changed. If the answer is lost, the container is read back to
verify the change.`
  static override args = {container: containerArg, text: requiredArg('TEXT', 'the new description; may be empty')}
  static override flags = changeFlags
  static override examples = commandExamples({
    'Say what a container is for': "roomctl asset describe games/puzzle 'Levels of the puzzle game'",
    'See the request without sending it': "roomctl asset describe games/puzzle '' --dry-run",
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetDescribe)
    const container = await readContainerArg(session, args.container)
    await describeContainer(session, flags, {container, description: args.text})
  }
}
