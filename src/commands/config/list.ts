import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, rowFlags} from '../../cli/flags/flags.js'
import {presentList} from '../../cli/output/present.js'
import {settingRows} from '../../features/config/settings.js'
import {settingList} from '../../view/tool/settings.js'

export default class ConfigList extends LocalCommand {
  static override summary = 'Show every setting and its source'
  static override rows = settingList
  static override description =
    `A flag wins over an environment variable, that over the profile, that over the default. Tokens are never
shown, only where one is kept and for which origin.`
  static override flags = rowFlags
  static override examples = commandExamples({
    'The settings of the profile in use': 'roomctl config list',
    'What another profile would use, for a script': 'roomctl config list -p sandbox -o json',
  })

  async run(): Promise<void> {
    const {session} = await this.start(ConfigList)
    if (session.output.format === 'table')
      session.warn(`profile ${session.resolved.name} (${session.resolved.nameSource})`)
    await presentList(session, settingRows(session.resolved), settingList)
  }
}
