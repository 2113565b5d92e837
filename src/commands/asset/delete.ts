import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, severalArg} from '../../cli/flags/flags.js'
import {wrongUsage} from '../../failure.js'

export default class AssetDelete extends LocalCommand {
  static override summary = 'Explain that the service cannot delete'
  static override description =
    `The asset service has no delete operation: the document calls DELETE of a container work in progress and has none for a
resource. Nothing is sent, and the command exits with 2.`
  static override args = {container: severalArg('CONTAINER', 'path of a container or a resource')}
  static override examples = commandExamples({
    'Nothing is sent': 'roomctl asset delete games/archive',
    'The same for a program': 'roomctl asset delete games/archive -o json',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AssetDelete)
    await this.open(flags)
    const named = args.container?.length === 1 ? args.container[0] : 'containers or resources'
    throw wrongUsage(`cannot delete ${named}: the asset service does not offer it; nothing was sent`, {
      code: 'not-offered',
      why: 'its document calls DELETE of a container work in progress, and has none for a resource',
      try: 'roomctl asset describe CONTAINER TEXT can mark a container as no longer used',
    })
  }
}
