import {LocalCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples, rowFlags} from '../../../cli/flags/flags.js'
import {presentList} from '../../../cli/output/present.js'
import {profileRows} from '../../../features/config/profiles.js'
import {profileList} from '../../../view/system/settings.js'

export default class ConfigProfileList extends LocalCommand {
  static override summary = 'List the profiles'
  static override rows = profileList
  static override description =
    'A profile is a set of addresses, tokens and settings, like a context of kubectl. `sandbox` is built in.'
  static override flags = rowFlags
  static override examples = commandExamples({
    'All profiles': 'roomctl config profile list',
    'Their names only': 'roomctl config profile list -q',
  })

  async run(): Promise<void> {
    const {session} = await this.start(ConfigProfileList, {editing: true})
    await presentList(session, await profileRows(session), profileList)
  }
}
