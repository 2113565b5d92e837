import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, rowFlags} from '../../cli/flags/flags.js'
import {isForPeople, presentList} from '../../cli/output/present.js'
import {requireProfile} from '../../cli/session/serviceClients.js'
import {settingRows} from '../../features/config/settings.js'
import {settingList} from '../../view/system/settings.js'

export default class ConfigList extends LocalCommand {
  static override summary = 'Show the profile in use, every setting and its source'
  static override rows = settingList
  static override description =
    `A flag wins over an environment variable, that over the profile, that over the default. The row file is the profile file, the row profile the one in use. A table leaves out defaults. Tokens are never
shown, only where one is kept and for which origin.`
  static override flags = rowFlags
  static override examples = commandExamples({
    'The settings of the profile in use': 'roomctl config list',
    'What another profile would use, for a script': 'roomctl config list -p sandbox -o json',
  })

  async run(): Promise<void> {
    const {session} = await this.start(ConfigList)
    requireProfile(session.resolved)
    const rows = settingRows(session)
    if (!isForPeople(session)) return presentList(session, rows, settingList)
    const set = rows.filter(({key, source}) => source !== 'default' || key === 'file' || key === 'profile')
    await presentList(session, set, settingList)
    session.warn(`${rows.length - set.length} more at their defaults; -o json shows all`)
  }
}
