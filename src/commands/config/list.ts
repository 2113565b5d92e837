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
    `A flag overrides an environment variable, which overrides the profile, which overrides the default. The row file shows the
path of the profile file, the row profile the profile in use. A table omits defaults. Tokens are never shown, only where they
are stored and for which origin.`
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
