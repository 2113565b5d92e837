import {updateConfiguration} from '../../../api/contract/appConfig.js'
import {RoomctlCommand} from '../../../cli/app/baseCommand.js'
import {commandExamples} from '../../../cli/flags/flags.js'
import {changeConfiguration, configurationFlags} from '../../../features/config/appConfig.js'

export default class ConfigAppUpdate extends RoomctlCommand {
  static override changes = true
  static override summary = 'Change the service configuration of an application'
  static override description =
    `Sends only the given fields. The method and path are undocumented and assumed; change them with config set
route.appConfig.update.`
  static override flags = configurationFlags
  static override examples = commandExamples({
    'No downloads by ordinary users': 'roomctl config app update --application-id app-1 --no-download-record',
    'The first to enter becomes host': 'roomctl config app update --application-id app-1 --host first -o json',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigAppUpdate)
    await changeConfiguration(await this.open(flags), flags, updateConfiguration, 'updated')
  }
}
