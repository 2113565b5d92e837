import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, rowFlags, switchFlag} from '../../cli/flags/flags.js'
import {presentDuplicates} from '../../features/asset/duplicates.js'
import {containerArg, readContainerArg} from '../../features/asset/paths.js'
import {duplicateList} from '../../view/asset/checks.js'

export default class AssetDuplicates extends RoomctlCommand {
  static override summary = 'Find files that a container has twice'
  static override rows = duplicateList
  static override description =
    `Compares resources of one name and platform by the stamps at the end of their descriptions, without reading their bytes.
--read downloads and hashes them: it also finds duplicates without a stamp, and shows stamps of other content as refuted. Exits
15 if it finds any. Resources in the trash are not compared. The service cannot delete a resource; its operator can.`
  static override args = {container: containerArg}
  static override flags = {
    ...rowFlags,
    read: switchFlag('read the bytes of resources with the same name and platform'),
  }
  static override examples = commandExamples({
    'Check a container after a CI run': 'roomctl asset duplicates games/puzzle',
    'By content, also of files without a stamp': 'roomctl asset duplicates games/puzzle --read -o json',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetDuplicates)
    await presentDuplicates(session, await readContainerArg(session, args.container), flags.read)
  }
}
