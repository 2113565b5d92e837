import * as Args from '@oclif/core/args'
import {platforms} from '../../api/contract/assetShapes.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, confirmableFlags, requiredFlag, rowFlags, valueFlag} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {containerArg} from '../../features/asset/paths.js'
import {assertContainerFirst} from '../../features/asset/retryCommand.js'
import {readSendFlags, sendFlags, stampFlag} from '../../features/asset/uploadFlags.js'
import {uploadNamed} from '../../features/asset/uploadNamed.js'
import {uploadRows} from '../../view/asset/transfers.js'

export default class AssetUpload extends RoomctlCommand {
  static override changes = true
  static override summary = 'Upload files to a container'
  static override rows = uploadRows
  static override description =
    `Sends each file in chunks (tus), with its name, platform and description. Run the same command again to resume: finished
chunks are not sent again, a file that has changed starts over, and a file proven to be in the container (see asset sync) is
skipped. Descriptions are stamped only if asset.stamp is true or --stamp is given.`
  static override args = {
    container: containerArg,
    file: Args.string({
      name: 'FILE',
      description: 'files to upload',
      multiple: true,
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ...rowFlags,
    platform: requiredFlag(platforms.join('|'), 'platform of the files'),
    description: valueFlag('TEXT', 'description of the files (default: the name of each)'),
    name: valueFlag('NAME', 'upload a single file under another name, with extension'),
    link: valueFlag('UUID', 'the asset file that a bundle belongs to: its uuid, or its uri'),
    stamp: stampFlag,
    ...sendFlags,
    ...confirmableFlags,
  }
  static override examples = commandExamples({
    'A bundle for iOS': "roomctl asset upload games/puzzle level2.bundle --platform ios --description 'Level 2'",
    'Two bundles of a catalog':
      'roomctl asset upload games/puzzle level2.bundle level3.bundle --platform ios --description new --link a-catalog',
    'See the request, and whether an upload would be resumed':
      'roomctl asset upload games/puzzle level2.bundle --platform ios --description new --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags, raw, session} = await this.start(AssetUpload)
    assertContainerFirst('asset upload', raw)
    const platform = parseChoice('--platform', flags.platform, platforms)
    const options = readSendFlags(session, flags)
    const request = {...flags, platform, container: args.container, files: args.file}
    return options.report.whole(uploadNamed(session, options, request, raw))
  }
}
